"""NTP and CTP: rules by soft unification of relations, decoded from embeddings."""

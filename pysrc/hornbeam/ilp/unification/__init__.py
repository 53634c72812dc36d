"""NTP: rules by soft unification of predicates, decoded from embeddings."""

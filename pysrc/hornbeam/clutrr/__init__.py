"""CLUTRR: families, stories and proofs from a kinship theory in Prolog (Sinha et al., 2019)."""

"""Rules by information gain, from the head down."""

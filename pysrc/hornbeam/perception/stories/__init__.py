"""Stories: the facts that are read from sentences."""

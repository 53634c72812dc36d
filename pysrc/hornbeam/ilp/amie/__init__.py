"""Rules mined from facts: closed connected rules with their confidence, and the choice of a theory among them."""

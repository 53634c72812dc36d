"""What the screens ask: verdicts on rules while they are typed, goals on a dataset, predicates that rules may call."""

"""Learning tasks: problems in three views (examples, facts, networks), and the language bias."""

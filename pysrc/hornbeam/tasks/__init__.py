"""What is to be learned: problems in three views (examples, facts, networks), and the language bias."""

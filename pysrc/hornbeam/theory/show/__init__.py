"""A difference as JSON, as text, in colour on a terminal, as a page."""

"""The curriculum language: what may be written, what it means, and what is said when it is wrong."""

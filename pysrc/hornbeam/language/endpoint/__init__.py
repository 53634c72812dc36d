"""Asking a language model over HTTP: the client, the journal of its answers, and runs that can be resumed."""

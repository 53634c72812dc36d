"""Language models: prompts, the judge of their answers and theories, and the client that asks a server."""

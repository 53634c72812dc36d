"""R5: compositions of relations, mined by tree search with a policy that learns and a memory that revises itself."""

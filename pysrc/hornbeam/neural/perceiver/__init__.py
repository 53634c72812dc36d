"""The perceiver `neural`: a network that finds objects, and a network that groups them. Neither knows the renderer."""

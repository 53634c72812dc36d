"""Pictures: KANDY's models, its four learning settings, and replay."""

"""The version, where every room can read it without importing the whole package."""

__version__ = "0.1.0"

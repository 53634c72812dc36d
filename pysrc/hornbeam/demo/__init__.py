"""The tour of `make demo`: small datasets of all families are checked, queried and learned from, with one report."""

from hornbeam.demo.tour import tour

__all__ = ["tour"]

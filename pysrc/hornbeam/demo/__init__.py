"""The tour of `make demo`: small datasets of all families, checked, asked, learned from, in one report."""

from hornbeam.demo.tour import tour

__all__ = ["tour"]

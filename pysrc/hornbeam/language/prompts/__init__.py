"""Samples as prompts: :func:`prompts` makes one :class:`hornbeam.language.item.Item` of each."""

from __future__ import annotations

from hornbeam.language.prompts.asking import FAMILIES, Asker, prompts

__all__ = ["FAMILIES", "Asker", "prompts"]

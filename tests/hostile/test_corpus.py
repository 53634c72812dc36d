"""The corpus is as large as promised, and each attack is another one."""

from __future__ import annotations

from collections import Counter

from tests.hostile.corpus import OUTCOMES, files, goals


def test_the_corpus_is_large() -> None:
    assert len(files()) >= 150
    assert len(goals()) >= 300


def test_each_attack_is_another_one() -> None:
    for attacks in (files(), goals()):
        assert [name for name, count in Counter(attack.name for attack in attacks).items() if count > 1] == []
        assert [text for text, count in Counter(attack.text for attack in attacks).items() if count > 1] == []
        assert {attack.outcome for attack in attacks} <= set(OUTCOMES)
        assert all(attack.text.strip() for attack in attacks)

"""Which words name which relation, learned from passages whose facts are known; the relations' own names are known.

Each fact of a passage is said by one of its words. Which one is found by expectation maximisation, as words of two
languages are aligned (IBM model 1): a word that stands wherever a relation is told, and nowhere else, names it. Words
that are spelled like the name of a relation start with more weight, so that unseen forms of it are found sooner.

>>> told = [(["mum", "met", "her"], ["mother"]), (["mum", "sang"], ["mother"]), (["son", "sang"], ["son"])] * 3
>>> Lexicon.learned(("mother", "son"), told).words
{'mother': ('mother', 1.0), 'son': ('son', 1.0), 'mum': ('mother', 1.0)}
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Told = tuple[Sequence[str], Sequence[str]]  # the words of a passage, and the relations that it tells

_ROUNDS = 12
_SPELLED = 1000.0  # weight of a word that is the name of the relation
_SIMILAR = 2.0  # weight of a word that shares most of its letters
_LEAST_COUNT, _LEAST_SHARE = 2.0, 0.5


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words with the relation that they name, and how often they do where they stand; ordinary words are not in it."""

    words: Mapping[str, tuple[str, float]] = field(default_factory=dict)

    @classmethod
    def of_names(cls, relations: Iterable[str]) -> Lexicon:
        """The relations' own names."""
        return cls({name: (name, 1.0) for name in relations})

    @classmethod
    def learned(cls, relations: Sequence[str], told: Sequence[Told]) -> Lexicon:
        """The names, and the words that passages tell relations by."""
        stands = Counter(word for words, _ in told for word in set(words))
        together = Counter((word, name) for words, facts in told for word in set(words) for name in set(facts))
        weight = {(word, name): _start(word, name) * count / stands[word] for (word, name), count in together.items()}
        counts: dict[tuple[str, str], float] = {}
        for _ in range(_ROUNDS):
            counts = defaultdict(float)
            for words, facts in told:
                for relation, number in Counter(facts).items():
                    total = sum(weight[word, relation] for word in set(words))
                    for word in set(words):
                        counts[word, relation] += number * weight[word, relation] / total
            said: dict[str, float] = defaultdict(float)
            for (_, relation), count in counts.items():
                said[relation] += count
            # A word has to be rare elsewhere to name a relation: "the" stands beside all of them.
            weight = {key: count / stands[key[0]] * count / said[key[1]] + 1e-9 for key, count in counts.items()}
        known = dict(cls.of_names(relations).words)
        for (word, relation), count in sorted(counts.items(), key=lambda item: -item[1]):
            share = count / stands[word] if count >= _LEAST_COUNT else 0.0
            if word not in known and share >= _LEAST_SHARE:
                known[word] = (relation, min(1.0, round(share, 3)))
        return cls(known)


def _start(word: str, relation: str) -> float:
    if word == relation:
        return _SPELLED
    one, two = _letters(word), _letters(relation)
    return 1.0 + _SIMILAR * 2 * len(one & two) / (len(one) + len(two))


def _letters(word: str) -> frozenset[str]:
    """All runs of three letters."""
    padded = f"^{word}$"
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))

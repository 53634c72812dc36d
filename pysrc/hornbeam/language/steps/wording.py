"""Claims in words, and claims found in words: what a solution says, and what a model's own steps say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hornbeam.language.steps.claims import Claim
from hornbeam.logic.terms import Compound, to_text

_IS_OF = re.compile(r"(\w+) is (?:the |a |an )?([\w-]+) of (\w+)")
_POSSESSIVE = re.compile(r"(\w+)['’]s ([\w-]+) is (\w+)")
_ATOM = re.compile(r"(?<!\w)([\w+-]+)\((\w+), ?(\w+)\)")
_EDGE = re.compile(r"edge\((\w+), ?([^\s,()]+), ?(\w+)\)")
_ARROW = re.compile(r"(\w+) -\[([^\]\s]+)\]-> (\w+)")
_FACT = re.compile(r"(?<!\w)([a-z]\w*)\(([\w, ]+)\)")
_GOAL = re.compile(r"(\\\+ )?(?<!\w)[a-z]\w*\((?:[^()]|\([^()]*\))*\)")
_SCENE = re.compile(r"scene is (valid|invalid)(?!\w)")


@dataclass(frozen=True, slots=True)
class Wording:
    """How claims of one question are worded.

    Attributes:
        family: The family.
        style: The style of the prompt.
        entities: For each node or constant of the dataset the name in the prompt; others keep theirs.
        vocabulary: For each relation or predicate of the dataset the word in the prompt; others keep theirs.
    """

    family: str
    style: str = "natural"
    entities: Mapping[str, str] = field(default_factory=dict)
    vocabulary: Mapping[str, str] = field(default_factory=dict)

    def say(self, claim: Claim) -> str:
        """A claim in words, without a full stop.

        >>> Wording("clutrr", entities={"0": "Ann", "1": "Bob"}).say(Claim("brother", ("0", "1")))
        'Bob is the brother of Ann'
        >>> Wording("star").say(Claim("DC|EC", ("3", "4")))
        '3 DC or EC 4'
        """
        if self.family == "kandy":
            return claim.name
        args = [self.entities.get(arg, arg) for arg in claim.args]
        names = [self.vocabulary.get(name, name) for name in claim.relations]
        if self.family == "rudas":
            return to_text(Compound(names[0].lower(), tuple(args)))
        if self.family == "clutrr":
            return f"{args[1]} is the {names[0]} of {args[0]}" if self.style == "natural" else _call(names[0], args)
        if self.style != "natural":
            return f"edge({args[0]}, {'|'.join(names)}, {args[1]})"
        if self.family == "graphlog":
            return f"{args[0]} -[{names[0]}]-> {args[1]}"
        return f"{args[0]} {' or '.join(names)} {args[1]}"

    def read(self, text: str, relations: Sequence[str]) -> list[tuple[str, Claim]]:
        """The claims of a text in order, each with its words; text between them is ignored.

        >>> wording = Wording("clutrr", entities={"0": "Ann", "1": "Bob"})
        >>> wording.read("So Bob is the brother of Ann.", ["brother"])
        [('Bob is the brother of Ann', Claim(name='brother', args=('0', '1')))]
        """
        own = {name: place for place, name in self.entities.items()}
        words = {self.vocabulary.get(name, name): name for name in relations}
        found: dict[int, tuple[str, Claim]] = {}
        for pattern, order in self._patterns(list(words)):
            for match in pattern.finditer(text):
                claim = self._claim([match[place] for place in order], own, words)
                if claim is not None:
                    found.setdefault(match.start(), (match[0], claim))
        return [found[place] for place in sorted(found)]

    def _claim(self, parts: Sequence[str], own: Mapping[str, str], words: Mapping[str, str]) -> Claim | None:
        if self.family == "kandy":
            return Claim(parts[0])
        if self.family == "rudas":
            lowered = {word.lower(): name for word, name in words.items()}
            args = [part.strip() for part in parts[1].split(",")]
            return Claim(lowered[parts[0]], tuple(own.get(arg, arg) for arg in args)) if parts[0] in lowered else None
        names = [name.strip() for name in re.split(r"\||\bor\b", parts[0])]
        if not all(name in words for name in names) or not all(part in own or not own for part in parts[1:]):
            return None
        return Claim("|".join(words[name] for name in names), tuple(own.get(part, part) for part in parts[1:]))

    def _patterns(self, words: Sequence[str]) -> list[tuple[re.Pattern[str], tuple[int, ...]]]:
        """Patterns, and which groups are the name, the first and the second argument."""
        if self.family == "kandy":
            return [(_GOAL, (0,)), (_SCENE, (1,))]
        if self.family == "rudas":
            return [(_FACT, (1, 2))]
        if self.family == "clutrr":
            return [(_IS_OF, (2, 3, 1)), (_POSSESSIVE, (2, 1, 3)), (_ATOM, (1, 2, 3))]
        one = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        stated = re.compile(rf"(?<!\S)(\w+) ((?:{one})(?: or (?:{one}))*) (\w+)")
        return [(_EDGE, (2, 1, 3)), (_ARROW, (2, 1, 3)), (stated, (2, 1, 3))]


def _call(name: str, args: Sequence[str]) -> str:
    return f"{name}({', '.join(args)})"

"""Asking Prolog about pictures: labels in bulk, explanations, the rules themselves.

The rules of kb/kandy run in this process. A rule that comes as text, from a curriculum that anybody may have written,
is read here but runs in a contained process.

>>> with KandyLogic() as logic:
...     house = ("in", [("stack", ["triangle_red_small", "square_blue_small"])])
...     logic.labels("easy_15_house", [house, ("in", ["circle_red_small"])])
[1, 0]
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hornbeam import resources
from hornbeam.errors import HornbeamError, NotAllowed, PrologError, UsageError, unknown_name
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain, Tree, prolog_text
from hornbeam.logic import Limits, Prolog, String
from hornbeam.logic.bridges.contained import ContainedBridge

# Ample for any picture: the rules of kb/kandy need a few hundred.
INFERENCES = 1_000_000
# A net below the inferences, for a whole batch.
_LIMITS = Limits(seconds=600)
# Trees in one call: a larger batch gains nothing and holds more memory.
_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A published task: the name of its rule, its place, and what makes a picture valid."""

    rule: str
    curriculum: str
    index: int
    title: str


class KandyLogic:
    """The reasoner of one domain. Cheap to make; close it if rules were loaded from text."""

    def __init__(self, domain: Domain = DEFAULT_DOMAIN, *, inferences: int = INFERENCES) -> None:
        self.domain = domain
        self.inferences = inferences
        self._texts: dict[str, str] = {}

    @cached_property
    def _here(self) -> Prolog:
        prolog = _with_service(Prolog())
        prolog.load(resources.prolog("kandy", "texts.pl"), module="hornbeam_kandy")
        return prolog

    @cached_property
    def _rule_bridge(self) -> _RuleBridge:
        return _RuleBridge(memory=1 << 30, cpu_seconds=3600)

    def _contained(self) -> Prolog:
        """The process for rules from outside; one that died on a rule is started anew and takes them all again."""
        prolog = Prolog(self._rule_bridge)
        if self._rule_bridge.pid is None:
            _with_service(prolog)
            for rule, text in self._texts.items():
                given: dict[str, Any] = {"_Rule": rule, "_Text": String(text)}
                prolog.once("load_rule(_Rule, _Text, positive_rule)", given=given, module="kandy_service")
        return prolog

    def close(self) -> None:
        """End the contained process, where there is one."""
        if "_rule_bridge" in self.__dict__:
            self._rule_bridge.close()

    def __enter__(self) -> KandyLogic:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Labels -------------------------------------------------------------------------------------------------------

    def labels(self, rule: str, trees: Sequence[Tree]) -> list[int]:
        """1 where the rule holds, 0 where it does not, -1 where it does not end within its inferences."""
        return self._labels("check(_Rule, _Codes, _Limit, Labels)", rule, trees)

    def pointer_labels(self, rule: str, trees: Sequence[Tree]) -> list[int]:
        """The same, with the pictures as facts and the rule over the pointer encoding."""
        return self._labels("check_pointer(_Rule, _Codes, _Limit, Labels)", rule, trees)

    def proof_labels(self, rule: str, trees: Sequence[Tree]) -> list[int]:
        """The same by the interpreter that makes proofs: slow, and another way for rules that are not portable."""
        return self._labels("check_proof(_Rule, _Codes, _Limit, Labels)", rule, trees)

    def portable(self, rule: str) -> bool:
        """Whether a rule means the same in both encodings: it takes no term apart by itself."""
        return bool(self._ask("( portable_rule(_Rule) -> Portable = 1 ; Portable = 0 )", rule)["Portable"])

    def _labels(self, goal: str, rule: str, trees: Sequence[Tree]) -> list[int]:
        found: list[int] = []
        for start in range(0, len(trees), _BATCH):
            batch = trees[start : start + _BATCH]
            try:
                found.extend(self._ask(goal, rule, _Codes=coded(batch), _Limit=self.inferences)["Labels"])
            except PrologError as error:
                if rule not in self._texts:
                    raise
                if len(batch) == 1:
                    raise UsageError(f"the rule raises an error on {prolog_text(batch[0])}: {error.message}") from None
                for tree in batch:  # to name the picture
                    found.extend(self._labels(goal, rule, [tree]))
        return found

    # Rules --------------------------------------------------------------------------------------------------------

    def load_rule(self, text: str, place: str = "positive_rule") -> str:
        """Take a rule from text, after a look at it; returns the name under which it is known.

        A :class:`UsageError` with line and column inside the text says what is wrong: not Prolog, a directive, no
        valid/1, a call of what nobody defines or of what does more than reason.
        """
        rule = "rule_" + hashlib.sha256(text.encode()).hexdigest()[:16]
        if rule not in self._texts:
            goal = "load_rule(_Rule, _Text, _Place), check_safe(_Rule)"
            try:
                self._ask(goal, _in=self._contained(), _Rule=rule, _Text=String(text), _Place=place)
            except PrologError as error:
                raise self._usage(error, place) from None
            self._texts[rule] = text
        return rule

    def _usage(self, error: PrologError, place: str) -> UsageError:
        if isinstance(error, UsageError):
            return error
        if isinstance(error, NotAllowed):
            return UsageError(f"a rule may only reason: {error.message}", file=place)
        missing = re.search(r"existence_error\(procedure,(?:\w+:)?([^,()]+/\d+)\)", error.term or "")
        if missing and missing[1] == "valid/1":
            return UsageError("the rule defines no valid/1", file=place)
        if missing:
            return unknown_name("predicate", missing[1], self.vocabulary(), file=place)
        return UsageError(error.message, file=error.file or place, line=error.line, column=error.column)

    def rule_text(self, rule: str) -> str:
        """The clauses of a rule."""
        if rule in self._texts:
            return self._texts[rule].strip() + "\n"
        text: String = self._ask("kandy_texts:rule_text(_Rule, Text)", rule)["Text"]
        return text.value

    def module_text(self, rule: str, text: str) -> str:
        """The source of a module for a rule that came as text, like the files of kb/kandy/tasks."""
        source: String = self._ask("kandy_texts:module_text(_Rule, _Text, Source)", _Rule=rule, _Text=String(text))[
            "Source"
        ]
        return source.value

    def task_table(self) -> tuple[TaskInfo, ...]:
        """The published tasks, Easy before Hard."""
        rows = self._ask("task_table(Rows)")["Rows"]
        return tuple(TaskInfo(rule, curriculum, index, title.value) for rule, curriculum, index, title in rows)

    def vocabulary(self) -> tuple[str, ...]:
        """The predicates of the background knowledge that a rule may call, as name/arity."""
        names = self._ask("vocabulary(Names)")["Names"]
        return tuple(names)

    def operator_class(self, name: str) -> tuple[str, ...]:
        """The operators that a random group of the curriculum language draws from."""
        return tuple(self._ask("operator_class(_Class, Operators)", _Class=name)["Operators"])

    def domain_text(self) -> str:
        """The source of the Prolog module that holds this domain."""
        text: String = self._ask("kandy_texts:domain_text(Text)")["Text"]
        return text.value

    # Reasons ------------------------------------------------------------------------------------------------------

    def explain(self, rule: str, tree: Tree) -> str:
        """The proof that the rule holds of a tree, or the first literal that fails, for a person to read."""
        text: String = self._ask("explain_text(_Rule, _Codes, Text)", rule, _Codes=coded([tree]))["Text"]
        return text.value

    def certificates(self, rule: str, trees: Sequence[Tree]) -> list[dict[str, Any]]:
        """Short proofs to keep with samples, in bulk: see :func:`certificate`."""
        found: list[dict[str, Any]] = []
        for start in range(0, len(trees), _BATCH):
            codes = coded(trees[start : start + _BATCH])
            rows = self._ask("certificates(_Rule, _Codes, Rows)", rule, _Codes=codes)["Rows"]
            found.extend(certificate(row) for row in rows)
        return found

    def _ask(self, goal: str, rule: str | None = None, *, _in: Prolog | None = None, **given: Any) -> dict[str, Any]:
        """One goal of the service, under this domain: another handle may have asked about another one before."""
        values: dict[str, Any] = {
            "_Shapes": list(self.domain.shapes),
            "_Colors": list(self.domain.colors),
            "_Sizes": list(self.domain.sizes),
            **given,
        }
        if rule is not None:
            values["_Rule"] = rule
        prolog = _in or (self._contained() if rule in self._texts else self._here)
        goal = f"set_domain(_Shapes, _Colors, _Sizes), {goal}"
        answer = prolog.once(goal, given=values, module="kandy_service", limits=_LIMITS)
        if answer is None:
            raise HornbeamError(f"Prolog gave no answer to {goal}")
        return answer


class _RuleBridge(ContainedBridge):
    """A contained process for rules from outside.

    The goals asked there are those of the service; the rules that they run have passed the sandbox when they came in.
    """

    safety = "trusted"


def _with_service(prolog: Prolog) -> Prolog:
    prolog.load(resources.prolog("kandy", "service.pl"), module="hornbeam_kandy")
    return prolog


def certificate(row: Sequence[Any]) -> dict[str, Any]:
    """A short proof: the clause that holds with its goals, or where each clause stops.

    >>> certificate([1, 1, [String("contains(Picture,circle_red_small)")]])
    {'holds': True, 'clause': 1, 'goals': ['contains(Picture,circle_red_small)']}
    """
    if row[0] == 1:
        return {"holds": True, "clause": row[1], "goals": [goal.value for goal in row[2]]}
    stops = [
        {"clause": number, "goals": [goal.value for goal in goals], "fails": fails.value}
        for number, goals, fails in row[1]
    ]
    return {"holds": False, "clauses": stops}


def coded(trees: Sequence[Tree]) -> list[str | int]:
    """Trees as one flat list of names and numbers, which crosses fastest; prolog/kandy/trees.pl builds them again.

    >>> coded([("in", ["circle_red_small"])])
    [1, 'in', 'circle_red_small']
    """
    codes: list[str | int] = []
    for tree in trees:
        _code(tree, codes)
    return codes


def _code(tree: Tree, codes: list[str | int]) -> None:
    if isinstance(tree, str):
        codes.append(tree)
        return
    operator, children = tree
    codes.append(len(children))
    codes.append(operator)
    for child in children:
        _code(child, codes)

"""What kb/kandy says, asked of Prolog: labels in bulk, explanations, the rules, and the Prolog files of a dataset.

The rules of kb/kandy run in this process. A rule that comes as text, from a curriculum that anybody may have written,
is read here but runs in a contained process.

A dataset gets the files of kb/kandy and of prolog/kandy that it needs as they are, with its own domain in place of the
default one. Rules that came as text get a file like those of kb/kandy/tasks.

>>> with KandyLogic() as logic:
...     house = ("in", [("stack", ["triangle_red_small", "square_blue_small"])])
...     logic.labels("easy_15_house", [house, ("in", ["circle_red_small"])])
[1, 0]
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from hornbeam import resources
from hornbeam.errors import HornbeamError, NotAllowed, PrologError, UsageError, unknown_name
from hornbeam.family import PrologSide
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.curriculum import NamedRule, RuleText, Task
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain, Tree, prolog_text
from hornbeam.logic import Limits, Prolog, String, to_text
from hornbeam.logic.bridges.contained import ContainedBridge
from hornbeam.logic.terms import Compound, quote

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


class ExplanationLine(NamedTuple):
    """A line of an explanation, and the places of the nodes that it speaks of: the child's number on each level."""

    text: str
    places: tuple[tuple[int, ...], ...]


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
        """The process for rules from outside; one that died on a rule is restarted and takes them all again."""
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
        """1 if the rule holds, 0 if it does not, -1 if it does not end within its inferences."""
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
        labels: list[int] = []
        for start in range(0, len(trees), _BATCH):
            batch = trees[start : start + _BATCH]
            try:
                labels.extend(self._ask(goal, rule, _Codes=coded(batch), _Limit=self.inferences)["Labels"])
            except PrologError as error:
                if rule not in self._texts:
                    raise
                if len(batch) == 1:
                    raise UsageError(f"the rule raises an error on {prolog_text(batch[0])}: {error.message}") from None
                for tree in batch:  # to name the picture
                    labels.extend(self._labels(goal, rule, [tree]))
        return labels

    # Rules --------------------------------------------------------------------------------------------------------

    def load_rule(self, text: str, place: str = "positive_rule") -> str:
        """Take a rule from text, after a look at it; returns the name under which it is known.

        A :class:`UsageError` with line and column inside the text says what is wrong: not Prolog, a directive, no
        valid/1, a call of an undefined predicate or of one with side effects.
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
        if isinstance(error, NotAllowed):
            return UsageError(f"a rule may only reason: {error.message}", file=place)
        if isinstance(error, UsageError):
            return error
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
        return self._text("kandy_texts:rule_text(_Rule, Text)", rule)

    def module_text(self, rule: str, text: str) -> str:
        """The source of a module for a rule that came as text, like the files of kb/kandy/tasks."""
        return self._text("kandy_texts:module_text(_Rule, _Source, Text)", _Rule=rule, _Source=String(text))

    def task_table(self) -> tuple[TaskInfo, ...]:
        """The published tasks, Easy before Hard."""
        rows = self._ask("task_table(Rows)")["Rows"]
        return tuple(TaskInfo(rule, curriculum, index, title.value) for rule, curriculum, index, title in rows)

    def vocabulary(self) -> tuple[str, ...]:
        """The predicates of the background knowledge that a rule may call, as name/arity."""
        return tuple(self._ask("vocabulary(Names)")["Names"])

    def domain_text(self) -> str:
        """The source of the Prolog module that holds this domain."""
        return self._text("kandy_texts:domain_text(Text)")

    # Reasons ------------------------------------------------------------------------------------------------------

    def explain(self, rule: str, tree: Tree) -> str:
        """The proof that the rule holds of a tree, or the first literal that fails, in words."""
        return self._text("explain_text(_Rule, _Codes, Text)", rule, _Codes=coded([tree]))

    def explain_marked(self, rule: str, tree: Tree) -> list[ExplanationLine]:
        """The lines of :meth:`explain`, each with the places in the tree that it speaks of."""
        rows = self._ask("explain_marked(_Rule, _Codes, Rows)", rule, _Codes=coded([tree]))["Rows"]
        return [ExplanationLine(text.value, tuple(map(tuple, places))) for text, places in rows]

    def certificates(self, rule: str, trees: Sequence[Tree]) -> list[dict[str, Any]]:
        """Short proofs to keep with samples, in bulk: see :func:`certificate`."""
        batches = [coded(trees[start : start + _BATCH]) for start in range(0, len(trees), _BATCH)]
        answers = (self._ask("certificates(_Rule, _Codes, Rows)", rule, _Codes=codes) for codes in batches)
        return [certificate(row) for answer in answers for row in answer["Rows"]]

    def _text(self, goal: str, rule: str | None = None, **given: Any) -> str:
        text: String = self._ask(goal, rule, **given)["Text"]
        return text.value

    def _ask(self, goal: str, rule: str | None = None, *, _in: Prolog | None = None, **given: Any) -> dict[str, Any]:
        values = given if rule is None else {**given, "_Rule": rule}
        prolog = _in or (self._contained() if rule in self._texts else self._here)
        return ask_under(self.domain, prolog, goal, values, module="kandy_service")


def ask_under(domain: Domain, prolog: Prolog, goal: str, given: dict[str, Any], *, module: str) -> dict[str, Any]:
    """The answer to a goal of the service under a domain: somebody may have asked about another one before."""
    values: dict[str, Any] = dict(zip(("_Shapes", "_Colors", "_Sizes"), map(list, domain.values), strict=True))
    goal = f"set_domain(_Shapes, _Colors, _Sizes), {goal}"
    answer = prolog.once(goal, given={**values, **given}, module=module, limits=_LIMITS)
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

    def add(tree: Tree) -> None:
        if isinstance(tree, str):
            codes.append(tree)
        else:
            codes.extend((len(tree[1]), tree[0]))
            for child in tree[1]:
                add(child)

    for tree in trees:
        add(tree)
    return codes


_TOOLS = ("explain.pl", "failures.pl", "proofs.pl", "prose.pl", "session.pl", "trees.pl")

_BACKGROUND = """\
% What the rules stand on, in the natural encoding: a picture is a term such as
%
%     in([grid([circle_red_small, square_red_large])])
%
% The pointer encoding (defined_as/3, sample_is/2) is kb/kandy/pointer/full.pl; encode_scenes/1 fills it.

:- use_module('kb/kandy/natural/full').
"""

_THEORY = """\
% The true theory: for each task the rule that makes a picture valid, in a module of its own.

:- use_module('prolog/kandy/session').
{loads}
%!  task(?Index, ?Task, ?Rule, ?Title) is nondet.
%
%   Rule, a file in kb/kandy/tasks, is the truth of Task; `none` if there is none.

{tasks}
%!  holds(?Task, +Tree) is nondet.
%
%   The true rule of Task, given by its name or number, holds of Tree.

holds(Index, Tree) :-
    integer(Index),
    !,
    task(Index, Task, _, _),
    true_rule(Task, Tree).
holds(Task, Tree) :-
    true_rule(Task, Tree).

:- dynamic(true_rule/2).
{holds}"""


def prolog_side(config: KandyConfig) -> PrologSide:
    """All Prolog files of a dataset but its facts."""
    with KandyLogic(config.domain) as logic:
        titles = {info.rule: info.title for info in logic.task_table()}
        modules = dict(_background_files(logic))
        for task in config.tasks:
            if isinstance(task.rule, RuleText):
                modules[_rule_file(rule_name(task))] = logic.module_text(rule_name(task), task.rule.text)
            elif isinstance(task.rule, NamedRule):
                modules[_rule_file(task.rule.name)] = resources.kb("kandy", "tasks", f"{task.rule.name}.pl").read_text(
                    encoding="utf-8"
                )
    return PrologSide(
        theory=_theory(config.tasks, titles), background=_BACKGROUND, queries=_queries(config.tasks), modules=modules
    )


def rule_name(task: Task) -> str:
    """The name of a task's rule in its dataset; `none` if it has no rule."""
    match task.rule:
        case NamedRule(name):
            return name
        case RuleText():
            return f"rule_of_{task.id}"
    return "none"


def _rule_file(rule: str) -> str:
    return f"kb/kandy/tasks/{rule}.pl"


def _background_files(logic: KandyLogic) -> Iterator[tuple[str, str]]:
    root = resources.kb("kandy")
    for path in sorted([*root.glob("*.pl"), *root.glob("natural/*.pl"), *root.glob("pointer/*.pl")]):
        yield f"kb/kandy/{path.relative_to(root).as_posix()}", path.read_text(encoding="utf-8")
    yield "kb/kandy/domain.pl", logic.domain_text()
    yield "prolog/kandy_kb.pl", resources.prolog("kandy_kb.pl").read_text(encoding="utf-8")
    for name in _TOOLS:
        yield f"prolog/kandy/{name}", resources.prolog("kandy", name).read_text(encoding="utf-8")


def _theory(tasks: Sequence[Task], titles: dict[str, str]) -> str:
    with_rule = [task for task in tasks if task.rule is not None]
    names = sorted({rule_name(task) for task in with_rule})
    return _THEORY.format(
        loads="".join(f":- use_module({quote(_rule_file(name).removesuffix('.pl'))}, []).\n" for name in names),
        tasks="".join(f"{to_text(_task_fact(task, titles))}.\n" for task in tasks),
        holds="".join(
            f"true_rule({quote(task.id)}, Tree) :-\n    once({quote('kandy_' + rule_name(task))}:valid(Tree)).\n"
            for task in with_rule
        ),
    )


def _task_fact(task: Task, titles: dict[str, str]) -> Compound:
    title = titles.get(rule_name(task)) or task.about or task.name
    return Compound("task", (task.index, task.id, rule_name(task), String(title)))


def _queries(tasks: Sequence[Task]) -> tuple[tuple[str, str], ...]:
    task = tasks[0].id if tasks else "Task"
    return (
        ("task(Index, Task, Rule, Title)", "the tasks"),
        (f"sample(Id, {task}, train, 1, Tree)", "its positive samples in the training split"),
        ("rule(0)", "the true rule of task 0"),
        ("sample(Id, T, _, _, Tree), holds(T, Tree)", "the rule on the tree of any sample, or on your own"),
        (f"explain({task}_train_0000)", "why this label: the proof, or the first literal that fails"),
        ("explain_tree(0, in([circle_red_small]))", "the same for a picture of your own"),
        ("[user]", "write a valid/1 of your own, and end with Ctrl-D"),
        ("wrong(0)", "which samples of task 0 your valid/1 gets wrong"),
        ("encode_scenes(0)", "task 0 as defined_as/3 and sample_is/2 (pointer encoding)"),
    )

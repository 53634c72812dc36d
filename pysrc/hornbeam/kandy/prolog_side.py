"""The Prolog of a dataset: the background knowledge, the true rules and the tools to ask, for plain `swipl`.

The files of kb/kandy and of prolog/kandy that a dataset needs are copied as they are, with the dataset's own domain in
place of the default one. Rules that came as text get a file like those of kb/kandy/tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.family import PrologSide
from hornbeam.kandy.curriculum import NamedRule, RuleText, Task
from hornbeam.kandy.logic import KandyLogic
from hornbeam.kandy.model import KandyConfig
from hornbeam.logic import String, to_text
from hornbeam.logic.terms import Compound, quote

FACT_PREDICATES = ("sample/5",)

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


def facts(sample: Sample) -> str:
    """The sample as a Prolog fact; the label of one that is published without is `none`."""
    symbolic: Any = sample.symbolic
    label = "none" if sample.label is None else "1" if sample.label else "0"
    return f"sample({quote(sample.id)},{quote(sample.task)},{quote(sample.split)},{label},{symbolic['prolog']}).\n"


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

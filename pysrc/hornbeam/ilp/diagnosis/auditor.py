"""The bias auditor: is the true theory in the space that a learner searches, and if not, what is missing?

>>> from hornbeam.tasks.bias import Bias, Mode
>>> bias = Bias(head=(Mode.parse("good(+card)"),), body=(Mode.parse("colour(+card, -colour)"),), max_body=1)
>>> for finding in audit_bias(Theory.parse("good(X) :- colour(X, red), big(X)."), bias).findings:
...     print(finding)
clause 1: constant: colour(X,red): place 2 of colour(+card,-colour) takes a variable, not the constant red: a mode with
#colour is missing
clause 1: declaration: big(X): no declaration of big/1 in bodies
clause 1: size: 2 body literals, and 1 is allowed
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.ilp import learner as learners
from hornbeam.ilp.diagnosis.placing import Placed, connected, helpers, place
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.runner import problem_of, settings_of
from hornbeam.logic.terms import Clause, Term, Var, to_text, variables
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import NETWORKS, NetworkTask, Problem
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, arguments, atom_of, indicator, is_negative

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


Said = tuple[str, str]  # the kind of a finding, and its text
Reached = Mapping[Indicator, set[Indicator]]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that keeps the truth out of a space. `clause` is None if it is the whole theory's."""

    clause: int | None
    kind: str  # head, declaration, mode, constant, type, unbound, size, variables, depth, recursion, negation, ...
    text: str

    def __str__(self) -> str:
        return f"clause {self.clause + 1}: {self.kind}: {self.text}" if self.clause is not None else self.text

    def to_json(self) -> dict[str, Json]:
        return {"clause": None if self.clause is None else self.clause + 1, "kind": self.kind, "text": self.text}


@dataclass(frozen=True, slots=True)
class Needs:
    """The least sizes that a space must have to hold the truth; depth as far as its literals have a place."""

    clauses: int
    max_body: int
    max_vars: int
    depth: int
    recursion: bool
    negation: bool
    invention: bool


@dataclass(frozen=True, slots=True)
class BiasAudit:
    """What was found for one learner, or for the bias itself."""

    learner: str
    findings: tuple[Finding, ...]
    needs: Needs
    note: str = ""

    @property
    def inside(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "learner": self.learner,
            "inside": self.inside,
            "missing": [finding.to_json() for finding in self.findings],
            "needs": asdict(self.needs),
            "note": self.note,
        }


def audit_space(problem: Problem, learner: Learner | None = None, settings: Settings | None = None) -> BiasAudit:
    """Whether the truth of a problem is in a learner's space, or without a learner in the bias of its task."""
    if isinstance(problem.task, NetworkTask):
        raise UsageError(f"the task {problem.task.name} has no bias to audit: its view is networks")
    if problem.truth is None:
        raise UsageError(f"the true theory of {problem.task.name} cannot be said in the language of this task")
    bias = problem.task.bias
    if learner is None:
        return audit_bias(problem.truth, bias)
    space = learner.space(bias, settings if settings is not None else learner.settings_type())
    return audit_bias(problem.truth, space, name=learner.name)


def audit_learners(
    dataset: Dataset,
    names: Sequence[str] | None = None,
    *,
    task: str | None = None,
    options: Mapping[str, str] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[BiasAudit]:
    """The audit of each learner that takes a view with a bias; of all that are here where none is named."""
    audits = []
    for name in names if names is not None else learners.names():
        try:
            learner = learners.get(name)
        except ImportError:
            continue
        if names is None and not set(learner.views) & set(dataset.family.learning_views) - {NETWORKS}:
            continue
        problem = problem_of(dataset, learner, task=task, options=options)
        if names is None and isinstance(problem.task, NetworkTask):
            continue
        audits.append(audit_space(problem, learner, settings_of(learner, (settings or {}).get(name, {}))))
    return audits


def audit_bias(truth: Theory, space: Space | Bias, *, name: str = "bias") -> BiasAudit:
    """What of the truth is outside of a space."""
    space = space if isinstance(space, Space) else Space(space)
    placed = [place(clause, space.bias) for clause in truth.clauses]
    own = set(helpers(truth.clauses, space.bias.targets))
    given = {mode.indicator for mode in space.bias.body}
    reached = _reached(truth)
    findings = [
        Finding(number, kind, text)
        for number, (clause, way) in enumerate(zip(truth.clauses, placed, strict=True))
        if indicator(clause.head) not in own & given
        for kind, text in _clause_findings(clause, way, space, own, reached)
    ]
    findings += [Finding(None, kind, text) for kind, text in _theory_findings(truth, space)]
    return BiasAudit(name, tuple(findings), _needs(truth, placed, space.bias, reached), space.note)


def _reached(truth: Theory) -> Reached:
    """The predicates that each predicate of a theory comes to call, itself included."""
    calls = {
        defined: {
            indicator(atom_of(literal))
            for clause in truth.clauses
            if indicator(clause.head) == defined
            for literal in clause.body
        }
        for defined in truth.defines
    }
    reached: dict[Indicator, set[Indicator]] = {}
    for start in calls:
        reached[start], waiting = {start}, [start]
        while waiting:
            new = calls.get(waiting.pop(), set()) - reached[start]
            reached[start] |= new
            waiting += new
    return reached


def _is_recursive(clause: Clause, literal: Term, reached: Reached) -> bool:
    """Whether a literal of a clause leads back to its head."""
    return indicator(clause.head) in reached.get(indicator(atom_of(literal)), ())


def _needs(truth: Theory, placed: list[Placed], bias: Bias, reached: Reached) -> Needs:
    return Needs(
        clauses=len(truth),
        max_body=max((len(clause.body) for clause in truth.clauses), default=0),
        max_vars=max((len(variables(clause)) for clause in truth.clauses), default=0),
        depth=max((way.placing.depth for way in placed), default=0),
        recursion=any(_is_recursive(clause, literal, reached) for clause in truth.clauses for literal in clause.body),
        negation=any(is_negative(literal) for clause in truth.clauses for literal in clause.body),
        invention=bool(helpers(truth.clauses, bias.targets)),
    )


def _clause_findings(
    clause: Clause, way: Placed, space: Space, own: set[Indicator], reached: Reached
) -> Iterator[Said]:
    """Helpers of the truth's own are a finding of the whole theory."""
    if indicator(clause.head) not in own:
        yield from _head_findings(clause, way, space.bias)
    for number, literal in enumerate(clause.body):
        if _is_recursive(clause, literal, reached):
            yield from _recursion_findings(literal, space)
        elif indicator(atom_of(literal)) not in own:
            yield from _declaration_findings(literal, space.bias)
        yield from _negation_findings(literal, space)
        for misfit in way.misfits.get(number, ()):
            yield (misfit.kind, f"{to_text(literal)}: {misfit.text}")
    yield from _size_findings(clause, way, space)
    yield from _restrictions(clause, way, space)


def _head_findings(clause: Clause, way: Placed, bias: Bias) -> Iterator[Said]:
    head = indicator(clause.head)
    if head not in bias.targets:
        yield ("head", f"no declaration of {_named(head)} in heads")
    for misfit in way.misfits.get(None, ()):
        yield (misfit.kind, f"{to_text(clause.head)}: {misfit.text}")


def _recursion_findings(literal: Term, space: Space) -> Iterator[Said]:
    if not (space.bias.recursion and space.recursion):
        who = "this learner" if space.bias.recursion else "the bias"
        yield ("recursion", f"{to_text(literal)}: {who} allows no recursion")


def _declaration_findings(literal: Term, bias: Bias) -> Iterator[Said]:
    predicate = indicator(atom_of(literal))
    if all(mode.indicator != predicate for mode in bias.body):
        yield ("declaration", f"{to_text(literal)}: no declaration of {_named(predicate)} in bodies")


def _negation_findings(literal: Term, space: Space) -> Iterator[Said]:
    if not is_negative(literal):
        return
    predicate = indicator(atom_of(literal))
    declared = [mode for mode in space.bias.body if mode.indicator == predicate]
    if not space.negation:
        yield ("negation", f"{to_text(literal)}: this learner writes no negation")
    elif declared and not any(mode.negated for mode in declared):
        yield ("negation", f"{to_text(literal)}: no declaration allows {_named(predicate)} under \\+")


def _size_findings(clause: Clause, way: Placed, space: Space) -> Iterator[Said]:
    bias, depth = space.bias, way.placing.depth
    constants = len(_constants_of(clause, way)) if space.counted_constants else 0
    beside = f" and {constants} constants, which count" if constants else ""
    for kind, what, count, most in (
        ("size", "body literals", len(clause.body), bias.max_body),
        ("variables", "variables", len(variables(clause)), bias.max_vars),
    ):
        if count + constants > most:
            yield (kind, f"{count} {what}{beside}, and {most} {_are(most)} allowed")
    if depth > bias.depth:
        far = ", ".join(name for name, layer in way.placing.depths.items() if layer > bias.depth)
        yield ("depth", f"{far}: {depth} calls away from the head, and {bias.depth} {_are(bias.depth)} allowed")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _named(predicate: Indicator) -> str:
    return f"{predicate[0]}/{predicate[1]}"


def _theory_findings(truth: Theory, space: Space) -> Iterator[Said]:
    bias = space.bias
    if bias.max_clauses is not None and len(truth) > bias.max_clauses:
        yield ("clauses", f"{len(truth)} clauses, and {bias.max_clauses} {_are(bias.max_clauses)} allowed")
    given = {mode.indicator for mode in bias.body}
    invented = [helper for helper in helpers(truth.clauses, bias.targets) if helper not in given]
    if invented and not (bias.invention and space.invention):
        names = ", ".join(map(_named, invented))
        yield (
            "invention",
            f"{names}: the true theory defines helper predicates; invention is not allowed",
        )


# What a learner cannot write in any clause, whatever the bias allows --------------------------------------------------


def _restrictions(clause: Clause, way: Placed, space: Space) -> Iterator[Said]:
    """What in a clause the learner of this space cannot write."""
    if not space.constants:
        yield from _constants(clause, way)
    if not (space.repeated_variables and space.repeated_head_variables):
        yield from _repeated([clause.head])
    if not space.repeated_variables:
        yield from _repeated(clause.body)
    if not space.unused_head_variables:
        yield from _unused(clause)
    if not space.unconnected:
        yield from _unconnected(clause)


def _constants_of(clause: Clause, way: Placed) -> set[str]:
    """The different constants that stand in the # places of a body, as text."""
    return {
        to_text(argument)
        for number, mode in way.placing.modes.items()
        for argument, place in zip(arguments(atom_of(clause.body[number])), mode.places, strict=True)
        if place.fill == "#"
    }


def _constants(clause: Clause, way: Placed) -> Iterator[Said]:
    used = [number for number, mode in way.placing.modes.items() if any(place.fill == "#" for place in mode.places)]
    if used:
        yield ("constant", f"{_listed(clause, used)}: this learner cannot use constants")


def _repeated(literals: Iterable[Term]) -> Iterator[Said]:
    for literal in literals:
        names = [argument.name for argument in arguments(atom_of(literal)) if isinstance(argument, Var)]
        if len(set(names)) < len(names):
            yield ("repeated", f"{to_text(literal)}: this learner cannot repeat a variable there")


def _unused(clause: Clause) -> Iterator[Said]:
    in_body = {name for literal in clause.body for name in variables(literal)}
    unused = [name for name in variables(clause.head) if name not in in_body]
    if unused and clause.body:
        yield ("unused", f"{', '.join(unused)}: this learner needs every head variable in the body")


def _unconnected(clause: Clause) -> Iterator[Said]:
    loose = set(range(len(clause.body))) - set(connected(clause))
    if loose:
        yield ("unconnected", f"{_listed(clause, loose)}: this learner needs every literal connected to the head")


def _listed(clause: Clause, numbers: Iterable[int]) -> str:
    return ", ".join(to_text(clause.body[number]) for number in sorted(numbers))

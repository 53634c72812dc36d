"""What each learner says of its space: a truth that it can hold, truths that it cannot, and whether that is so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hornbeam.ilp import learner as learners
from hornbeam.ilp.diagnosis import BiasAudit, audit_space
from hornbeam.ilp.runner import settings_of
from hornbeam.ilp.watch import Watch
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask, FactTask, Problem
from hornbeam.theory import Theory, as_facts

BODY = (
    *map(Mode.parse, ("q(+t)", "link(+t,-t)", "colour(+t,#c)", "shape(+t,#s)", "some(-t)")),
    Mode.parse("bad(+t)", negated=True),
)
LANGUAGE = Bias(
    (Mode.parse("p(+t)"),),
    BODY,
    {"c": ("red", "blue"), "s": ("square",)},
    max_body=3,
    max_vars=3,
    recursion=True,
    invention=True,
)
PAIRS = replace(LANGUAGE, head=(Mode.parse("p(+t,+t)"),), body=(*BODY, Mode.parse("edge(?t,?t)")))


def audit(name: str, truth: str, bias: Bias = LANGUAGE, **settings: Any) -> BiasAudit:
    learner = learners.get(name)
    task = (
        FactTask("t", (), bias)
        if learner.views[0] == "facts" and "examples" not in learner.views
        else ExampleTask("t", (), (), "", bias)
    )
    return audit_space(Problem(task, {}, Theory.parse(truth)), learner, settings_of(learner, settings))


def kinds(name: str, truth: str, bias: Bias = LANGUAGE, **settings: Any) -> list[str]:
    return [finding.kind for finding in audit(name, truth, bias, **settings).findings]


INVENTED = "p(X) :- h(X). h(X) :- q(X)."
NEGATED = "p(X) :- q(X), \\+ bad(X)."
RECURSIVE = "p(X) :- q(X). p(X) :- link(X, Y), p(Y)."
COLOURED = "p(X) :- link(X, Y), colour(Y, red)."
LOOSE = "p(X) :- q(X), some(Y), q(Y)."
UNUSED = "p(X) :- some(Y), q(Y)."
REPEATED = "p(X) :- link(X, X)."
PLAIN = "p(X) :- link(X, Y), q(Y)."

# By learner: truths that its space holds, and truths with what keeps them out.
SPACES: dict[str, tuple[list[str], dict[str, str]]] = {
    "mdie": ([PLAIN, NEGATED, RECURSIVE, COLOURED, LOOSE, UNUSED, REPEATED], {INVENTED: "invention"}),
    "lff": (
        [PLAIN, NEGATED, RECURSIVE, COLOURED, INVENTED],
        {LOOSE: "unconnected", REPEATED: "repeated", UNUSED: "unused"},
    ),
    "foil": (
        [PLAIN, RECURSIVE, COLOURED, REPEATED],
        {NEGATED: "negation", INVENTED: "invention", LOOSE: "unconnected", UNUSED: "unused"},
    ),
    "amie": (
        [PLAIN, RECURSIVE, REPEATED],
        {NEGATED: "negation", INVENTED: "invention", COLOURED: "constant", "p(X) :- q(X), some(Y).": "unconnected"},
    ),
    **dict.fromkeys(
        ("neural-lp", "drum", "ntp"),
        ([], {NEGATED: "negation", INVENTED: "invention", COLOURED: "constant", UNUSED: "unused"}),
    ),
    "aleph": (
        [PLAIN, RECURSIVE, COLOURED, LOOSE, UNUSED, REPEATED],
        {NEGATED: "negation", INVENTED: "invention"},
    ),
    "popper": (
        [PLAIN, RECURSIVE, COLOURED, INVENTED],
        {NEGATED: "negation", LOOSE: "unconnected", REPEATED: "repeated", UNUSED: "unused"},
    ),
}


@pytest.mark.parametrize(("name", "truth"), [(name, truth) for name, (inside, _) in SPACES.items() for truth in inside])
def test_what_a_space_holds(name: str, truth: str) -> None:
    assert kinds(name, truth) == []


@pytest.mark.parametrize(
    ("name", "truth", "kind"),
    [(name, truth, kind) for name, (_, outside) in SPACES.items() for truth, kind in outside.items()],
)
def test_what_a_space_lacks(name: str, truth: str, kind: str) -> None:
    assert kind in kinds(name, truth)


def test_each_built_in_learner_with_a_bias_was_asked() -> None:
    assert {*SPACES, "algebra", "r5", "ctp"} == set(learners.BUILT_IN)


@pytest.mark.parametrize("name", ["neural-lp", "drum", "ntp"])
def test_chains_are_paths_between_the_arguments_of_the_head(name: str) -> None:
    assert kinds(name, "p(X,Y) :- edge(X,Z), edge(Z,Y).", PAIRS) == []
    assert kinds(name, "p(X,Y) :- edge(Y,X).", PAIRS) == []
    assert kinds(name, "p(X,Y) :- edge(X,Z), edge(Z,Y).", PAIRS, max_body=1) == ["size"]
    assert "repeated" in kinds(name, "p(X,Y) :- edge(X,Y), edge(Y,Y).", PAIRS)
    assert "paths" in audit(name, "p(X,Y) :- edge(X,Y).", PAIRS).note


def test_settings_change_a_space() -> None:
    assert kinds("aleph", NEGATED, negation=True) == []
    assert kinds("lff", REPEATED, repeats=True) == []
    assert kinds("lff", "p(X,X) :- q(X).", PAIRS, repeats=True) == ["repeated"]
    assert kinds("lff", UNUSED, loose_head=True) == ["unconnected"]
    long = "p(X) :- q(X), link(X, Y), link(Y, Z)."
    assert (kinds("amie", long), kinds("amie", long, max_body=3)) == (["size"], [])
    assert (kinds("foil", long), kinds("foil", long, max_body=2)) == ([], ["size"])
    assert "every variable" in audit("amie", PLAIN, existential=False).note


def test_the_sizes_of_popper() -> None:
    """A constant is a literal and a variable; two more are allowed than the bias says, if there are constants."""
    three = "p(X) :- link(X, Y), colour(X, red), colour(Y, blue), shape(Y, square)."
    assert kinds("popper", three) == ["size"]
    assert kinds("popper", three, constants=4) == []
    assert "which count" in str(audit("popper", three).findings[0])
    assert "2 more" in audit("popper", three).note
    plain = replace(LANGUAGE, body=BODY[:2], constants={})
    assert kinds("popper", "p(X) :- link(X, Y), link(Y, Z), q(Z), q(X).", plain) == ["size"]
    unlisted = replace(LANGUAGE, constants={"s": ("square",)})
    assert kinds("popper", COLOURED, unlisted) == ["constant"]


def test_the_clauses_of_popper() -> None:
    """They are bounded where they call one another, and by two if nothing is said; else not at all."""
    three = "p(X) :- q(X). p(X) :- colour(X, red). p(X) :- link(X, Y), q(Y)."
    assert kinds("popper", three) == ["clauses"]
    assert kinds("popper", three, replace(LANGUAGE, max_clauses=3)) == []
    flat = replace(LANGUAGE, recursion=False, invention=False, max_clauses=1)
    assert kinds("popper", three, flat) == []
    assert kinds("mdie", three, flat) == ["clauses"]


def test_directions_are_all_or_none_for_popper_and_nothing_to_amie() -> None:
    backwards = "p(X) :- link(Y, X), q(Y)."
    assert set(kinds("popper", backwards)) == {"unbound"}
    assert kinds("popper", backwards, replace(LANGUAGE, body=(*BODY, Mode.parse("edge(?t,?t)")))) == []
    assert set(kinds("mdie", backwards)) == {"unbound"}
    assert kinds("amie", backwards) == []


def test_constants_in_heads() -> None:
    head = replace(LANGUAGE, head=(Mode.parse("p(+t,#c)"),))
    truth = "p(X, red) :- q(X)."
    found = {name: kinds(name, truth, head) for name in ("mdie", "lff", "aleph", "foil", "popper")}
    assert found == {"mdie": [], "lff": [], "aleph": [], "foil": ["constant"], "popper": ["constant"]}


def test_helpers_are_no_recursion_and_targets_may_call_each_other() -> None:
    bias = Bias((Mode.parse("p(+t)"), Mode.parse("r(+t)")), (Mode.parse("q(+t)"), Mode.parse("r(+t)")), invention=True)
    assert not audit("lff", INVENTED, bias).needs.recursion
    assert audit("lff", RECURSIVE).needs.recursion
    assert kinds("mdie", "p(X) :- r(X). r(X) :- q(X).", bias) == []
    assert kinds("mdie", "p(X) :- r(X). r(X) :- p(X).", bias) == ["recursion", "recursion"]


# Whether it is so -----------------------------------------------------------------------------------------------------

WORLD = """
q(a). q(b). q(c). q(d). bad(b). bad(d). bad(e). colour(a,red). colour(c,red). colour(b,blue). colour(e,red).
link(a,a). link(c,c). link(b,a). link(d,c). link(e,b). some(a).
"""


@pytest.mark.parametrize(
    ("name", "truth"),
    [(name, truth) for name in ("mdie", "lff") for truth in (NEGATED, REPEATED)] + [("foil", REPEATED)],
)
def test_a_learner_finds_what_it_can_hold_and_nothing_else(name: str, truth: str) -> None:
    """Of both truths the positives are a and c; each is asked for in a language in which only it is right."""
    mode = BODY[-1] if truth == NEGATED else Mode.parse("link(+t,+t)")
    bias = Bias(LANGUAGE.head, (mode, BODY[0]), max_body=2, max_vars=1)
    atoms = [Theory.parse(text).heads for text in ("p(a). p(c).", "p(b). p(d). p(e).")]
    learner = learners.get(name)
    for settings in ({}, {"repeats": True}) if name == "lff" else ({},):
        chosen = settings_of(learner, settings)
        task = ExampleTask("t", *atoms, "".join(f"{fact}.\n" for fact in as_facts(WORLD)), bias, facts=True)
        theory = learner.fit(task, chosen, Watch())
        found = audit_space(Problem(task, {}, Theory.parse(truth)), learner, chosen)
        assert found.inside == (len(theory) == 1), theory

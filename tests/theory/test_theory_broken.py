"""Broken and huge theories get an answer or a clear error, within their limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hornbeam.cli import theories
from hornbeam.errors import HornbeamError, PrologSyntaxError, UsageError
from hornbeam.logic.terms import Compound
from hornbeam.theory import Budget, NotDatalog, Theory, compare, diff, herbrand_model

TRUE = "p(X,Y) :- q(X,Z), r(Z,Y).\n"
FACTS = "q(a,b).\nr(b,c).\n"


def test_an_unsafe_rule_ranges_over_all_constants() -> None:
    made = diff(TRUE, "p(X,Y) :- q(X,_).", facts=FACTS)
    assert made.comparison is not None and (made.comparison.tp, made.comparison.fp) == (1, 2)
    assert any("ranges over all constants: p(X,Y) :- q(X,_)." in note for note in made.notes)


def test_an_undefined_predicate_is_named() -> None:
    with pytest.raises(UsageError, match=r"calls nope/1, which is undefined"):
        diff(TRUE, "p(X,Y) :- q(X,Y), nope(Y).", facts=FACTS)


def test_left_recursion_and_mutual_recursion() -> None:
    learned = "p(X,Y) :- p(X,Z), p(Z,Y). p(X,Y) :- s(Y,X). s(X,Y) :- p(Y,X). p(X,Y) :- q(X,Y)."
    assert diff(TRUE, learned, facts=FACTS).facts is not None


def test_negation_through_a_cycle_is_a_clear_note() -> None:
    made = diff(TRUE, "p(X,Y) :- q(X,Y), \\+ s(X,Y). s(X,Y) :- q(X,Y), \\+ p(X,Y).", facts=FACTS)
    assert made.comparison is None and made.equivalence.verdict is None
    assert any("runs through a cycle" in note for note in made.notes)


def test_a_list_program_on_facts_is_a_clear_note() -> None:
    made = diff("p([X|T]) :- q(X), p(T).", "p([X|T]) :- q(X).", facts="q(a).")
    assert any("compound term" in note for note in made.notes)
    with pytest.raises(NotDatalog, match="compound term"):
        herbrand_model(Theory.parse("p(f(X)) :- q(X)."), [])


def test_a_cross_product_of_millions_keeps_to_its_budget() -> None:
    facts = [Compound("q", (f"c{n}", f"c{n + 1}")) for n in range(3000)]
    made = diff(TRUE, "p(X,Y) :- q(X,_), q(_,Y).", facts=facts, budget=Budget(seconds=1))
    assert any("not evaluated on the facts" in note and "1 s" in note for note in made.notes)
    assert made.equivalence.verdict is False


def test_a_cross_product_that_only_tests_existence_is_no_product() -> None:
    """Independent parts are projected: this would be 4e14 instances."""
    facts = [Compound("q", (f"c{n}", f"d{n}")) for n in range(2000)]
    learned = Theory.parse("p(X,Y) :- q(X,Y), q(A,B), q(B,C), q(D,E), q(E,F), q(G,H), q(H,I).")
    facts += [Compound("q", ("d1", "c2"))]
    assert compare(Theory.of([]), learned, facts, effects=False).tp == 0
    assert compare(Theory.parse("p(X,Y) :- q(X,Y)."), learned, facts, effects=False).tp == 2001


@pytest.mark.slow
def test_ten_thousand_clauses() -> None:
    one = "\n".join(f"p{n % 7}(X,Y) :- q{n}(X,Z), r{n % 30}(Z,Y)." for n in range(10_000))
    other = "\n".join(f"p{n % 7}(X,Y) :- q{n}(X,Z), r{n % 31}(Z,Y)." for n in range(10_000))
    made = diff(one, other, facts="q1(a,b). r1(b,c). r30(d,e).")
    assert made.comparison is not None and made.comparison.tp == 1
    assert not made.alignment.complete and any("too large" in note for note in made.notes)
    assert made.equivalence.verdict is None and 0.5 < made.rules.r_score < 1


def test_two_thousand_clauses_of_itself() -> None:
    text = "\n".join(f"p{n % 7}(X,Y) :- q{n}(X,Z), r{n % 30}(Z,Y)." for n in range(2000))
    assert diff(text, text).empty


def test_an_empty_learned_theory() -> None:
    made = diff(TRUE, "", facts=FACTS)
    assert made.alignment.missing == (0,) and made.facts is not None and made.facts.h_score == 0
    assert made.missing_facts[0].broken == ()


# The command --------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {"true": TRUE, "learned": "p(A,B) :- q(A,C), r(B,C).\n", "facts": FACTS, "bad": "p(X) :- q(X.\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.pl").write_text(text)
    return {name: str(tmp_path / f"{name}.pl") for name in texts}


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(theories.app, list(arguments))


def test_command_prints_text_json_and_a_page(files: dict[str, str], tmp_path: Path) -> None:
    page = tmp_path / "diff.html"
    done = _run("diff", files["true"], files["learned"], "--facts", files["facts"], "--html", str(page))
    assert done.exit_code == 0 and f"--- {files['true']}" in done.stdout
    assert "<!doctype html>" in page.read_text()
    done = _run("diff", files["true"], files["learned"], "--facts", files["facts"], "--json")
    import json

    assert json.loads(done.stdout)["scores"]["h_score"] == 0


def test_command_help_has_an_example() -> None:
    assert "Example: hornbeam diff " in _run("diff", "--help").stdout
    assert "Example: hornbeam score " in _run("score", "--help").stdout


def test_command_names_file_and_line_of_a_syntax_error(files: dict[str, str]) -> None:
    done = _run("diff", files["true"], files["bad"])
    assert isinstance(done.exception, PrologSyntaxError)
    assert str(done.exception).startswith(f"{files['bad']}:1:")


def test_command_refuses_facts_and_dataset_together(files: dict[str, str]) -> None:
    done = _run("diff", files["true"], files["learned"], "--facts", files["facts"], "--dataset", ".")
    assert isinstance(done.exception, HornbeamError) and "only the learned theory" in str(done.exception)


def test_score_keeps_rows_of_failures(files: dict[str, str]) -> None:
    import json

    done = _run("score", files["true"], files["learned"], files["bad"], "--facts", files["facts"], "--json")
    made = json.loads(done.stdout)
    assert [row["status"][:6] for row in made["rows"]] == ["ok", "failed"]
    assert made["means"]["count"] == {"all": 2, "finished": 1}

"""Hostile goals: whatever is asked of a dataset, nothing outside its process is touched, and it goes on answering."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.errors import HaltRefused, HornbeamError, LimitExceeded, PrologError
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.bridges import contained
from tests.hostile.canaries import Canaries
from tests.hostile.corpus import Attack, goals

LIMITS = Limits(seconds=0.2, stack=48 << 20, answers=1000)
SHOWN = (
    "odd_c1",
    "odd_bidi",
    "odd_esc",
    "odd_hyper",
    "odd_return",
    "odd_nan",
    "throw_esc",
    "throw_new",
    "throw_unwind_h",
)
SECTIONS = {aim: list(attacks) for aim, attacks in itertools.groupby(goals(), lambda attack: attack.aim)}


def outcome(prolog: Prolog, goal: str) -> tuple[str, str]:
    """What became of a goal, in one word, and all that was said."""
    try:
        answers = prolog.all(goal, limits=LIMITS)
    except HornbeamError as error:
        return _kind(error), f"{type(error).__name__}: {error} {getattr(error, 'term', '')}"
    except KeyboardInterrupt:
        return "interrupt", "KeyboardInterrupt"
    except Exception as error:
        return "internal", f"{type(error).__name__}: {error}"
    return ("answered" if answers else "failed"), repr(answers)


def _kind(error: HornbeamError) -> str:
    if isinstance(error, LimitExceeded):
        return "limit"
    if isinstance(error, HaltRefused):
        return "halt"
    return "exception" if isinstance(error, PrologError) else "usage"


ALLOWED = {
    "refused": {"exception", "failed", "halt", "limit"},
    "own": {"exception"},
    "limit": {"limit"},
    "harmless": {"answered", "failed", "exception", "halt", "limit", "usage"},
}


@pytest.fixture(autouse=True)
def _little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A goal that does not heed its limit is ended from outside; tests need not wait long for that."""
    monkeypatch.setattr(contained, "_GRACE", 0.3)


@pytest.mark.parametrize("aim", SECTIONS)
def test_goals(aim: str, dataset_folder: Path, birds: Canaries) -> None:
    """No goal touches a canary, each ends as its section says, and the next goal is answered as ever."""
    wrong = []
    prolog = hornbeam.load(dataset_folder).prolog()
    with prolog:
        for attack in SECTIONS[aim]:
            wrong += _attacked(prolog, attack, birds)
    wrong += [("at the end", event) for event in birds.touched()]
    assert not wrong, _listed(wrong)


def _listed(wrong: list[tuple[str, str]]) -> str:
    return "\n".join(f"{name}: {event}" for name, event in wrong)


def _attacked(prolog: Prolog, attack: Attack, birds: Canaries) -> list[tuple[str, str]]:
    kind, said = outcome(prolog, attack.filled(birds.places(attack.name)).text)
    wrong = [(attack.name, event) for event in birds.touched(said)]
    if kind not in ALLOWED[attack.outcome]:
        wrong.append((attack.name, f"{kind}, not {attack.outcome}: {said[:200]}"))
    if attack.alone and not said.startswith("NotAllowed"):
        prolog.close()  # it may have broken its own process; the next call starts another and loads the dataset
    answer = outcome(prolog, "sample(s000000, Task, _, _, _), X is 6 * 7")
    if answer != ("answered", "[{'Task': 'ancestor', 'X': 42}]"):
        wrong.append((attack.name, f"afterwards: {answer}"))
    return wrong


def _at_the_command(
    attack: Attack, dataset: Path, birds: Canaries, capsys: pytest.CaptureFixture[str]
) -> list[tuple[str, str]]:
    goal = attack.filled(birds.places(attack.name)).text
    code = run(["query", str(dataset), "--timeout", "0.2", "--limit", "1000", "--", goal])
    printed = "".join(capsys.readouterr())
    wrong = [(attack.name, event) for event in birds.touched(printed)]
    expected = {"refused": (0, 1, 2), "own": (1, 2), "limit": (1,), "harmless": (0, 1, 2)}[attack.outcome]
    if code not in expected or "internal error" in printed or "Traceback" in printed:
        wrong.append((attack.name, f"exit code {code}: {printed[:200]}"))
    raw = {character for character in printed if ord(character) < 32 and character not in "\n\t"} | {
        character for character in printed if character in "\x7f\x9b\x9d\u202e\u2066\u200f"
    }
    if raw:
        wrong.append((attack.name, f"printed control characters: {raw}"))
    return wrong


def test_goals_at_the_command(dataset_folder: Path, birds: Canaries, capsys: pytest.CaptureFixture[str]) -> None:
    """`hornbeam query` with the first goals of each section, and all whose answer is odd or an exception is forged."""
    chosen = [attack for attacks in SECTIONS.values() for attack in attacks[:1]]
    chosen += [attack for attack in goals() if attack.name.startswith(SHOWN)]
    wrong = [event for attack in chosen for event in _at_the_command(attack, dataset_folder, birds, capsys)]
    assert not wrong, _listed(wrong)


@pytest.mark.slow
def test_every_goal_at_the_command(dataset_folder: Path, birds: Canaries, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [event for attack in goals() for event in _at_the_command(attack, dataset_folder, birds, capsys)]
    assert not wrong, _listed(wrong)

"""Hostile Prolog in files: loading a dataset or a theory of others runs nothing, reads nothing and writes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.errors import HornbeamError
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.bridges import contained
from tests.hostile.canaries import Canaries
from tests.hostile.corpus import Attack, files
from tests.hostile.planting import planted

WAYS = ("load.pl", "facts.pl", "theory.pl", "background.pl", "prolog/session.pl")
LIMITS = Limits(seconds=0.3, stack=48 << 20, answers=20)
# What calls the hooks and predicates that a file may have put in the way.
TRIGGERS = (
    "go", "go(_)", "print(x)", "print(f(X))", "atom_length(X, Y)", "nowhere_defined(1)", "sample(Id, _, _, _, _)",
    "true_answer(s000000, A)", "mine_answer(s000000, A)", "judged(s000000, A)", "explain_truth(s000000)",
    "help_dataset", "format('~p', [x])", "X is foo + 1", "throw(x)", "p(X)", "q",
    "throw(error(type_error(evil, x), _))", "x", "x(T)", "truth:ancestor(s000000, X, Y)", "X = f(Y), copy_term(X, Z)",
    "freeze(X, true)", "halt",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that does not load in time is given up; tests need not wait long for that."""
    monkeypatch.setattr(contained, "_GRACE", 0.3)
    monkeypatch.setattr(contained, "_DEFAULT_SECONDS", 2.0)


def listed(wrong: list[tuple[str, str]]) -> str:
    return "\n".join(f"{name}: {event}" for name, event in wrong)


def asked(prolog: Prolog) -> str:
    """All that is said when every trigger is asked."""
    said = []
    for goal in TRIGGERS:
        try:
            said.append(repr(prolog.all(goal, limits=LIMITS)))
        except HornbeamError as error:
            said.append(f"{error} {getattr(error, 'term', '')}")
    return "\n".join(said)


def test_files(dataset_folder: Path, birds: Canaries, tmp_path: Path) -> None:
    """Loading each file touches no canary, nor does any goal afterwards; what must not be loaded is refused."""
    wrong = []
    with hornbeam.load(dataset_folder).prolog() as prolog:
        for attack in files():
            file = tmp_path / f"{attack.name}.pl"
            text = attack.filled(birds.places(attack.name)).text
            file.write_bytes(text.encode("utf-8", "surrogatepass"))
            try:
                prolog.load(file, strict=False)
                if attack.outcome == "refused":
                    wrong.append((attack.name, "was loaded"))
                said = asked(prolog)
                prolog.unload("user")
                prolog.close()
            except HornbeamError as error:
                said = str(error)
            wrong += [(attack.name, event) for event in birds.touched(said)]
            if said.count("treasure") and attack.name.startswith("include"):
                wrong.append((attack.name, f"tells of the file: {said[:200]}"))
            assert prolog.ask("X is 6 * 7, X == 42"), attack.name
    assert not wrong, listed(wrong)


def with_attack(dataset: Path, way: str, attack: Attack, birds: Canaries, copy: Path) -> Path:
    return planted(dataset, copy, {way: attack.filled(birds.places(attack.name)).text})


def wrong_of(arguments: list[str], attack: Attack, birds: Canaries, printed: pytest.CaptureFixture[str]) -> list[str]:
    """What a command did that it must not do."""
    printed.readouterr()
    code = run(arguments)
    said = "".join(printed.readouterr())
    events = birds.touched(said)
    if code not in (0, 1, 2) or "internal error" in said or "Traceback" in said:
        events.append(f"exit code {code}: {said[:300]}")
    return [f"{' '.join(arguments[:1])}: {event}" for event in events]


# The escapes of the issue, and one of each other kind, at the command itself.
NAMED = (
    "directive_shell", "if_shell", "elif_shell", "table_po", "table_lattice", "table_lattice_own", "hook_portray",
    "hook_portray_plain", "hook_message", "hook_message_plain", "hook_exception", "hook_exception_declared",
    "directive_freeze", "directive_freeze_data", "directive_frozen_and", "directive_foldl_built",
    "directive_foldl_partial", "directive_message", "hook_search_path", "hook_search_path_declared", "initialization",
    "hook_mine_portray", "include_secret", "use_module_secret", "term_expansion_user", "hook_sandbox_primitive",
    "body_true_answer", "body_judged", "body_help", "directive_in_module",
)  # fmt: skip
COMMANDS = (["query", "{}", "sample(X, _, _, _, _)"], ["check", "{}"], ["explain", "{}", "s000000"])


def test_files_at_the_command(
    dataset_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The named escapes in a dataset's file, each in another, with the commands that load them."""
    chosen = [attack for attack in files() if attack.name in NAMED]
    assert len(chosen) == len(NAMED)
    wrong = []
    for number, attack in enumerate(chosen):
        way = WAYS[number % len(WAYS)]
        copy = with_attack(dataset_folder, way, attack, birds, tmp_path / f"{attack.name}-{number}")
        for command in COMMANDS:
            arguments = [part.replace("{}", str(copy)) for part in command]
            wrong += [(f"{attack.name} in {way}", event) for event in wrong_of(arguments, attack, birds, capsys)]
        shutil.rmtree(copy)
    assert not wrong, listed(wrong)


def _theories(
    attacks: list[Attack], dataset: Path, birds: Canaries, folder: Path, printed: pytest.CaptureFixture[str]
) -> list[tuple[str, str]]:
    """Each text in a theory, in facts and in background knowledge that are compared, scored or judged."""
    wrong = []
    good = "ancestor(T, X, Y) :- parent(T, X, Y).\n"
    true, facts = folder / "true.pl", folder / "facts.pl"
    true.write_text(good)
    facts.write_text("parent(t, a, b).\n")
    for attack in attacks:
        theory = folder / f"{attack.name}.pl"
        text = good + attack.filled(birds.places(attack.name)).text
        theory.write_bytes(text.encode("utf-8", "surrogatepass"))
        for arguments in (
            ["diff", str(theory), "--dataset", str(dataset), "--fresh", "5"],
            ["judge", str(dataset), str(theory), "--as", "theory", "--fresh", "5"],
            ["diff", str(true), str(theory), "--facts", str(facts)],
            ["diff", str(true), str(true), "--facts", str(theory)],
            ["diff", str(true), str(true), "--facts", str(facts), "--background", str(theory)],
            ["score", str(true), str(theory), "--facts", str(facts)],
        ):
            wrong += [(attack.name, event) for event in wrong_of(arguments, attack, birds, printed)]
    return wrong


def test_theories_at_the_command(
    dataset_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some of the named escapes in a theory that is compared or judged."""
    chosen = [attack for attack in files() if attack.name in NAMED][::6]
    wrong = _theories(chosen, dataset_folder, birds, tmp_path, capsys)
    assert not wrong, listed(wrong)


@pytest.mark.slow
def test_every_theory_at_the_command(
    dataset_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = _theories(list(files()), dataset_folder, birds, tmp_path, capsys)
    assert not wrong, listed(wrong)


PRESETS = {"clutrr": "tiny", "graphlog": "tiny", "rudas": "xs", "star": "rcc8-small", "kandy": "tour"}
EVERY = (
    ["query", "{}", "sample(X, _, _, _, _)"], ["check", "{}"], ["audit", "{}"], ["show", "{}", "--out", "{}.html"],
    ["explain", "{}", "ID"], ["export", "{}", "{}-out", "--to", "csv"], ["query", "{}", "score"],
)  # fmt: skip


PARTS = 3  # each is a test of its own, so that a long run can be continued


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("family", PRESETS)
def test_every_file_in_every_family(
    family: str, part: int, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file in the next of the dataset's Prolog files, with the next command and with `query`."""
    dataset = hornbeam.generate(family, PRESETS[family], out=tmp_path / "made", seed=3)
    ways = sorted(name for name in dataset.manifest.files if name.endswith(".pl"))
    wrong = []
    for number, attack in list(enumerate(files()))[part::PARTS]:
        way = ways[number % len(ways)]
        copy = with_attack(dataset.path, way, attack, birds, tmp_path / "copy")
        for command in (EVERY[0], EVERY[1 + number % (len(EVERY) - 1)]):
            arguments = [part.replace("{}", str(copy)) for part in command]
            arguments = [dataset.samples[0].id if part == "ID" else part for part in arguments]
            wrong += [(f"{attack.name} in {way}", event) for event in wrong_of(arguments, attack, birds, capsys)]
        for left in tmp_path.glob("copy*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    assert not wrong, listed(wrong)

"""A dataset in Prolog: contained, and in plain swipl without a warning."""

from __future__ import annotations

import subprocess

from hornbeam.data.dataset import Dataset
from hornbeam.family import get
from hornbeam.graphlog import figures
from hornbeam.logic import Prolog, swipl


def test_every_row_is_resolved_to_its_label(tiny: Dataset) -> None:
    with tiny.prolog() as prolog:
        false = prolog.all("sample(Id, _, _, Label, _), \\+ ( resolve(Id, R, _), R == Label )")
        other = prolog.all("sample(Id, _, _, Label, _), resolve(Id, R, _), R \\== Label")
        assert (false, other) == ([], [])


def test_all_that_follows_in_a_graph_is_the_label(noisy: Dataset) -> None:
    with noisy.prolog() as prolog:
        goal = "sample(Id, W, test, L, graph(X,Y,_,_)), findall(M, linked(Id, W, X, M, Y), _Found), _Found \\== [L]"
        assert prolog.all(goal) == []


def test_resolve_gives_path_and_rules(tiny: Dataset) -> None:
    sample = next(sample for sample in tiny.test if len(sample.proof["path"]) > 3)  # type: ignore[index,call-overload,arg-type]
    answer = tiny.query(f"resolve('{sample.id}', R, how(Path, Rules, _))")[0]
    assert answer["R"] == sample.label
    assert answer["Path"] == sample.proof["path"]  # type: ignore[index,call-overload]
    assert len(answer["Rules"]) == len(answer["Path"]) - 2  # type: ignore[arg-type]


def test_the_rules_are_those_of_the_worlds(tiny: Dataset) -> None:
    rows = [(row["W"], row["A"], row["B"], row["H"]) for row in tiny.query("rule(W, N, A, B, H)")]
    worlds = [known.world for known in figures.worlds(tiny).values()]
    assert rows == [(world.name, rule.first, rule.second, rule.head) for world in worlds for rule in world.rules]


def test_a_world_is_a_file_of_plain_clauses(tiny: Dataset) -> None:
    world = figures.worlds(tiny)["rule_0"].world
    rule = world.rules[0]
    text = tiny.file("worlds/rule_0.pl").read_text()
    edges = f"'{rule.first}'(a, b).\n'{rule.second}'(b, c).\n"
    names = {label for found in world.rules for label in (*found.body, found.head)} | set(dict(world.inverses))
    tables = "".join(f":- table '{name}'/2.\n" for name in sorted(names))
    prolog = Prolog()
    prolog.load_text(":- style_check(-discontiguous).\n" + tables + text + edges, "graphlog_clauses", strict=False)
    inverse = dict(world.inverses)[rule.head]
    assert prolog.ask(f"'{rule.head}'(a, c)", module="graphlog_clauses")
    assert prolog.ask(f"'{inverse}'(c, a)", module="graphlog_clauses")
    assert not prolog.ask(f"'{rule.head}'(c, a)", module="graphlog_clauses")
    prolog.unload("graphlog_clauses")


def test_the_queries_of_the_banner_have_answers(tiny: Dataset) -> None:
    with tiny.prolog() as prolog:
        for goal, _ in get("graphlog").prolog_side(tiny.config).queries:
            assert prolog.once(goal) is not None


def test_plain_swipl_loads_it_without_a_warning(tiny: Dataset, compat: Dataset) -> None:
    resolved = "sample(I,_,_,L,_), once(resolve(I,L,_))"
    for dataset, counted in ((tiny, resolved), (compat, "sample(_,_,_,_,_)")):
        goal = f"aggregate_all(count, ({counted}), N), format('~n~d~n', [N])"
        done = subprocess.run(
            [swipl.find().executable, "-q", "-f", "none", "-g", goal, "-t", "halt", str(dataset.path / "load.pl")],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert int(done.stdout.split()[-1]) == len(dataset.samples)

"""What holds of every sample of a dataset, and what stands on disk."""

from __future__ import annotations

import ast
import csv
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam import resources
from hornbeam.cli.app import invoke
from hornbeam.clutrr.clauses import hold_out, of_length
from hornbeam.clutrr.knowledge import engine, load
from hornbeam.clutrr.original import COLUMNS, HUB_COLUMNS, HUB_LABELS
from hornbeam.clutrr.record import Record
from hornbeam.clutrr.show import family_svg
from hornbeam.data.dataset import Dataset
from hornbeam.logic import Prolog, swipl

THEORY = load()


def parsed(stories: list[str], packs: list[str]) -> list[Any]:
    prolog = Prolog()
    prolog.load(resources.prolog("clutrr", "reading.pl"))
    answer = prolog.once("stories_parts(T, S, R)", given={"T": packs, "S": stories}, module="clutrr_reading")
    assert answer is not None
    readings: Any = answer["R"]
    return [sorted(fact for _, facts in parts for fact in facts) for parts in readings]


def test_every_story_reads_back_to_exactly_its_facts(tiny: Dataset) -> None:
    records = [Record.of(sample) for sample in tiny.samples]
    read = parsed([record.sample.input["story"] for record in records], ["base"])  # type: ignore[index,call-overload]
    for record, facts in zip(records, read, strict=True):
        assert facts == sorted(map(list, record.facts)), record.sample.id


@pytest.mark.parametrize("entities", ["plain", "anonymous"])
def test_stories_of_other_names_read_back_too(entities: str, tmp_path: Path) -> None:
    changes = {"story.entities": entities, "train": '{"5.3": 66}', "valid": "{}", "test": '{"1.5": 22}'}
    made = hornbeam.generate("clutrr", "tiny", out=tmp_path / "d", seed=3, overrides=changes)
    records = [Record.of(sample) for sample in made.samples]
    read = parsed([record.sample.input["story"] for record in records], ["base"])  # type: ignore[index,call-overload]
    assert read == [sorted(map(list, record.facts)) for record in records]
    if entities == "anonymous":
        assert all(name.startswith("@ent") for record in records for name in record.names)


def test_every_printed_proof_is_valid_step_by_step(tiny: Dataset) -> None:
    records = [Record.of(sample) for sample in tiny.samples]

    def neutral(fact: tuple[str, str, str]) -> list[str]:
        return [THEORY.names[THEORY.of_word(fact[0])[0]], fact[1], fact[2]]

    proofs = [
        [
            list(map(neutral, record.story_facts)),
            [list(map(neutral, step)) for step in record.proof],
            neutral((str(record.sample.label), *record.query)),
        ]
        for record in records
    ]
    answer = engine().once("valid_steps(T, P, V)", given={"T": ["base"], "P": proofs}, module="clutrr_kin")
    assert answer is not None and answer["V"] == ["ok"] * len(records)


def test_no_story_states_its_answer_and_names_are_unique(tiny: Dataset) -> None:
    for record in map(Record.of, tiny.samples):
        stated = {frozenset((person, other)) for _, person, other in record.facts}
        assert frozenset(record.query) not in stated
        assert len(set(record.names)) == len(record.names)
        assert len({member.name for member in record.family}) == len(record.family)


def test_words_agree_with_genders(tiny: Dataset) -> None:
    for record in map(Record.of, tiny.samples):
        gender = dict(zip(record.names, record.genders, strict=True))
        for word, _, other in [*record.facts, (str(record.sample.label), *record.query)]:
            assert gender[other] in THEORY.of_word(word)[1]


def test_check_confirms_every_sample(tiny: Dataset) -> None:
    check = hornbeam.check(tiny)
    assert check.ok and check.samples == 220


def test_answers_are_uniform(tiny: Dataset) -> None:
    for split in ("train", "test"):
        for task in ("1.2", "1.3"):
            counts = Counter(str(sample.label) for sample in tiny.split(split).task(task))
            assert set(counts) == set(THEORY.labels())
            assert len(set(counts.values())) == 1


def test_a_tenth_of_the_clauses_is_held_out(tiny: Dataset) -> None:
    clauses = of_length(THEORY, tiny.config.family, 3)
    held_out = {"-".join(clause.body) for clause in hold_out(clauses, 0.1, 7, 3)}
    assert len(hold_out(clauses, 0.1, 7, 3)) == round(len(clauses) / 10)
    trained = {record.sample.symbolic["pattern"] for record in map(Record.of, tiny.train) if record.length == 3}  # type: ignore[index,call-overload]
    tested = {record.sample.symbolic["pattern"] for record in map(Record.of, tiny.test) if record.length == 3}  # type: ignore[index,call-overload]
    assert not trained & held_out
    assert tested <= held_out


def test_a_fifth_of_the_phrasings_is_held_out(tiny: Dataset) -> None:
    from hornbeam.clutrr.story import kinds, own_phrasings

    train, test = own_phrasings("train", 0.2), own_phrasings("test", 0.2)
    for kind, phrasings in kinds().items():
        assert len(test[kind]) * 5 == len(phrasings)
        assert not set(train[kind]) & set(test[kind])
    used = {split: {p for s in tiny.split(split) for p in s.symbolic["phrasings"]} for split in ("train", "test")}  # type: ignore[index,call-overload,union-attr]
    assert used["train"] and used["test"] and not used["train"] & used["test"]


def test_the_audit_of_our_own_finds_nothing(tiny: Dataset) -> None:
    audit = hornbeam.audit(tiny)
    assert (audit.derivable, audit.unique, audit.duplicates) == (1.0, 1.0, 0)
    assert not any(audit.leaks.values())
    rows: Any = audit.details["rows"]
    assert rows.pop("not derivable by the paper's rules")  # theirs lack many of our rules
    assert not any(rows.values())


# On disk --------------------------------------------------------------------------------------------------------------


def test_csv_files_have_the_columns_and_values_of_the_original(tiny: Dataset) -> None:
    with tiny.file("original/1.2,1.3,5.3_train.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["", *COLUMNS]
    assert [row[0] for row in rows[1:]] == [str(number) for number in range(110)]
    for cells in rows[1:]:
        row = dict(zip(rows[0], cells, strict=True))
        edges, types = ast.literal_eval(row["story_edges"]), ast.literal_eval(row["edge_types"])
        assert len(edges) == len(types)  # noise edges have types too
        names = [entry.partition(":")[0] for entry in row["genders"].split(",")]
        query = ast.literal_eval(row["query_edge"])
        assert ast.literal_eval(row["query"]) == (names[query[0]], names[query[1]])
        proof = ast.literal_eval(row["proof_state"])
        for step in proof:
            ((whole, (first, second)),) = step.items()
            for person, word, other in (whole, first, second):  # the original's order
                assert person in names and other in names and word in THEORY.labels()
        ((answer, _),) = proof[0].items()
        assert answer == (names[query[0]], row["target"], names[query[1]])
        assert re.fullmatch(r"task_[15]\.[23]", row["task_name"])
        assert sorted(ast.literal_eval(row["node_mapping"]).values()) == list(range(len(names)))
        assert ast.literal_eval(row["text_target"])[0].startswith("[")


def test_hugging_face_layout(tiny: Dataset) -> None:
    card = tiny.file("huggingface/README.md").read_text()
    assert "split: validation" in card and "path: validation.csv" in card
    with tiny.file("huggingface/test.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == HUB_COLUMNS
    assert all(HUB_LABELS[int(row["target"])] == row["target_text"] for row in rows)


def ask(dataset: Dataset, goal: str) -> str:
    done = subprocess.run(
        [swipl.find().executable, "-q", "-g", goal, "-t", "halt", "load.pl"],
        cwd=dataset.path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split("this list\n")[-1].strip()


def test_plain_swipl_explains_a_story(tiny: Dataset) -> None:
    record = Record.of(tiny.task("1.4")[0])
    last = ask(tiny, f"explain_kin('{record.sample.id}', P)").splitlines()[-1]
    person, other = record.query
    assert f"So {other} is the {record.sample.label} of {person}, by " in last


def test_plain_swipl_answers_every_question_alone(tiny: Dataset) -> None:
    goal = (
        "forall(sample(I,_,_,L,query(X,Y)), (findall(W,kin(I,W,X,Y),Ws), (Ws==[L]->true;print(I-Ws),nl))), "
        "aggregate_all(count,sample(_,_,_,_,_),N), print(N)"
    )
    assert ask(tiny, goal) == "220"


def test_plain_swipl_draws_the_family(tiny: Dataset) -> None:
    record = Record.of(tiny.samples[0])
    drawn = ask(tiny, f"family_tree('{record.sample.id}')")
    words = re.findall(r"[A-Za-z]+", drawn)
    assert sorted(words) == sorted(member.name for member in record.family)
    assert set(re.findall(r"(\w+)\*", drawn)) == set(record.names)


def test_explain_and_show(tiny: Dataset) -> None:
    text = tiny.family.explain(tiny, tiny.task("5.4")[3])
    assert "The story says so." in text and "The family" in text
    stories, figures = tiny.family.show(tiny)
    assert stories.html.count("<svg") == 8 and "<ol><li>" in stories.html
    assert "mean words" in figures.html


def test_the_same_bytes_for_any_number_of_workers(tmp_path: Path) -> None:
    changes = {"train": '{"5.3": 520}', "valid": "{}", "test": '{"1.3": 30}'}
    one = hornbeam.generate("clutrr", "tiny", out=tmp_path / "one", seed=5, workers=1, overrides=changes)
    two = hornbeam.generate("clutrr", "tiny", out=tmp_path / "two", seed=5, workers=2, overrides=changes)
    other = hornbeam.generate("clutrr", "tiny", out=tmp_path / "other", seed=6, workers=1, overrides=changes)
    assert one.manifest.files == two.manifest.files
    assert one.manifest.files != other.manifest.files


def test_the_same_samples_under_any_hash_seed() -> None:
    program = (
        "import hashlib\n"
        "from hornbeam.clutrr import generate\n"
        "from hornbeam.clutrr.config import ClutrrConfig\n"
        "config = ClutrrConfig(train={'1.3': 22}, test={'5.3': 22})\n"
        "lines = [s.line() for shard in generate.plan(config, 4) for s in generate.make(config, 4, shard).samples]\n"
        "print(hashlib.sha256(''.join(lines).encode()).hexdigest())\n"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1


def test_the_rules_as_horn_clauses_load_and_hold(tiny: Dataset) -> None:
    text = tiny.file("rules.pl").read_text()
    assert text.count("X \\== Z") == 30
    assert "grandmother(X,Y) :- grandparent(X,Y), female(Y)." in text
    done = subprocess.run(
        [swipl.find().executable, "-q", "--on-error=status", "--on-warning=status", "-g", "halt",
         str(tiny.file("rules.pl"))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_a_line_for_every_row(tiny: Dataset, tmp_path: Path) -> None:
    assert invoke(["clutrr", "rows", str(tiny.path), "--out", str(tmp_path / "rows.csv")]) == 0
    with (tmp_path / "rows.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == [sample.id for sample in tiny.samples]
    assert all(row["hops"] == row["length"] and row["entailed"] == "True" and row["leaked"] == "False" for row in rows)


def test_rows_of_another_family_and_to_nowhere_are_refused(tiny: Dataset, tmp_path: Path) -> None:
    from hornbeam.clutrr.commands import rows
    from hornbeam.errors import UsageError

    with pytest.raises(UsageError, match="there is no such folder"):
        rows(tiny.path, tmp_path / "nowhere" / "rows.csv")
    other = hornbeam.generate("rudas", "demo", out=tmp_path / "other", seed=1)
    with pytest.raises(UsageError, match="expected a dataset of clutrr, this is one of rudas"):
        rows(other.path, tmp_path / "rows.csv")
    assert not (tmp_path / "rows.csv").exists()


def test_a_drawing_has_the_persons_of_the_story_and_who_links_them(tiny: Dataset) -> None:
    for sample in tiny.samples[:20]:
        record = Record.of(sample)
        drawn = set(re.findall(r">([^<>]+)</text>", family_svg(record)))
        assert set(record.names) <= drawn <= {member.name for member in record.family}
    largest = max(map(Record.of, tiny.samples), key=lambda record: len(record.family))
    assert len(re.findall("<rect", family_svg(largest))) < len(largest.family)

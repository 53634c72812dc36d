"""Facts: sizes met, shares kept, files as the original names them, and its faults where they are asked for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError, UsageError
from hornbeam.family import Batch
from hornbeam.logic import Clause
from hornbeam.logic.asp import Program
from hornbeam.rudas.check import facts_of
from hornbeam.rudas.config import RudasConfig
from hornbeam.rudas.family import Rudas
from hornbeam.rudas.proving import confirm
from hornbeam.rudas.record import fact_row, fact_text, numbered_rules
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, RuleSet, V

FAMILY = Rudas()


def make(seed: int = 1, **settings: Any) -> Batch:
    """The first shard of a configuration."""
    config = RudasConfig.model_validate(settings)
    return FAMILY.make(config, seed, FAMILY.plan(config, seed)[0])


def facts(batch: Batch, name: str) -> set[str]:
    (text,) = [data.decode() for path, data in batch.files.items() if path.endswith(f"/{name}.txt")]
    lines = text.split("\n") if text else []
    assert len(lines) == len(set(lines))
    assert all(line.endswith(").") and " " not in line for line in lines)
    return set(lines)


def labelled(batch: Batch, split: str, *labels: str) -> set[str]:
    return {f"{fact_text(s)}." for s in batch.samples if s.split == split and s.label in labels}


@pytest.mark.parametrize("size", ["xs", "s", "m"])
@pytest.mark.parametrize("category", ["chain", "rdg", "drdg"])
def test_sizes_are_met(size: str, category: str) -> None:
    config = RudasConfig.model_validate({"size": size, "category": category, "depth": 3, "learnability": False})
    (shard,) = FAMILY.plan(config, 11)
    batch = FAMILY.make(config, 11, shard)
    wanted = shard.work["facts"]
    found = sum(sample.split == "train" for sample in batch.samples)
    assert wanted - 3 <= found <= wanted + max(30, wanted // 10)


def test_files_keep_the_original_s_invariants() -> None:
    batch = make(category="drdg", depth=3, facts=400)
    names = ("train-support", "train-conseqs", "train-cw", "train-ow", "train", "train-cw-n", "test")
    support, conseqs, closed, open_, train, noisy, test = (facts(batch, name) for name in names)
    assert closed == support | conseqs
    assert not support & conseqs
    assert open_ == closed - test
    assert test == labelled(batch, "valid", "removed") <= conseqs
    missing, noise = labelled(batch, "valid", "missing"), labelled(batch, "train", "noise")
    assert train == open_ - missing | noise == labelled(batch, "train", "support", "consequence", "noise")
    assert noisy == closed - missing | noise, "all noise, unlike the original"
    assert missing <= support
    assert not noise & closed
    assert facts(batch, "eval-cw") == facts(batch, "eval-support") | facts(batch, "eval-conseqs")
    assert len(facts(batch, "eval-support")) >= 100


def test_relations_and_entities_are_those_of_the_training_facts() -> None:
    batch = make(category="chain", facts=200)
    lines = {name: batch.files[f"CHAIN-200-2-0/{name}.txt"].decode().split("\n") for name in ("relations", "entities")}
    seen: list[Any] = [fact_row(s) for s in batch.samples if s.split == "train" or s.label == "removed"]
    assert set(lines["relations"]) == {fact[0] for fact in seen}
    assert set(lines["entities"]) == {name for fact in seen for name in fact[1:]}
    assert lines["relations"] == sorted(lines["relations"], key=lambda name: int(name[1:]))
    log = batch.files["CHAIN-200-2-0/log.txt"].decode()
    train = len(facts(batch, "train"))
    assert "open_world: 0.3" in log
    assert f"train: size, {train} , predicates, " in log


def test_shares_are_kept() -> None:
    batch = make(category="rdg", depth=2, facts=3000, open_world=0.4, noise=0.25, missing=0.1)
    counts = Counter((sample.split, str(sample.label)) for sample in batch.samples)
    conseqs = counts["train", "consequence"] + counts["valid", "removed"]
    assert counts["valid", "removed"] / conseqs == pytest.approx(0.4, abs=0.01)
    train = sum(count for (split, _), count in counts.items() if split == "train")
    assert counts["train", "noise"] / train == pytest.approx(0.25, abs=0.01)
    support = counts["train", "support"] + counts["valid", "missing"]
    assert counts["valid", "missing"] / support == pytest.approx(0.1, abs=0.02)


def test_shares_hold_for_the_target_by_itself() -> None:
    batch = make(category="chain", depth=2, facts=3000, open_world=0.5, noise=0.2)
    noise: list[Any] = [sample.proof for sample in batch.samples if sample.label == "noise"]
    target = {fact_row(s)[0] for s in batch.samples if s.label == "noise" and s.proof["target"]}
    assert len(target) == 1
    about = Counter(str(s.label) for s in batch.samples if s.split != "test" and fact_row(s)[0] in target)
    assert about["removed"] / (about["removed"] + about["consequence"]) == pytest.approx(0.5, abs=0.02)
    seen = about["support"] + about["consequence"] + about["noise"]
    assert about["noise"] / seen == pytest.approx(0.2, abs=0.02)
    assert 0 < sum(proof["target"] for proof in noise) < len(noise)


def test_nothing_withheld_and_no_noise() -> None:
    batch = make(facts=150, open_world=0, noise=0, missing=0)
    assert not labelled(batch, "valid", "removed", "missing")
    assert facts(batch, "train") == facts(batch, "train-cw") == facts(batch, "train-cw-n")
    assert facts(batch, "test") == set()


def test_missing_does_not_need_noise() -> None:
    assert labelled(make(facts=150, noise=0, missing=0.2), "valid", "missing")
    assert not labelled(make(facts=150, noise=0, missing=0.2, profile="compat"), "valid", "missing")


def test_compat_writes_the_files_with_their_gaps() -> None:
    batch = make(category="rdg", size="s", profile="compat", noise=0.3)
    noise = [sample for sample in batch.samples if sample.label == "noise"]
    listed = facts(batch, "train-cw-n")
    proofs: dict[str, Any] = {f"{fact_text(sample)}.": sample.proof for sample in noise}
    assert proofs
    assert {text for text, proof in proofs.items() if proof["target"]} == listed & proofs.keys()
    bare = make(category="rdg", size="xs", profile="compat", noise=0, open_world=0)
    written = {Path(name).stem for name in bare.files}
    assert not written & {"train", "train-cw-n", "train-ow", "test"}
    assert {"train-cw", "train-support", "eval-cw", "rules"} <= written


def test_recursion_goes_deeper_than_the_rule_graph() -> None:
    depths: Counter[int] = Counter()
    for seed in range(6):
        batch = make(seed, category="chain", depth=1, facts=300, recursion="required", unfold=6)
        depths.update(s.proof["depth"] for s in batch.samples if s.label == "consequence")
    assert max(depths) >= 4


def test_negation_is_seen_both_ways(tmp_path: Path) -> None:
    """Some instances of a rule are blocked by a fact that it negates, some are not."""
    fired = blocked = 0
    for seed in range(4):
        batch = make(seed, category="rdg", facts=600, negation=0.9)
        (tmp_path / "rules.txt").write_bytes(batch.files["RDG-600-2-0/rules.txt"])
        clauses = [clause for _, clause in numbered_rules(tmp_path / "rules.txt")]
        negative = {number for number, clause in enumerate(clauses, 1) if "\\+" in str(clause)}
        assert negative
        proofs: list[Any] = [sample.proof for sample in batch.samples if sample.label == "consequence"]
        fired += sum(proof["rule"] in negative for proof in proofs)
        plain = [Clause(c.head, tuple(atom for atom in c.body if "\\+" not in str(atom))) for c in clauses]
        rows: list[Any] = [
            fact_row(s) for s in batch.samples if s.split != "test" and s.label in ("support", "missing")
        ]
        given = facts_of([tuple(row) for row in rows])
        blocked += len(Program(plain).model(given)) - len(Program(clauses).model(given))
    assert fired > 20
    assert blocked > 20


def test_few_constants_are_an_error_that_says_so() -> None:
    with pytest.raises(UsageError, match="of 5000 training facts can be made with 3 constants"):
        make(category="chain", depth=2, facts=5000, constants=3)


def test_samples_have_the_keys_of_the_family(tmp_path: Path) -> None:
    batch = make(category="chain", facts=100)
    by_id = {sample.id: sample for sample in batch.samples}
    (tmp_path / "rules.txt").write_bytes(batch.files["CHAIN-100-2-0/rules.txt"])
    rules = [clause for _, clause in numbered_rules(tmp_path / "rules.txt")]
    for sample in batch.samples:
        _check_sample(sample, by_id, len(rules))


def _check_sample(sample: Sample, by_id: dict[str, Sample], rules: int) -> None:
    name, *args = fact_row(sample)
    assert fact_text(sample) == f"{name}({','.join(args)})"
    assert sample.supervised == (sample.split == "train" or (sample.split, sample.label) == ("test", "support"))
    proof: Any = sample.proof
    if sample.label in ("consequence", "removed"):
        premises = [by_id[premise] for premise in proof["premises"]]
        assert 1 <= proof["rule"] <= rules
        assert all((premise.split == "test") == (sample.split == "test") for premise in premises)
        assert all(premise.label != "noise" for premise in premises)


def test_clingo_refuses_a_wrong_closure() -> None:
    x, y = V(0), V(1)
    rule = GraphRule(GraphAtom(0, (x, y)), (GraphAtom(1, (y, x)),))
    rules = RuleSet((Component("chain", 1, (rule,)),), (2, 2))
    given, derived, false = (1, 1, 2), (0, 2, 1), (0, 1, 1)
    assert confirm("t", rules, [given], {given: "support", derived: "consequence", false: "noise"}) == 2
    with pytest.raises(DatasetError, match="1 more, 0 fewer"):
        confirm("t", rules, [given], {given: "support"})
    with pytest.raises(DatasetError, match="0 more, 1 fewer"):
        confirm("t", rules, [given], {given: "support", derived: "consequence", false: "removed"})
    with pytest.raises(DatasetError, match="1 more, 0 fewer"):
        confirm("t", rules, [given], {given: "support", derived: "noise"})

"""Samples of one shard: a rule set, a block of a training world, and with the first block the fresh world."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, Shard
from hornbeam.logic import quote
from hornbeam.rudas import knowledge, learnability, ruleset
from hornbeam.rudas.config import Config, Spec
from hornbeam.rudas.confirm import confirm
from hornbeam.rudas.corrupt import Corruption
from hornbeam.rudas.depths import Proof, smallest_proofs
from hornbeam.rudas.files import task_files, theory_files
from hornbeam.rudas.joins import Fact
from hornbeam.rudas.proving import prove
from hornbeam.rudas.rules import RuleSet
from hornbeam.rudas.world import World, fresh_world, training_world
from hornbeam.seeds import fast_rng


def plan(config: Config, seed: int) -> list[Shard]:
    """A shard for each block of each dataset."""
    shards: list[Shard] = []
    for task, spec in enumerate(config.specs()):
        facts = _training_facts(spec, seed)
        blocks = -(-facts // spec.settings.block) if spec.in_blocks else 1
        for block in range(blocks):
            share = facts * (block + 1) // blocks - facts * block // blocks
            work = {"task": task, "block": block, "blocks": blocks, "facts": share, "total": facts}
            name = spec.name if blocks == 1 else f"{spec.name}, block {block + 1} of {blocks}"
            shards.append(Shard(len(shards), name, work))
    return shards


def _training_facts(spec: Spec, seed: int) -> int:
    if spec.settings.facts:
        return spec.settings.facts
    size = knowledge.sizes()[spec.size]
    return fast_rng(seed, "rudas", spec.name, "size").randint(size.least, size.most)


def make(config: Config, seed: int, shard: Shard) -> Batch:
    """The samples of a shard, every label derived by Prolog and confirmed by clingo before it leaves."""
    work = shard.work
    part = part_of(config, seed, shard)
    spec = part.spec
    drawn = ruleset.draw(spec, fast_rng(seed, "rudas", spec.name, "rules"), part.all_constants)
    rules = drawn.rules
    world = part.training(rules)
    labels = part.labels(rules, world)
    confirmed = confirm(spec.name, rules, world.support, labels)
    samples = part.samples(rules, world, labels)
    report = _report(world, labels, {} if work["block"] else drawn.rejected)
    theory = theory_files(spec.name, rules)
    files: dict[str, bytes] = {}
    if work["block"] == 0:
        fresh, confirmed_fresh = part.fresh(rules)
        samples += fresh
        confirmed += confirmed_fresh
        files = dict(theory)
        if spec.settings.learnability:
            training = [fact for fact, label in labels.items() if knowledge.splits()["train", label] == "train"]
            verdicts = learnability.judge(rules, training)
            report["learnability"] = learnability.totals(verdicts)
            files[f"{spec.name}/learnability.json"] = _json([verdict.to_json(rules) for verdict in verdicts])
    report["proven"] = prove(spec.name, theory["rules.pl"].decode(), samples)
    report["confirmed"] = confirmed
    if work["blocks"] == 1:
        files |= task_files(spec, samples)
    return Batch(samples, files, report)


def part_of(config: Config, seed: int, shard: Shard) -> Part:
    """The block of a dataset that a shard makes."""
    work = shard.work
    spec = config.specs()[work["task"]]
    return Part(spec, seed, work["block"], work["blocks"], work["facts"], work["total"])


def _json(value: Json) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _report(world: World, labels: Mapping[Fact, str], rejected: Mapping[str, int]) -> dict[str, Json]:
    return {
        "rejected": {**{f"rules: {why}": count for why, count in sorted(rejected.items())},
                     **{f"facts: {why}": count for why, count in sorted(world.refused.items())}},
        "labels": dict(sorted(Counter(labels.values()).items())),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A block of a dataset: its share of the facts, its own constants."""

    spec: Spec
    seed: int
    block: int
    blocks: int
    facts: int
    total: int

    @property
    def all_constants(self) -> int:
        """The constants of all blocks together: the paper's choice is as many as facts before the open world."""
        return self.spec.settings.constants or max(2, int(self.total / (1 - self.spec.open_world / 2)))

    @property
    def constants(self) -> range:
        count = self.all_constants
        return range(count * self.block // self.blocks, count * (self.block + 1) // self.blocks)

    def _rng(self, purpose: str) -> random.Random:
        return fast_rng(self.seed, "rudas", self.spec.name, purpose, self.block)

    # The training world -------------------------------------------------------------------------------------------

    def training(self, rules: RuleSet) -> World:
        asked = self.spec.settings.node_support
        support = knowledge.sizes()[self.spec.size].node_support if asked is None else asked
        return training_world(
            self.spec, rules, self.constants, self._rng("facts"), facts=self.facts, node_support=support
        )

    def labels(self, rules: RuleSet, world: World) -> dict[Fact, str]:
        everyone = range(self.all_constants)
        corruption = Corruption(self.spec, rules, self.constants, everyone, self._rng("noise"))
        return corruption.labels(list(world.support), world.consequences)

    def samples(self, rules: RuleSet, world: World, labels: Mapping[Fact, str]) -> list[Sample]:
        proofs = smallest_proofs(rules.rules, len(rules.arities), world.support)
        facts = list(labels)
        self._rng("order").shuffle(facts)
        prefix = self.spec.name if self.blocks == 1 else f"{self.spec.name}-b{self.block}"
        return Samples(self.spec.name, rules, "train", prefix).of(facts, labels, proofs)

    # The fresh world ----------------------------------------------------------------------------------------------

    def fresh(self, rules: RuleSet) -> tuple[list[Sample], int]:
        """The samples of the fresh world, and how many of their labels clingo confirmed."""
        if not self.spec.settings.eval_support:
            return [], 0
        world = fresh_world(self.spec, rules, range(self.all_constants), self._rng("fresh facts"))
        proofs = smallest_proofs(rules.rules, len(rules.arities), world.support)
        facts = list(world.closure.facts)
        self._rng("fresh order").shuffle(facts)
        labels = {fact: "support" if fact in world.support else "consequence" for fact in facts}
        confirmed = confirm(self.spec.name, rules, world.support, labels)
        prefix = f"{self.spec.name}-e" if self.blocks == 1 else f"{self.spec.name}-b0-e"
        return Samples(self.spec.name, rules, "eval", prefix).of(facts, labels, proofs), confirmed


@dataclass(frozen=True, slots=True)
class Samples:
    """Facts of one world as samples; ids are numbered in the order given."""

    task: str
    rules: RuleSet
    world: str
    prefix: str

    def of(self, facts: Sequence[Fact], labels: Mapping[Fact, str], proofs: Mapping[Fact, Proof]) -> list[Sample]:
        ids = {fact: f"{self.prefix}-{number}" for number, fact in enumerate(facts)}
        splits = {label: split for (world, label), split in knowledge.splits().items() if world == self.world}
        predicates = Names(self.rules.predicate)
        constants = Names(self.rules.constant)
        samples = []
        for fact in facts:
            label = labels[fact]
            split = splits[label]
            name, args = predicates.plain(fact[0]), [constants.plain(value) for value in fact[1:]]
            samples.append(
                Sample(
                    id=ids[fact],
                    task=self.task,
                    split=split,
                    label=label,
                    supervised=split == "train" or (split == "test" and label == "support"),
                    input={"predicate": name, "arguments": [*args]},
                    symbolic={"prolog": f"{predicates.quoted(fact[0])}({','.join(map(constants.quoted, fact[1:]))})"},
                    proof=self._proof(fact, label, ids, proofs),
                )
            )
        return samples

    def _proof(self, fact: Fact, label: str, ids: Mapping[Fact, str], proofs: Mapping[Fact, Proof]) -> dict[str, Json]:
        if label == "noise":
            return {"target": fact[0] in self.rules.targets}
        proof = proofs.get(fact) if label in ("consequence", "removed") else None
        if proof is None:
            return {}
        premises: list[Json] = [ids[premise] for premise in proof.premises]
        return {"depth": proof.depth, "rule": proof.rule + 1, "premises": premises}


class Names:
    """Names of numbers, and their Prolog text, each made once."""

    def __init__(self, name: Callable[[int], str]) -> None:
        self._name = name
        self._plain: dict[int, str] = {}
        self._quoted: dict[int, str] = {}

    def plain(self, number: int) -> str:
        found = self._plain.get(number)
        if found is None:
            found = self._plain[number] = self._name(number)
        return found

    def quoted(self, number: int) -> str:
        found = self._quoted.get(number)
        if found is None:
            found = self._quoted[number] = quote(self.plain(number))
        return found


def with_rules(batches: Iterator[Batch]) -> Iterator[Batch]:
    """The batches, their pieces of rules.pl put together in a last one."""
    pieces: list[bytes] = []
    for batch in batches:
        piece = batch.files.pop("rules.pl", None)
        if piece is not None:
            pieces.append(piece)
        yield batch
    yield Batch(files={"rules.pl": b"".join(pieces)})

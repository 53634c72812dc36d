"""Makes the samples of a shard: a rule set, a block of a training world, and with the first block the fresh world."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch, Shard
from hornbeam.rudas import knowledge, learnability, ruleset
from hornbeam.rudas.closure import Fact, smallest_proofs
from hornbeam.rudas.config import RudasConfig, Spec
from hornbeam.rudas.original import task_files, theory_files
from hornbeam.rudas.proving import confirm, prove
from hornbeam.rudas.record import SampleWriter
from hornbeam.rudas.rules import RuleSet
from hornbeam.rudas.world import Corruption, FactWorld, fresh_world, training_world
from hornbeam.seeds import fast_rng

_RULE_SETS = 20  # that are drawn until one has a training world


def plan(config: RudasConfig, seed: int) -> list[Shard]:
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


def make(config: RudasConfig, seed: int, shard: Shard, *, originals: bool = True) -> Batch:
    """The samples of a shard, every label derived by Prolog and confirmed by clingo before it leaves.

    `originals` are the files in the format of the original.
    """
    work = shard.work
    block = Block.of(config, seed, shard)
    spec = block.spec
    rules, world, rejected = _world(block)
    labels = block.labels(rules, world)
    confirmed = confirm(spec.name, rules, world.support, labels)
    samples = block.samples(rules, world, labels)
    report = _report(world, labels, {} if work["block"] else rejected)
    theory = theory_files(spec.name, rules)
    files: dict[str, bytes] = {}
    if work["block"] == 0:
        fresh, confirmed_fresh = block.fresh(rules)
        samples += fresh
        confirmed += confirmed_fresh
        files = dict(theory)
        if spec.settings.learnability:
            training = [fact for fact, label in labels.items() if knowledge.splits()["train", label] == "train"]
            evidence = [rule.to_json(rules) for rule in learnability.judge(rules, training)]
            report["learnability"] = {**learnability.totals(evidence)}
            files[f"{spec.name}/learnability.json"] = f"{json.dumps(evidence, indent=1, ensure_ascii=False)}\n".encode()
    report["proven"] = prove(spec.name, theory["rules.pl"].decode(), samples)
    report["confirmed"] = confirmed
    if originals and work["blocks"] == 1:
        files |= task_files(spec, samples)
    return Batch(samples, files, report)


def rules_of(block: Block) -> RuleSet:
    """The rules of the dataset that a block is part of."""
    return _world(block)[0] if block.blocks == 1 else _rules(block, 0).rules


def _rules(block: Block, attempt: int) -> ruleset.DrawnRules:
    again = (attempt,) if attempt else ()
    rng = fast_rng(block.seed, "rudas", block.spec.name, "rules", *again)
    return ruleset.draw(block.spec, rng, block.all_constants)


def _world(block: Block) -> tuple[RuleSet, FactWorld, Counter[str]]:
    """Rules, a training world of theirs, and why others were rejected.

    Some rules cannot have a world of the wanted size; then others are drawn. All blocks of a dataset have the same
    rules, and none of them can know how the others fare: there the first rules count.
    """
    rejected = Counter[str]()
    for attempt in range(_RULE_SETS if block.blocks == 1 else 1):
        drawn = _rules(block, attempt)
        rejected.update(drawn.rejected)
        try:
            return drawn.rules, block.training(drawn.rules), rejected
        except UsageError as error:
            rejected["no world of the wanted size"] += 1
            refused = error
    raise refused


def _report(world: FactWorld, labels: Mapping[Fact, str], rejected: Mapping[str, int]) -> dict[str, Json]:
    return {
        "rejected": {**{f"rules: {why}": count for why, count in sorted(rejected.items())},
                     **{f"facts: {why}": count for why, count in sorted(world.refused.items())}},
        "labels": dict(sorted(Counter(labels.values()).items())),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a dataset: its share of the facts, its own constants."""

    spec: Spec
    seed: int
    block: int
    blocks: int
    facts: int
    total: int

    @classmethod
    def of(cls, config: RudasConfig, seed: int, shard: Shard) -> Block:
        """The block that a shard makes."""
        work = shard.work
        return cls(config.specs()[work["task"]], seed, *(work[key] for key in ("block", "blocks", "facts", "total")))

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

    def training(self, rules: RuleSet) -> FactWorld:
        asked = self.spec.settings.node_support
        support = knowledge.sizes()[self.spec.size].node_support if asked is None else asked
        rng = self._rng("facts")
        return training_world(self.spec, rules, self.constants, rng, facts=self.facts, node_support=support)

    def labels(self, rules: RuleSet, world: FactWorld) -> dict[Fact, str]:
        everyone = range(self.all_constants)
        corruption = Corruption(self.spec, rules, self.constants, everyone, self._rng("noise"))
        return corruption.labels(list(world.support), world.consequences)

    def samples(self, rules: RuleSet, world: FactWorld, labels: Mapping[Fact, str]) -> list[Sample]:
        proofs = smallest_proofs(rules.rules, len(rules.arities), world.support)
        facts = list(labels)
        self._rng("order").shuffle(facts)
        prefix = self.spec.name if self.blocks == 1 else f"{self.spec.name}-b{self.block}"
        return SampleWriter(self.spec.name, rules, "train", prefix).of(facts, labels, proofs)

    # The fresh world ----------------------------------------------------------------------------------------------

    def fresh(self, rules: RuleSet) -> tuple[list[Sample], int]:
        """The samples of the fresh world, and how many of their labels clingo confirmed."""
        if not self.spec.settings.eval_support:
            return [], 0
        wanted = self.spec.settings.eval_support
        world = fresh_world(self.spec, rules, range(self.all_constants), self._rng("fresh facts"), wanted)
        proofs = smallest_proofs(rules.rules, len(rules.arities), world.support)
        facts = list(world.closure.facts)
        self._rng("fresh order").shuffle(facts)
        labels = {fact: "support" if fact in world.support else "consequence" for fact in facts}
        confirmed = confirm(self.spec.name, rules, world.support, labels)
        prefix = f"{self.spec.name}-e" if self.blocks == 1 else f"{self.spec.name}-b0-e"
        return SampleWriter(self.spec.name, rules, "eval", prefix).of(facts, labels, proofs), confirmed


def with_rules(batches: Iterator[Batch]) -> Iterator[Batch]:
    """The batches, their pieces of rules.pl put together in a last one."""
    pieces: list[bytes] = []
    for batch in batches:
        piece = batch.files.pop("rules.pl", None)
        if piece is not None:
            pieces.append(piece)
        yield batch
    yield Batch(files={"rules.pl": b"".join(pieces)})

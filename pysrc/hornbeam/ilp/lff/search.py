"""The search for rules without recursion: generate, test, forbid what failed, and combine what is good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbeam.bitsets import mask_of
from hornbeam.ilp.cover import score, union
from hornbeam.ilp.lff.coverage import Bits, Tester
from hornbeam.ilp.lff.generate import Source, embeddings, subsets
from hornbeam.ilp.lff.join import BodyPiece, Joiner, Joint
from hornbeam.ilp.lff.language import Body, Canonical
from hornbeam.ilp.lff.objective import (
    ExactProspects,
    Prospects,
    ShortestProspects,
    TestedRule,
    exact,
    greedy,
    undominated,
)
from hornbeam.ilp.watch import Watch
from hornbeam.theory import Theory

_AHEAD = 20_000  # steps of joining at each size beyond what is known
# In how many ways rules are dealt with: the profile of a search.
_WAYS = (
    *("tested", "repeated", "folded", "failed", "hopeless", "kept", "inconsistent"),
    *("reducible", "cores", "joined"),
)


class RuleSearch:
    """One search. Call :meth:`run` once."""

    def __init__(
        self,
        source: Source,
        tester: Tester,
        watch: Watch,
        *,
        noise: bool,
        most: int | None,
        finite: bool,
        pieces: bool = False,
    ) -> None:
        """With `pieces` the generator gives bodies that do not fall apart, and rules are joined from them."""
        self._language = language = source.language
        self._generator, self._weights = source.generator, source.weights
        self._tester, self._watch = tester, watch
        self._noise, self._most, self._finite = noise, most, finite
        self._all, self._all_negative = tester.examples.all_positive, tester.examples.all_negative
        self._positives = len(tester.examples.positive)
        self._canonical = Canonical(language)
        self._seen: set[object] = set()
        self._covers: dict[Body, tuple[Bits, Bits]] = {}  # the positive and the negative examples, at most
        variables = len(language.existential)
        joiner = Joiner(self._all, self._all_negative, required=language.required, variables=variables, noise=noise)
        self._joiner = joiner if pieces else None
        self._exact_negatives = noise or pieces
        self._fresh = False  # whether rules were found since the last exact combination
        self._prospects: Prospects = (ShortestProspects if noise else ExactProspects)(self._all, most)
        self.rules: tuple[TestedRule, ...] = ()  # the best theory so far
        self.score = score((), self._positives)
        self.counts = dict.fromkeys(_WAYS, 0)
        self.optimal = False
        self._unfinished = False  # whether joining was cut off

    def run(self) -> None:
        """Search until nothing is left to be found, or the time is up."""
        size = 0
        for body in self._generator.rules(self._watch):
            if len(body) > size:
                size = len(body)
                if self._level(size - 1):
                    break
            self._try(body)
        joined = not self._watch.time_is_up()
        while joined and size <= self._generator.largest and not self._level(size):
            joined = not self._watch.time_is_up()
            size += 1
        proved = self._combine(last=True)
        # A rule whose test was cut off is not known to be worse.
        certain = not self._unfinished and not self._tester.exceeded
        self.optimal = proved and joined and self._generator.complete and certain

    def _level(self, literals: int) -> bool:
        """All bodies with so many literals are known: join and combine. Whether nothing is left to be found."""
        if literals:
            self._join(literals, ahead=False)
            self._combine()
        self._prospects.floor = literals + 2
        if self._prospects.finished(literals + 2):
            self._generator.complete = True
            return True
        if literals:
            for larger in range(literals + 1, self._generator.largest + 1):
                self._join(larger, ahead=True)
        return False

    def _join(self, literals: int, *, ahead: bool) -> None:
        """Join pieces to rules with so many literals; `ahead` of what is known, to have a good theory early."""
        if self._joiner is None or self._unfinished:
            return
        for count, joint in enumerate(self._joiner.joints(literals, self._prospects.hopeless)):
            if ahead and count > _AHEAD:
                return
            if joint is None:
                if not count % 50 and self._watch.time_is_up():
                    self._unfinished = True
                    return
                continue
            self._watch.count()
            self.counts["joined"] += 1
            body = frozenset(number for piece in self._aligned(joint) for number in piece)
            order = self._language.ordered(body, self._weights)
            if order is not None:
                self._keep(TestedRule(body, tuple(order), joint.positive, joint.negative))

    def _aligned(self, joint: Joint) -> Iterator[Body]:
        """The bodies of the pieces with variables of their own each."""
        language = self._language
        fresh = language.head.arity
        for piece in joint.pieces:
            rows = [language.literals[number] for number in sorted(piece.body)]
            own = sorted({variable for each in rows for variable in each.variables if variable >= language.head.arity})
            naming = {variable: fresh + place for place, variable in enumerate(own)}
            fresh += len(own)
            yield frozenset(
                language.numbers[(each.symbol, tuple(naming.get(v, v) for v in each.variables))] for each in rows
            )

    # One rule -------------------------------------------------------------------------------------------------------

    def _try(self, body: Body) -> None:
        if self._repeated(body):
            return
        order = self._language.ordered(body, self._weights)
        if order is None:
            return
        self._watch.count()
        self.counts["tested"] += 1
        positive = self._tester.positives(order, self._bound(body)[0])
        if positive is None:
            return
        size = 1 + len(body)
        if not positive:
            self.counts["failed"] += 1
            self._forbid_core(body)
        elif self._prospects.hopeless(positive, size):
            self.counts["hopeless"] += 1
            self._forbid(body, "hopeless")
        else:
            self._judge(body, order, positive)

    def _repeated(self, body: Body) -> bool:
        if len(body) > 1:
            key = self._canonical.key(body)
            if key in self._seen:
                self.counts["repeated"] += 1
                return True
            self._seen.add(key)
        if self._canonical.folds(body):
            self.counts["folded"] += 1
            return True
        return False

    def _bound(self, body: Body) -> tuple[Bits, Bits]:
        """Positive and negative examples that the rule can cover at most: those of each smaller rule tested."""
        positive, negative = self._all, self._all_negative
        for _, rest in subsets(body):
            known = self._covers.get(rest, (self._all, self._all_negative))
            positive, negative = positive & known[0], negative & known[1]
        return positive, negative

    def _judge(self, body: Body, order: Sequence[int], positive: Bits) -> None:
        negative: Bits | None
        if self._exact_negatives:
            negative = self._tester.negatives(order, self._bound(body)[1])
        else:
            negative = self._tester.some_negative(order)
        if negative is None:
            return
        self._covers[body] = (positive, negative if self._exact_negatives else self._all_negative)
        rule = TestedRule(body, tuple(order), positive, negative)
        whole = not self._language.required & ~self._language.mask(body)
        if whole and not negative:
            self._keep(rule)
            self._forbid(body, "consistent")
            return
        self.counts["inconsistent"] += 1
        if whole and self._noise and self._prospects.wanted(rule):
            self._keep(rule)
        if self._joiner is not None:
            self._joiner.add(self._piece(rule))
        if len(body) < self._generator.largest:
            self._reduce(body)

    def _piece(self, rule: TestedRule) -> BodyPiece:
        language = self._language
        mask = language.mask(rule.body)
        return BodyPiece(
            rule.body,
            rule.positive,
            rule.negative,
            len(rule.body),
            (mask >> language.head.arity).bit_count(),
            mask & language.required,
        )

    def _reduce(self, body: Body) -> None:
        """Find literals that can go without any more negative example, here and in larger rules, and forbid these.

        Variables of such a literal that are in no other may not come to be: they would make it say more.
        """
        language = self._language
        for number, rest in subsets(body):
            others = language.mask(rest) | (1 << language.head.arity) - 1
            alone = [variable for variable in language.literals[number].variables if not others >> variable & 1]
            if not rest or not self._valid_without(number, rest, mask_of(alone)):
                continue
            order = language.ordered(rest, self._weights)
            if order is not None and self._tester.implied(order, number):
                self.counts["reducible"] += 1
                self._forbid(body, "reducible", alone)
                if not alone:
                    return

    def _valid_without(self, number: int, rest: Body, alone: int) -> bool:
        """Whether every larger rule is still one of the language without the literal and its own variables."""
        language = self._language
        mask = language.literals[number].mask
        # What the literal has of the head, and what is not its own, must be there without it.
        if mask == alone or mask & ~alone & ~language.mask(rest) or not language.connected(rest):
            return False
        if not language.shallow:
            return True
        with_it = language.levels(rest | {number}) or ()
        return language.levels(rest) == tuple(dict.fromkeys(level & ~alone for level in with_it))

    # What follows from it -------------------------------------------------------------------------------------------

    def _forbid(self, body: Body, reason: str, alone: Sequence[int] = (), *, any_head: bool = False) -> None:
        largest = self._generator.largest
        if len(body) < largest:
            failures = embeddings(self._language, body, largest=largest, any_head=any_head, alone=alone)
            self._generator.forbid(failures)
            self._watch.note("constraint", reason=reason, literals=[*sorted(body)], renamings=len(failures))

    def _forbid_core(self, body: Body) -> None:
        """Forbid the least part of a body that covers no positive example, for every head if it suits none."""
        if len(body) >= self._generator.largest:
            return
        core = self._shrunk(body)
        order = self._language.ordered(core, self._weights)
        # A negated literal means something else where its variables are not bound.
        plain = self._finite and not any(self._language.symbol(number).negated for number in core)
        if plain and order is not None and self._tester.impossible(order):
            self.counts["cores"] += 1
            self._forbid(core, "impossible", any_head=True)
        else:
            self._forbid(core, "fails")

    def _shrunk(self, body: Body) -> Body:
        core = body
        for number in sorted(body):
            rest = core - {number}
            # A smaller rule was tried before, and was not forbidden: so it does not fail.
            if not rest or self._language.valid(rest):
                continue
            order = self._language.ordered(rest, self._weights)
            if order is not None and self._tester.positives(order) == 0:
                core = rest
        return core

    def _keep(self, rule: TestedRule) -> None:
        if not self._prospects.keep(rule):
            return
        self.counts["kept"] += 1
        self._fresh = True
        # While examples are left uncovered every gain is told; afterwards only what a lone rule or a size brings.
        if self._noise or self.score.missed:
            self._offer(greedy(self._prospects.rules, self._positives, noise=self._noise, most=self._most))
        else:
            self._offer((rule,))

    def _offer(self, rules: tuple[TestedRule, ...]) -> None:
        reached = score(rules, self._positives)
        if reached.key(self._noise) >= self.score.key(self._noise):
            return
        self.rules, self.score = rules, reached
        self._prospects.reached(reached)
        if self._noise:
            self._generator.stop_at(max(1, reached.length - 1))
        elif not reached.missed:
            self._generator.stop_at(reached.size - 1)
        claims = reached.claims(self._positives, len(self._tester.examples.negative))
        self._watch.best(self.theory(), size=reached.size, **claims)

    def theory(self) -> Theory:
        return Theory.of(self._language.clause(rule.order) for rule in self.rules)

    def _combine(self, *, last: bool = False) -> bool:
        """Choose the best theory exactly, where there is something new to choose from."""
        if not self._fresh:
            return True
        rules = undominated(self._prospects.rules)
        if not last and not self._noise and union(rule.positive for rule in rules) != self._all:
            return True
        cover = exact(rules, self._watch, noise=self._noise, most=self._most)
        self._watch.note("combined", rules=len(rules), proved=cover.proved)
        self._offer(cover.pieces)
        self._fresh = not cover.proved
        return cover.proved

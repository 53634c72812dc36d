"""A difference as text, like a unified diff that patch readers know, and in colour for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from hornbeam.logic.terms import to_text
from hornbeam.theory.alignment import AlignedPair, LiteralChange
from hornbeam.theory.behaviour import Disagreement
from hornbeam.theory.blame import Proof
from hornbeam.theory.difference import Diff
from hornbeam.theory.show import words


def diff_text(diff: Diff, *, every: bool = False) -> str:
    """The whole difference; nothing is coloured. Rules that are the same are counted, or with `every` shown."""
    return "\n".join(_diff_lines(diff, every))


def _diff_lines(diff: Diff, every: bool) -> Iterator[str]:
    yield " ".join(words.first_line(diff).split())
    yield f"--- {diff.true.name or 'true'}"
    yield f"+++ {diff.learned.name or 'learned'}"
    for pair in diff.alignment.pairs if every else words.changed(diff):
        yield from _pair_lines(diff, pair)
    same = len(words.unchanged(diff))
    if same and not every:
        yield f"# {words.unchanged_line(same)}; --all shows {'it' if same == 1 else 'them'}"
    for number in diff.alignment.missing:
        yield f"@@ true {number + 1}: missing from the learned theory @@"
        yield f"-{diff.true.texts[number]}"
    for number in diff.alignment.extra:
        yield f"@@ learned {number + 1}{words.weight_note(diff, number)}: not in the true theory @@"
        yield f"+{diff.learned.texts[number]}"
    for clause in diff.redundant:
        yield f"# learned clause {clause.number + 1} is redundant: {clause.reason}"
    for line in words.equivalence_lines(diff):
        yield f"# {line}"
    yield f"# {', '.join(f'{name} {value}' for name, value in words.figures(diff).items())}"
    yield from _meaning_lines(diff)
    for note in diff.notes:
        yield f"# {note}"


def _pair_lines(diff: Diff, pair: AlignedPair) -> Iterator[str]:
    if pair.relation == "variant":
        note = words.weight_note(diff, pair.learned)
        yield f" {diff.true.texts[pair.true]}{f'   #{note}' if note else ''}"
        return
    learned = f"learned {pair.learned + 1}{words.weight_note(diff, pair.learned)}"
    yield f"@@ true {pair.true + 1}, {learned}: {words.RELATIONS[pair.relation]} @@"
    head, *body = pair.changes
    for change, end in [(head, " :-" if body else "."), *((change, "") for change in body)]:
        indent = "" if change is head else "    "
        if change.kind == "kept":
            yield f" {indent}{change.true}{end}"
            continue
        if change.true is not None:
            yield f"-{indent}{change.true}{end}"
        if change.learned is not None:
            yield f"+{indent}{change.learned}{end}"


def _meaning_lines(diff: Diff) -> Iterator[str]:
    for explained in diff.missing_facts:
        yield f"-fact {to_text(explained.fact)}   # {words.missing_reason(diff, explained)}"
        yield from (f" #   {line}" for line in (explained.proof.lines("true clause") if explained.proof else ()))
    for explained in diff.extra_facts:
        yield f"+fact {to_text(explained.fact)}   # {words.extra_reason(explained)}"
        yield from (f" #   {line}" for line in (explained.proof.lines("learned clause") if explained.proof else ()))
    if diff.comparison is not None:
        yield from _rest(diff.comparison.fn - len(diff.missing_facts), "-", "facts only the true theory derives")
        yield from _rest(diff.comparison.fp - len(diff.extra_facts), "+", "facts only the learned theory derives")
    if diff.behaviour is not None:
        for disagreed in diff.behaviour.only_true:
            yield f"-covers {_example(disagreed)}   # {words.disagreement_reason(disagreed)}"
        for disagreed in diff.behaviour.only_learned:
            yield f"+covers {_example(disagreed)}   # {words.disagreement_reason(disagreed)}"
        for name, why in diff.behaviour.undecided[:20]:
            yield f"# not decided, {name}: {' '.join(why.split())}"
    for line in words.own_lines(diff):
        yield f"# {line}"
    for number, text in words.effect_lines(diff):
        yield f"# learned clause {number + 1}: {text}"


def _example(disagreed: Disagreement) -> str:
    return disagreed.example.name or to_text(disagreed.example.goal)


def _rest(count: int, sign: str, what: str) -> Iterator[str]:
    if count > 0:
        yield f"{sign}... and {count} more {what}"


_STYLES = {"kept": "", "changed": "yellow", "swapped": "magenta", "missing": "red", "extra": "green"}
_RELATIONS = {"variant": "green", "equivalent": "green", "general": "yellow", "specific": "yellow", "different": "red"}
# Proofs that are shown whole; the others are in the JSON and on the page.
_PROOFS = 5


def diff_rich(diff: Diff, *, every: bool = False) -> ConsoleRenderable:
    """The verdict, tables and trees for a console. Rules that are the same are counted, or with `every` shown."""
    parts: list[ConsoleRenderable] = [_verdict(diff), *_clauses(diff, every), _equivalence(diff), _figures(diff)]
    parts += [Text(line) for line in words.own_lines(diff)]
    parts += _meaning(diff)
    parts += [Text(f"Note: {note}", style="yellow") for note in diff.notes]
    return Group(*parts)


def _verdict(diff: Diff) -> Text:
    kind = diff.verdict.kind if diff.verdict is not None else ""
    style = {"equal": "bold green", "refuted": "bold red"}.get(kind, "bold yellow")
    return Text(words.first_line(diff), style=style)


def _clauses(diff: Diff, every: bool) -> Iterator[ConsoleRenderable]:
    same = len(words.unchanged(diff))
    table = _table(diff, diff.alignment.pairs if every else words.changed(diff))
    if table.row_count:
        yield table
    if same and not every:
        yield Text(f"{words.unchanged_line(same)}; --all shows {'it' if same == 1 else 'them'}", style="dim")


def _table(diff: Diff, pairs: Sequence[AlignedPair]) -> Table:
    table = Table(title="Clauses", title_justify="left", expand=False)
    table.add_column(diff.true.name or "true", overflow="fold")
    table.add_column(diff.learned.name or "learned", overflow="fold")
    table.add_column("relation")
    for pair in pairs:
        relation = Text(pair.relation + words.weight_note(diff, pair.learned), style=_RELATIONS[pair.relation])
        table.add_row(_side(pair, "true"), _side(pair, "learned"), relation)
    for number in diff.alignment.missing:
        table.add_row(Text(diff.true.texts[number], style="red"), "", Text("missing", style="red"))
    for number in diff.alignment.extra:
        note = f"extra{words.weight_note(diff, number)}"
        table.add_row("", Text(diff.learned.texts[number], style="green"), Text(note, style="green"))
    for clause in diff.redundant:
        table.add_row(
            "", Text(diff.learned.texts[clause.number], style="dim"), Text(f"redundant: {clause.reason}", style="dim")
        )
    return table


def _side(pair: AlignedPair, side: str) -> Text:
    """One clause of a pair, in the true clause's variable names, its literals coloured by what became of them."""
    head, *body = [(change, _of(change, side)) for change in pair.changes if _of(change, side) is not None]
    text = Text(head[1] or "", style=_STYLES[head[0].kind])
    for number, (change, literal) in enumerate(body):
        text.append(" :- " if number == 0 else ", ")
        text.append(literal or "", style=_STYLES[change.kind])
    return text.append(".")


def _of(change: LiteralChange, side: str) -> str | None:
    return change.true if side == "true" else change.learned


def _equivalence(diff: Diff) -> Text:
    return Text("\n".join(words.equivalence_lines(diff)))


def _figures(diff: Diff) -> Table:
    table = Table(title="Scores", title_justify="left", show_header=False)
    for name, value in words.figures(diff).items():
        table.add_row(name, value)
    return table


def _meaning(diff: Diff) -> Iterator[ConsoleRenderable]:
    for title, sign, facts, names in (
        ("Facts that only the true theory derives", "-", diff.missing_facts, "true clause"),
        ("Facts that only the learned theory derives", "+", diff.extra_facts, "learned clause"),
    ):
        if facts:
            style = "red" if sign == "-" else "green"
            tree = Tree(Text(title, style="bold"))
            for number, explained in enumerate(facts):
                reason = words.missing_reason(diff, explained) if sign == "-" else words.extra_reason(explained)
                branch = tree.add(
                    Text(f"{sign} {to_text(explained.fact)}  ", style=style).append(reason, style="default")
                )
                if explained.proof is not None and number < _PROOFS:
                    _grow(branch, explained.proof, names)
            yield tree
    if diff.behaviour is not None:
        yield _behaviour(diff)
    effects = words.effect_lines(diff)
    if effects:
        table = Table(title="What each learned clause does", title_justify="left", show_header=False)
        for number, text in effects:
            table.add_row(Text(diff.learned.texts[number]), text)
        yield table


def _grow(tree: Tree, proof: Proof, names: str) -> None:
    why = {"fact": "given", "test": "holds"}.get(proof.kind) or f"{names} {(proof.clause or 0) + 1}"
    branch = tree.add(Text(to_text(proof.atom)).append(f"  {why}", style="dim"))
    for premise in proof.premises:
        _grow(branch, premise, names)


def _behaviour(diff: Diff) -> Table:
    assert diff.behaviour is not None
    table = Table(title=f"Examples ({diff.behaviour.examples})", title_justify="left")
    for name in ("example", "covered by", "why"):
        table.add_column(name, overflow="fold")
    for disagreed in (*diff.behaviour.only_true, *diff.behaviour.only_learned):
        name = disagreed.example.name or to_text(disagreed.example.goal)
        style = "red" if disagreed.by == "true" else "green"
        table.add_row(name, Text(f"{disagreed.by} only", style=style), Text(words.disagreement_reason(disagreed)))
    for name, why in diff.behaviour.undecided[:20]:
        table.add_row(name, Text("not decided", style="yellow"), Text(why))
    return table

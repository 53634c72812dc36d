r"""What learners print, line by line, as Prolog clause text.

A dialect turns text into :class:`~hornbeam.theory.lines.Line`\ s: each line of the output that is or might be a rule,
with its clause in Prolog, or with the reason why there is none. Log lines that no one would take for a rule are passed
over. Learners of triples are in :mod:`hornbeam.theory.triples`.

>>> [line.clause for line in foil("FOIL 6.4\np0(A,B) :- p1(A,C), not(p2(C,B)), A<>B.\n")]
['p0(A,B) :- p1(A,C), \\+ (p2(C,B)), A \\= B.']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hornbeam.theory.lines import NUMBER, Line, as_float, numbered_lines
from hornbeam.theory.triples import amie, anyburl, neural_lp

Dialect = Callable[[str], list[Line]]

# Prolog inside a log: Aleph, Popper, FOIL ---------------------------------------------------------------------------

_ALEPH_RULE = re.compile(r"\[Rule \d+\] \[Pos cover = (\d+) Neg cover = (\d+)\]")


def aleph(text: str) -> list[Line]:
    """The rules of the last ``[theory]``, or a file of write_rules; weight is the precision on the training data."""
    lines = list(numbered_lines(text))
    starts = [at for at, (_, line) in enumerate(lines) if line.strip() == "[theory]"]
    lines = lines[starts[-1] + 1 :] if starts else lines
    found: list[Line] = []
    weight: float | None = None
    for number, block in _blocks(lines):
        rule = _ALEPH_RULE.match(block)
        if rule is not None:
            positive, negative = int(rule[1]), int(rule[2])
            weight = positive / (positive + negative) if positive + negative else None
        elif block.startswith("["):
            if "theory" not in block and ":-" in block:
                found.append(Line(number, block, reason="a log line, not a rule"))
            if block.startswith(("[Training", "[time", "[total")):
                break
        elif block.endswith("."):
            found.append(Line(number, block, block, weight))
            weight = None
        else:
            found.append(Line(number, block, reason="no full stop"))
    return found


def _blocks(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Clauses that run over several lines as one; lines in brackets by themselves."""
    start, parts = 0, list[str]()
    for number, line in lines:
        if line.lstrip().startswith("%"):
            continue
        if line.lstrip().startswith("[") and not parts:
            yield number, line.strip()
            continue
        start = start if parts else number
        parts.append(line.strip() if not parts else " " + line.strip())
        if line.rstrip().endswith("."):
            yield start, "".join(parts)
            parts = []
    if parts:
        yield start, "".join(parts)


_STAMP = re.compile(rf"^(?:{NUMBER}s|\d\d:\d\d:\d\d)\s+")
_POPPER_BLOCK = re.compile(r"New best hypothesis|\*+ SOLUTION \*+")
_POPPER_RULE = re.compile(r"[a-z'][^:]*:-.*\.|[a-z']\S*\(.*\)\.")
_STARS = re.compile(r"\*{5,}")


def popper(text: str) -> list[Line]:
    """The rules of the last hypothesis that was printed, be it the solution or the best before a time-out."""
    lines = [(number, _STAMP.sub("", line).strip()) for number, line in numbered_lines(text)]
    starts = [at for at, (_, line) in enumerate(lines) if _POPPER_BLOCK.search(line)]
    found: list[Line] = []
    for number, line in lines[starts[-1] + 1 :] if starts else lines:
        if _STARS.fullmatch(line):
            if starts:
                # The end of the block: behind it come programs that were tried, not learned.
                break
        elif _POPPER_RULE.fullmatch(line):
            found.append(Line(number, line, line))
        elif ":-" in line and not line.startswith("%"):
            found.append(Line(number, line, reason="not a rule"))
    return found


_FOIL_RULE = re.compile(r"\*?\s*(?:[a-z]\w*(?:\([^()]*\))?\s*:-.*|[a-z]\w*\([^()]*\)\s*\.)")


def foil(text: str) -> list[Line]:
    """The definitions of FOIL 6; ``A<>B``, ``A<=B`` and ``not(...)`` are read as Prolog has them."""
    found: list[Line] = []
    for number, line in numbered_lines(text):
        rule = line.strip()
        if _FOIL_RULE.fullmatch(rule):
            rule = rule.lstrip("*").strip().rstrip(".") + "."
            rule = rule.replace("<>", " \\= ").replace("<=", " =< ")
            found.append(Line(number, line, re.sub(r"(?<!\w)not\(", r"\\+ (", rule)))
        elif ":-" in rule:
            found.append(Line(number, line, reason="a log line, not a rule"))
    return found


# Neural theorem provers -----------------------------------------------------------------------------------------------

_NTP = re.compile(rf"\s*({NUMBER})\s+(\S.*:-.*)$")


def ntp(text: str) -> list[Line]:
    """``weight <tab> head :- body.``"""
    found = []
    for number, line in numbered_lines(text):
        parts = _NTP.match(line)
        if parts is not None:
            found.append(Line(number, line, parts[2].strip().rstrip(".") + ".", as_float(parts[1])))
        elif ":-" in line:
            found.append(Line(number, line, reason="expected: weight, head :- body"))
    return found


DIALECTS: dict[str, Dialect] = {
    "aleph": aleph,
    "amie": amie,
    "anyburl": anyburl,
    "foil": foil,
    "neural-lp": neural_lp,
    "ntp": ntp,
    "popper": popper,
}

_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("neural-lp", re.compile(rf"^\s*{NUMBER}.*<--", re.MULTILINE)),
    ("anyburl", re.compile(rf"^\d+\t\d+\t{NUMBER}\t.*<=", re.MULTILINE)),
    ("amie", re.compile(r"^[^%\n]*\?\w+.*=>.*\?\w+", re.MULTILINE)),
    ("ntp", re.compile(rf"^\s*{NUMBER}\t\S.*:-", re.MULTILINE)),
    ("aleph", re.compile(r"^\[(?:theory|Rule \d+|Training set)", re.MULTILINE)),
    ("popper", re.compile(r"^(?:[\d.:]+s? +)?(?:\*+ SOLUTION|New best hypothesis)", re.MULTILINE)),
    ("foil", re.compile(r"^(?:FOIL \d|Relation \S+$)", re.MULTILINE)),
)


def detect(text: str) -> str:
    """The dialect that the text looks like; ``prolog`` where nothing speaks for a learner."""
    return next((name for name, sign in _SIGNS if sign.search(text)), "prolog")

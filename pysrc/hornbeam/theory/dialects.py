r"""What learners print, line by line, as Prolog clause text.

A dialect turns text into :class:`Line`\ s: each line of the output that is or might be a rule, with its clause in
Prolog, or with the reason why there is none. Log lines that no one would take for a rule are passed over.

>>> [line.clause for line in amie("?a  p10  ?b  ?b  p7  ?a   => ?a  p3  ?b\t0.5\t0.4\t0.8\n")]
['p3(A,B) :- p10(A,B), p7(B,A).']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hornbeam.logic.terms import quote


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output: a clause as Prolog text, or None and a reason."""

    number: int
    text: str
    clause: str | None = None
    weight: float | None = None
    reason: str = ""


Dialect = Callable[[str], list[Line]]
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line.rstrip()


# Prolog inside a log: Aleph, Popper, FOIL ---------------------------------------------------------------------------

_ALEPH_RULE = re.compile(r"\[Rule \d+\] \[Pos cover = (\d+) Neg cover = (\d+)\]")


def aleph(text: str) -> list[Line]:
    """The rules of the last ``[theory]``, or a file of write_rules; weight is the precision on the training data."""
    lines = list(_lines(text))
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
        if line.lstrip().startswith("[") and not parts:
            yield number, line.strip()
            continue
        start = start if parts else number
        parts.append(line.strip() if not parts else " " + line.strip())
        if line.rstrip().endswith(".") or line.lstrip().startswith("%"):
            if not line.lstrip().startswith("%"):
                yield start, "".join(parts)
            parts = []
    if parts:
        yield start, "".join(parts)


_STAMP = re.compile(rf"^{_NUMBER}s\s+")
_POPPER_BLOCK = re.compile(r"New best hypothesis|\*+ SOLUTION \*+")
_POPPER_FIGURES = re.compile(r"(?i)^(tp|precision|num\.? |total|size)\s*:|^\*+$|^NO SOLUTION|^- - -")


def popper(text: str) -> list[Line]:
    """The rules of the last hypothesis that was printed, be it the solution or the best before a time-out."""
    lines = [(number, _STAMP.sub("", line).strip()) for number, line in _lines(text)]
    starts = [at for at, (_, line) in enumerate(lines) if _POPPER_BLOCK.search(line)]
    found: list[Line] = []
    for number, line in lines[starts[-1] + 1 :] if starts else lines:
        if _POPPER_FIGURES.match(line):
            continue
        if line.startswith("%"):
            continue
        if re.match(r"[a-z'].*\.$", line):
            found.append(Line(number, line, line))
        else:
            found.append(Line(number, line, reason="not a rule"))
    return found


def foil(text: str) -> list[Line]:
    """Lines of FOIL 6 that hold ``:-``, and facts; ``A<>B`` and ``not(...)`` are read as inequality and negation."""
    found: list[Line] = []
    for number, line in _lines(text):
        rule = line.strip()
        if ":-" in rule or re.fullmatch(r"\*?[a-z]\w*\([^()]*\)\.", rule):
            rule = rule.lstrip("*").strip().rstrip(".") + "."
            found.append(Line(number, line, rule.replace("<>", " \\= ").replace("not(", "\\+ (")))
    return found


# Rules about triples: AMIE, AnyBURL, Neural-LP ------------------------------------------------------------------------


def amie(text: str) -> list[Line]:
    """Lines with ``=>``. The weight is the PCA confidence. AMIE shows no inequalities that it assumed."""
    found = []
    for number, line in _lines(text):
        if "=>" not in line:
            continue
        rule, *columns = line.split("\t")
        body, _, head = rule.partition("=>")
        atoms = _triples(body), _triples(head)
        weight = _float(columns[2]) if len(columns) > 2 else None
        if atoms[0] is None or atoms[1] is None or len(atoms[1]) != 1:
            found.append(Line(number, line, reason="expected triples '?a relation ?b' on both sides of =>"))
        else:
            found.append(Line(number, line, f"{atoms[1][0]} :- {', '.join(atoms[0])}.", weight))
    return found


def _triples(side: str) -> list[str] | None:
    words = side.split()
    if not words or len(words) % 3:
        return None
    rows = [words[at : at + 3] for at in range(0, len(words), 3)]
    return [f"{quote(relation)}({_amie_term(one)},{_amie_term(other)})" for one, relation, other in rows]


def _amie_term(word: str) -> str:
    return word[1:].upper() if re.fullmatch(r"\?[a-z]\w*", word) else quote(word)


def anyburl(text: str) -> list[Line]:
    """``predictions <tab> correct <tab> confidence <tab> head <= body``; single capitals are variables."""
    found = []
    for number, line in _lines(text):
        if "<=" not in line:
            continue
        *columns, rule = line.split("\t")
        weight = _float(columns[2]) if len(columns) > 2 else None
        head, _, body = rule.partition("<=")
        atoms = _atoms(body, _anyburl_term) if body.strip() else []
        heads = _atoms(head, _anyburl_term)
        if heads is None or len(heads) != 1 or atoms is None:
            found.append(Line(number, line, reason="expected head(X,Y) <= body atoms"))
        else:
            found.append(Line(number, line, f"{heads[0]} :- {', '.join(atoms)}." if atoms else f"{heads[0]}.", weight))
    return found


def _anyburl_term(word: str) -> str:
    return word if re.fullmatch(r"[A-Z]\d*", word) else quote(word)


_ATOM = re.compile(r"\s*([^\s(),][^\s(]*)\(([^()]*)\)\s*(?:,|$)")


def _atoms(text: str, term: Callable[[str], str]) -> list[str] | None:
    """Atoms ``relation(a,b)`` of arbitrary names, with commas between; None where the text is something else."""
    atoms, at = [], 0
    while at < len(text.rstrip()):
        found = _ATOM.match(text, at)
        if found is None:
            return None
        atoms.append(f"{quote(found[1])}({','.join(term(part.strip()) for part in found[2].split(','))})")
        at = found.end()
    return atoms


_NEURAL_LP = re.compile(rf"\s*({_NUMBER})(?:\s*\(({_NUMBER})\))?\s+(\S.*?)\s*<--\s*(.*)$")
_INVERSE = re.compile(r"(?:'inv_((?:[^'\\]|\\.)*)'|\binv_(\w+))\(([^(),]*),([^(),]*)\)")


def neural_lp(text: str) -> list[Line]:
    """``weight (normalised) <tab> head <-- body``; ``inv_r(X, Y)`` is r(Y, X), in heads and in bodies alike.

    The weight is the normalised one. A rule whose body is ``equal`` says that a relation holds of all equal things,
    which nobody means: it is rejected.
    """
    found = []
    for number, line in _lines(text):
        parts = _NEURAL_LP.match(line)
        if parts is None:
            if "<--" in line:
                found.append(Line(number, line, reason="expected: weight, head <-- body"))
            continue
        weight = _float(parts[2] or parts[1])
        if "equal" in re.findall(r"(\w+)\(", parts[3] + parts[4]):
            found.append(
                Line(number, line, weight=weight, reason="'equal' is the identity, not a relation of the data")
            )
            continue
        sides = [_atoms(side, _anyburl_term) for side in (parts[3], parts[4])]
        if sides[0] is None or sides[1] is None or len(sides[0]) != 1 or not sides[1]:
            found.append(Line(number, line, weight=weight, reason="expected head(B, A) <-- body atoms"))
            continue
        clause = f"{sides[0][0]} :- {', '.join(sides[1])}."
        found.append(Line(number, line, _INVERSE.sub(_swapped, clause), weight))
    return found


def _swapped(found: re.Match[str]) -> str:
    name = quote(found[1]) if found[1] is not None else quote(found[2])
    return f"{name}({found[4]},{found[3]})"


_NTP = re.compile(rf"\s*({_NUMBER})\s+(\S.*:-.*)$")


def ntp(text: str) -> list[Line]:
    """``weight <tab> head :- body.``"""
    found = []
    for number, line in _lines(text):
        parts = _NTP.match(line)
        if parts is not None:
            found.append(Line(number, line, parts[2].strip().rstrip(".") + ".", _float(parts[1])))
        elif ":-" in line:
            found.append(Line(number, line, reason="expected: weight, head :- body"))
    return found


def _float(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


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
    ("neural-lp", re.compile(rf"^\s*{_NUMBER}.*<--", re.MULTILINE)),
    ("anyburl", re.compile(rf"^\d+\t\d+\t{_NUMBER}\t.*<=", re.MULTILINE)),
    ("amie", re.compile(r"^\s*\?\w+\s.*=>\s*\S", re.MULTILINE)),
    ("ntp", re.compile(rf"^\s*{_NUMBER}\t\S.*:-", re.MULTILINE)),
    ("aleph", re.compile(r"^\[(?:theory|Rule \d+|Training set)", re.MULTILINE)),
    ("popper", re.compile(r"^(?:[\d.]+s )?(?:\*+ SOLUTION|New best hypothesis)", re.MULTILINE)),
    ("foil", re.compile(r"^(?:FOIL \d|Relation \S+$)", re.MULTILINE)),
)


def detect(text: str) -> str:
    """The dialect that the text looks like; ``prolog`` where nothing speaks for a learner."""
    return next((name for name, sign in _SIGNS if sign.search(text)), "prolog")

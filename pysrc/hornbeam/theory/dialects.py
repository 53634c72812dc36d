r"""What learners print, line by line, as Prolog clause text.

A dialect turns text into :class:`Line`\ s: each line of the output that is or might be a rule, with its clause in
Prolog, or with the reason why there is none. Log lines that are clearly not rules are skipped.

Miners of knowledge graphs (AMIE, AnyBURL, Neural-LP) print relations of triples. A word in angle brackets is read
without them, and an IRI by its local name, as the facts of a theory name it.

>>> [line.clause for line in foil("FOIL 6.4\np0(A,B) :- p1(A,C), not(p2(C,B)), A<>B.\n")]
['p0(A,B) :- p1(A,C), \\+ (p2(C,B)), A \\= B.']
>>> [line.clause for line in amie("?a  <http://x.org/kin#parent>  ?b   => ?b  <child>  ?a\t0.5\t0.4\t0.8\n")]
['child(B,A) :- parent(A,B).']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hornbeam.errors import UsageError
from hornbeam.logic.terms import quote
from hornbeam.registry import Registry

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output: a clause as Prolog text, or None and a reason."""

    number: int
    text: str
    clause: str | None = None
    weight: float | None = None
    reason: str = ""


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line.rstrip()


def as_float(text: str | None) -> float | None:
    """A number, also one with the decimal comma that Java prints in many countries; None if it is none.

    >>> as_float("0.25"), as_float("0,25"), as_float("n/a")
    (0.25, 0.25, None)
    """
    if text is None:
        return None
    plain = text.strip()
    if re.fullmatch(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", plain):
        plain = plain.replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return None


Dialect = Callable[[str], list[Line]]

# Prolog inside a log: Aleph, Popper, FOIL ---------------------------------------------------------------------------

_ALEPH_RULE = re.compile(r"\[Rule \d+\] \[Pos cover = (\d+) Neg cover = (\d+)\]")


def aleph(text: str) -> list[Line]:
    """The rules of the last ``[theory]``, or a file of write_rules; weight is the precision on the training data."""
    lines = list(numbered_lines(text))
    starts = [at for at, (_, line) in enumerate(lines) if line.strip() == "[theory]"]
    lines = lines[starts[-1] + 1 :] if starts else lines
    rules: list[Line] = []
    weight: float | None = None
    for number, block in _blocks(lines):
        rule = _ALEPH_RULE.match(block)
        if rule is not None:
            positive, negative = int(rule[1]), int(rule[2])
            weight = positive / (positive + negative) if positive + negative else None
        elif block.startswith("["):
            if "theory" not in block and ":-" in block:
                rules.append(Line(number, block, reason="a log line, not a rule"))
            if block.startswith(("[Training", "[time", "[total")):
                break
        elif block.endswith("."):
            rules.append(Line(number, block, block, weight))
            weight = None
        else:
            rules.append(Line(number, block, reason="no full stop"))
    return rules


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
    rules: list[Line] = []
    for number, line in lines[starts[-1] + 1 :] if starts else lines:
        if _STARS.fullmatch(line):
            if starts:
                # The end of the block: behind it come programs that were tried, not learned.
                break
        elif _POPPER_RULE.fullmatch(line):
            rules.append(Line(number, line, line))
        elif ":-" in line and not line.startswith("%"):
            rules.append(Line(number, line, reason="not a rule"))
    return rules


_FOIL_RULE = re.compile(r"\*?\s*(?:[a-z]\w*(?:\([^()]*\))?\s*:-.*|[a-z]\w*\([^()]*\)\s*\.)")


def foil(text: str) -> list[Line]:
    """The definitions of FOIL 6; ``A<>B``, ``A<=B`` and ``not(...)`` are read as Prolog has them."""
    rules: list[Line] = []
    for number, line in numbered_lines(text):
        rule = line.strip()
        if _FOIL_RULE.fullmatch(rule):
            rule = rule.lstrip("*").strip().rstrip(".") + "."
            rule = rule.replace("<>", " \\= ").replace("<=", " =< ")
            rules.append(Line(number, line, re.sub(r"(?<!\w)not\(", r"\\+ (", rule)))
        elif ":-" in rule:
            rules.append(Line(number, line, reason="a log line, not a rule"))
    return rules


# Neural theorem provers -----------------------------------------------------------------------------------------------

_NTP = re.compile(rf"\s*({NUMBER})\s+(\S.*:-.*)$")


def ntp(text: str) -> list[Line]:
    """``weight <tab> head :- body.``"""
    rules = []
    for number, line in numbered_lines(text):
        parts = _NTP.match(line)
        if parts is not None:
            rules.append(Line(number, line, parts[2].strip().rstrip(".") + ".", as_float(parts[1])))
        elif ":-" in line:
            rules.append(Line(number, line, reason="expected: weight, head :- body"))
    return rules


# Miners of knowledge graphs -------------------------------------------------------------------------------------------

Atom = tuple[str, list[str]]


class Names:
    """The words of one file as Prolog atoms."""

    def __init__(self) -> None:
        self._whole: dict[tuple[str, str], str] = {}

    def relation(self, word: str, line: int) -> str:
        return self._local("relation", word, line)

    def thing(self, word: str, line: int) -> str:
        return self._local("constant", word, line)

    def _local(self, kind: str, word: str, line: int) -> str:
        """UsageError if two IRIs come to one name: a reader could not tell them apart."""
        bracketed = len(word) > 2 and word[0] == "<" and word[-1] == ">"
        whole = word[1:-1] if bracketed else word
        is_iri = "://" in whole or (bracketed and whole.startswith("urn:"))
        local = re.split(r"[#/:]", whole.rstrip("#/:"))[-1] if is_iri else whole
        other = self._whole.setdefault((kind, local), whole)
        if other != whole:
            raise UsageError(
                f"<{other}> and <{whole}> are both the {kind} '{local}' by their local names; "
                "rename one of them in the file",
                line=line,
            )
        return quote(local)


# AMIE -----------------------------------------------------------------------------------------------------------------

_WORD = re.compile(r'<[^<>]*>|"(?:[^"\\]|\\.)*"\S*|\S+')
_DIFFERENT = frozenset({"differentFrom", "<differentFrom>", "!="})


def amie(text: str) -> list[Line]:
    """Lines with ``=>``, as triples or in AMIE's datalog notation. The weight is the PCA confidence.

    AMIE shows no inequalities that it assumed; those that it shows are kept.
    """
    names, rules = Names(), list[Line]()
    for number, line in numbered_lines(text):
        if "=>" not in line:
            continue
        rule, *columns = line.split("\t")
        sides = [_amie_side(side, names, number) for side in rule.split("=>")]
        weight = as_float(columns[2]) if len(columns) > 2 else None
        body, head = (sides[0], sides[1]) if len(sides) == 2 else (None, None)
        if not body or head is None or len(head) != 1:
            rules.append(Line(number, line, reason="expected triples '?a relation ?b' on both sides of =>"))
        else:
            rules.append(Line(number, line, f"{head[0]} :- {', '.join(body)}.", weight))
    return rules


def _amie_side(side: str, names: Names, line: int) -> list[str] | None:
    triples = atoms(side, _is_amie_variable) or _triples(side)
    if triples is None or any(len(words) != 2 for _, words in triples):
        return None
    shown = []
    for relation, words in triples:
        one, other = (_amie_term(word, names, line) for word in words)
        different = relation in _DIFFERENT
        shown.append(f"{one} \\= {other}" if different else f"{names.relation(relation, line)}({one},{other})")
    return shown


def _triples(side: str) -> list[Atom] | None:
    words = _WORD.findall(side)
    if not words or len(words) % 3:
        return None
    return [(words[at + 1], [words[at], words[at + 2]]) for at in range(0, len(words), 3)]


def _is_amie_variable(word: str) -> bool:
    return re.fullmatch(r"\?[A-Za-z_]\w*", word) is not None


def _amie_term(word: str, names: Names, line: int) -> str:
    return word[1].upper() + word[2:] if _is_amie_variable(word) else names.thing(word, line)


# AnyBURL and Neural-LP ------------------------------------------------------------------------------------------------

_SELF = "me_myself_i"  # AnyBURL's word for the other argument of the same atom


def anyburl(text: str) -> list[Line]:
    """``predictions <tab> correct <tab> confidence <tab> head <= body``; single capitals are variables."""
    names, rules = Names(), list[Line]()
    for number, line in numbered_lines(text):
        if "<=" not in line:
            continue
        *columns, rule = line.split("\t")
        weight = as_float(columns[2]) if len(columns) > 2 else None
        head, _, body = rule.partition("<=")
        heads, parts = atoms(head, _is_variable), atoms(body, _is_variable)
        if heads is None or len(heads) != 1 or parts is None:
            rules.append(Line(number, line, reason="expected head(X,Y) <= body atoms"))
        else:
            first, *rest = [_shown(_reflexive(atom), names, number) for atom in (*heads, *parts)]
            rules.append(Line(number, line, f"{first} :- {', '.join(rest)}." if rest else f"{first}.", weight))
    return rules


def _reflexive(atom: Atom) -> Atom:
    name, words = atom
    others = [word for word in words if word != _SELF]
    return (name, [others[0] if word == _SELF else word for word in words]) if others else atom


_NEURAL_LP = re.compile(rf"\s*({NUMBER})(?:\s*\(({NUMBER})\))?\s+(\S.*?)\s*<--\s*(.*)$")


def neural_lp(text: str) -> list[Line]:
    """``weight (normalised) <tab> head <-- body``; ``inv_r(X, Y)`` is r(Y, X), in heads and in bodies alike.

    The weight is the normalised one. A rule whose body is ``equal`` says that a relation holds of all equal things,
    which is never intended: it is rejected.
    """
    names, rules = Names(), list[Line]()
    for number, line in numbered_lines(text):
        parts = _NEURAL_LP.match(line)
        if parts is None:
            if "<--" in line:
                rules.append(Line(number, line, reason="expected: weight, head <-- body"))
            continue
        weight = as_float(parts[2] or parts[1])
        heads, body = atoms(parts[3], _is_variable), atoms(parts[4], _is_variable)
        reason = "expected head(B, A) <-- body atoms" if not heads or len(heads) != 1 or not body else ""
        if any(name == "equal" for name, _ in (*(heads or ()), *(body or ()))):
            reason = "'equal' is the identity, not a relation of the data"
        if reason or heads is None or body is None:
            rules.append(Line(number, line, weight=weight, reason=reason))
            continue
        first, *rest = [_shown(_forward(atom), names, number) for atom in (*heads, *body)]
        rules.append(Line(number, line, f"{first} :- {', '.join(rest)}.", weight))
    return rules


def _forward(atom: Atom) -> Atom:
    name, words = atom
    return (name.removeprefix("inv_"), words[::-1]) if name.startswith("inv_") and len(words) == 2 else atom


def _is_variable(word: str) -> bool:
    return re.fullmatch(r"[A-Z]\d*", word) is not None


def _shown(atom: Atom, names: Names, line: int) -> str:
    name, words = atom
    terms = [word if _is_variable(word) else names.thing(word, line) for word in words]
    return f"{names.relation(name, line)}({','.join(terms)})"


# Atoms of arbitrary names ---------------------------------------------------------------------------------------------

# An atom ends at the bracket behind which the next one, or nothing, begins: names of things may hold brackets.
_ATOM = re.compile(r"\s*(<[^<>]*>|[^\s(),][^\s(]*)\((.*?)\)\s*(?:[,^&∧]\s*|$)")


def atoms(text: str, is_variable: Callable[[str], bool]) -> list[Atom] | None:
    """Atoms ``relation(a,b)`` with commas between; None if the text is something else."""
    read: list[Atom] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        part = _ATOM.match(text, at, end)
        words = _arguments(part[2], is_variable) if part else None
        if part is None or words is None:
            return None
        read.append((part[1], words))
        at = part.end()
    return read


def _arguments(text: str, is_variable: Callable[[str], bool]) -> list[str] | None:
    """Split at commas; a thing whose name holds commas is known by the variable beside it."""
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        return None
    if len(words) <= 2 or all(map(is_variable, words)):
        return words
    first, _, rest = text.partition(",")
    before, _, last = text.rpartition(",")
    if is_variable(words[0]):
        return [first.strip(), rest.strip()]
    return [before.strip(), last.strip()] if is_variable(words[-1]) else None


_BUILT_IN = (aleph, amie, anyburl, foil, neural_lp, ntp, popper)
DIALECTS: Registry[Dialect] = Registry(
    "dialect",
    "hornbeam.dialects",
    {read.__name__.replace("_", "-"): f"{__name__}:{read.__name__}" for read in _BUILT_IN},
)

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

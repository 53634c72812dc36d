r"""What miners of knowledge graphs print: AMIE, AnyBURL, Neural-LP. Their relations are those of triples.

A word in angle brackets is read without them, and an IRI by its local name, as the facts of a theory name it.

>>> [line.clause for line in amie("?a  <http://x.org/kin#parent>  ?b   => ?b  <child>  ?a\t0.5\t0.4\t0.8\n")]
['child(B,A) :- parent(A,B).']
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hornbeam.errors import UsageError
from hornbeam.logic.terms import quote
from hornbeam.theory.lines import NUMBER, Line, as_float, numbered_lines

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
        """UsageError where two IRIs come to one name: a reader could not tell them apart."""
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
    names, found = Names(), list[Line]()
    for number, line in numbered_lines(text):
        if "=>" not in line:
            continue
        rule, *columns = line.split("\t")
        sides = [_amie_side(side, names, number) for side in rule.split("=>")]
        weight = as_float(columns[2]) if len(columns) > 2 else None
        body, head = (sides[0], sides[1]) if len(sides) == 2 else (None, None)
        if not body or head is None or len(head) != 1:
            found.append(Line(number, line, reason="expected triples '?a relation ?b' on both sides of =>"))
        else:
            found.append(Line(number, line, f"{head[0]} :- {', '.join(body)}.", weight))
    return found


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
    names, found = Names(), list[Line]()
    for number, line in numbered_lines(text):
        if "<=" not in line:
            continue
        *columns, rule = line.split("\t")
        weight = as_float(columns[2]) if len(columns) > 2 else None
        head, _, body = rule.partition("<=")
        heads, parts = atoms(head, _is_variable), atoms(body, _is_variable)
        if heads is None or len(heads) != 1 or parts is None:
            found.append(Line(number, line, reason="expected head(X,Y) <= body atoms"))
        else:
            first, *rest = [_shown(_reflexive(atom), names, number) for atom in (*heads, *parts)]
            found.append(Line(number, line, f"{first} :- {', '.join(rest)}." if rest else f"{first}.", weight))
    return found


def _reflexive(atom: Atom) -> Atom:
    name, words = atom
    others = [word for word in words if word != _SELF]
    return (name, [others[0] if word == _SELF else word for word in words]) if others else atom


_NEURAL_LP = re.compile(rf"\s*({NUMBER})(?:\s*\(({NUMBER})\))?\s+(\S.*?)\s*<--\s*(.*)$")


def neural_lp(text: str) -> list[Line]:
    """``weight (normalised) <tab> head <-- body``; ``inv_r(X, Y)`` is r(Y, X), in heads and in bodies alike.

    The weight is the normalised one. A rule whose body is ``equal`` says that a relation holds of all equal things,
    which nobody means: it is rejected.
    """
    names, found = Names(), list[Line]()
    for number, line in numbered_lines(text):
        parts = _NEURAL_LP.match(line)
        if parts is None:
            if "<--" in line:
                found.append(Line(number, line, reason="expected: weight, head <-- body"))
            continue
        weight = as_float(parts[2] or parts[1])
        heads, body = atoms(parts[3], _is_variable), atoms(parts[4], _is_variable)
        reason = "expected head(B, A) <-- body atoms" if not heads or len(heads) != 1 or not body else ""
        if any(name == "equal" for name, _ in (*(heads or ()), *(body or ()))):
            reason = "'equal' is the identity, not a relation of the data"
        if reason or heads is None or body is None:
            found.append(Line(number, line, weight=weight, reason=reason))
            continue
        first, *rest = [_shown(_forward(atom), names, number) for atom in (*heads, *body)]
        found.append(Line(number, line, f"{first} :- {', '.join(rest)}.", weight))
    return found


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
    """Atoms ``relation(a,b)`` with commas between; None where the text is something else."""
    found: list[Atom] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        part = _ATOM.match(text, at, end)
        words = _arguments(part[2], is_variable) if part else None
        if part is None or words is None:
            return None
        found.append((part[1], words))
        at = part.end()
    return found


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

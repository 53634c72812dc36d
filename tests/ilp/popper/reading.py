"""Reads task directories of Popper: what we wrote is compared with what it says, and published tasks are benchmarks.

The bias.pl is an ASP program, read as one.

Its facts, and rules that make such facts, declare the language. The rest is free ASP over the vocabulary of Popper's
own generator (``body_literal``, ``var_type``, ...). Our bias has no words for that, so such statements are handed back
with their places; only the one that most published tasks have, that a clause has one variable of some type, is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.ilp.popper.files import BACKGROUND, BIAS, EXAMPLES
from hornbeam.logic.asp import engine
from hornbeam.logic.asp.engine import ast
from hornbeam.logic.terms import Clause, Compound, Term, variables
from hornbeam.tasks.bias import ANY_TYPE, Bias, Fill, Mode, Place
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory.reading import file_text, read_text
from hornbeam.theory.theory import Indicator, arguments, indicator

# What Popper 4 takes where bias.pl does not say.
MAX_VARS, MAX_BODY, MAX_CLAUSES = 6, 6, 2

# Declarations, each with the numbers of its arguments.
_DECLARATIONS = {
    ("head_pred", 2), ("body_pred", 2), ("type", 2), ("direction", 2), ("max_vars", 1), ("max_body", 1),
    ("max_clauses", 1), ("enable_recursion", 0), ("enable_pi", 0), ("non_datalog", 0), ("allow_singletons", 0),
}  # fmt: skip
# What Popper's generator defines: a statement that speaks of it cannot be understood by itself.
_GENERATOR = {
    ("body_literal", 4), ("head_literal", 4), ("clause", 1), ("clause_var", 2), ("head_var", 2), ("body_var", 2),
    ("var_type", 3), ("body_size", 2), ("size", 1), ("vars", 2), ("var_pos", 3), ("bad_body", 2), ("var_member", 2),
    ("recursive", 0), ("recursive_clause", 3), ("base_clause", 3), ("invented", 2), ("var_in_literal", 4),
    ("clause_size", 2), ("before", 2), ("direction_", 3), ("safe_bvar", 2), ("pi_or_rec", 0), ("pi_enabled", 0),
}  # fmt: skip
# The one constraint that many published tasks have, as clingo prints it: a clause speaks of one picture, or one game.
_SINGLE = re.compile(
    r"#false :- clause\((\w+)\); 1 != #count \{ (\w+): (?:clause_var\(\1,\2\), )?var_type\(\1,\2,(\w+)\) \}\."
)
_EITHER: Fill = "?"
_DIRECTIONS: dict[str, Fill] = {"in": "+", "out": "-"}


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A statement of bias.pl that our bias cannot say."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class BiasFile:
    """What a bias.pl says."""

    bias: Bias
    non_datalog: bool  # head variables need not occur in the body
    single_types: tuple[str, ...]  # types of which each clause has one variable
    not_understood: tuple[NotUnderstood, ...]


@dataclass(frozen=True, slots=True)
class _Declared:
    """The declarations as they stand."""

    heads: tuple[Indicator, ...]
    bodies: tuple[Indicator, ...]
    types: dict[str, tuple[str, ...]]
    directions: dict[str, tuple[str, ...]]
    numbers: dict[str, int]
    switches: frozenset[str]


def read_bias(text: str, file: str | Path) -> BiasFile:
    """The bias of a Popper task; UsageError names the place of what is wrong.

    >>> made = read_bias("head_pred(f,1). body_pred(p,2). type(f,(t,)). type(p,(t,u)). max_body(3).", "bias.pl")
    >>> made.bias.max_body, str(made.bias.body[0])
    (3, 'p(?t,?u)')
    """
    plain, free = _statements(text, file)
    declared = _declared(plain, file)
    if not declared.heads:
        raise UsageError("expected head_pred(Name,Arity), the predicate to learn", file=str(file))
    loops = bool(declared.switches & {"enable_recursion", "enable_pi"})
    bias = Bias(
        head=tuple(_mode(predicate, declared, file) for predicate in declared.heads[-1:]),
        body=tuple(_mode(predicate, declared, file) for predicate in declared.bodies),
        max_body=declared.numbers.get("max_body", MAX_BODY),
        max_vars=declared.numbers.get("max_vars", MAX_VARS),
        max_clauses=declared.numbers.get("max_clauses", MAX_CLAUSES) if loops else None,
        # A variable can be as far from the head as a clause has literals: Popper has no bound of its own.
        depth=declared.numbers.get("max_body", MAX_BODY),
        recursion="enable_recursion" in declared.switches,
        invention="enable_pi" in declared.switches,
    )
    single = tuple(found[3] for statement in free if (found := _SINGLE.fullmatch(statement.text)))
    others = tuple(statement for statement in free if not _SINGLE.fullmatch(statement.text))
    return BiasFile(bias, "non_datalog" in declared.switches, single, others)


# Statements -------------------------------------------------------------------------------------------------------


def _statements(text: str, file: str | Path) -> tuple[list[str], tuple[NotUnderstood, ...]]:
    """The statements that declare or help to, as text, and the others."""
    parsed: list[ast.AST] = []
    messages: list[str] = []
    try:
        ast.parse_string(text, parsed.append, logger=lambda _, message: messages.append(message))
    except RuntimeError:
        raise _syntax_error(messages, file) from None
    plain: list[str] = []
    free: list[NotUnderstood] = []
    for statement in parsed:
        if statement.ast_type in (ast.ASTType.Program, ast.ASTType.Comment):
            continue
        if statement.ast_type == ast.ASTType.Rule and not _is_free(statement):
            plain.append(str(statement))
        else:
            free.append(NotUnderstood(statement.location.begin.line, str(statement)))
    return plain, tuple(free)


def _syntax_error(messages: list[str], file: str | Path) -> UsageError:
    """clingo says <string>:LINE:COLUMN-...: error: REASON."""
    first = messages[0].strip() if messages else "it is no ASP program"
    parts = first.split(":", 3)
    if len(parts) == 4 and parts[1].isdigit():
        reason = " ".join(parts[3].replace("error:", "").split())
        return UsageError(f"not ASP: {reason}", file=str(file), line=int(parts[1]))
    return UsageError(f"not ASP: {first}", file=str(file))


def _is_free(rule: ast.AST) -> bool:
    head = rule.head
    if head.ast_type != ast.ASTType.Literal:
        return True  # choices, disjunctions, aggregates
    if str(head) == "#false":
        return True
    return any(found in _GENERATOR for found in _predicates(rule))


def _predicates(node: ast.AST) -> Iterator[tuple[str, int]]:
    if node.ast_type == ast.ASTType.SymbolicAtom:
        symbol = node.symbol
        if symbol.ast_type == ast.ASTType.Function:
            yield symbol.name, len(symbol.arguments)
        elif symbol.ast_type == ast.ASTType.SymbolicTerm:
            yield symbol.symbol.name, 0
    for key in node.child_keys:
        value = getattr(node, key)
        for child in value if isinstance(value, ast.ASTSequence) else [value]:
            if isinstance(child, ast.AST):
                yield from _predicates(child)


# Declarations -----------------------------------------------------------------------------------------------------


def _declared(statements: list[str], file: str | Path) -> _Declared:
    """The declarations that follow from the statements, in the order of the text for those that stand there."""
    messages: list[str] = []
    control = engine.Control(["--warn=none"], logger=lambda _, message: messages.append(message))
    try:
        control.add("base", [], "\n".join(statements))
        control.ground([("base", [])])
    except RuntimeError:
        reason = messages[0].strip() if messages else "clingo cannot ground it"
        raise UsageError(f"not ASP: {reason}", file=str(file)) from None
    atoms = [atom.symbol for atom in control.symbolic_atoms]
    found = [atom for atom in atoms if (atom.name, len(atom.arguments)) in _DECLARATIONS]
    order = {text.rstrip(".").replace(" ", ""): number for number, text in enumerate(statements)}
    found.sort(key=lambda atom: (order.get(str(atom).replace(" ", ""), len(order)), str(atom)))
    return _Declared(
        heads=_indicators(found, "head_pred", file),
        bodies=_indicators(found, "body_pred", file),
        types=_tuples(found, "type", file),
        directions=_tuples(found, "direction", file),
        numbers={atom.name: _number(atom.arguments[0], atom, file) for atom in found if atom.name.startswith("max_")},
        switches=frozenset(atom.name for atom in found if not atom.arguments),
    )


def _indicators(atoms: list[engine.Symbol], name: str, file: str | Path) -> tuple[Indicator, ...]:
    chosen = [atom for atom in atoms if atom.name == name]
    return tuple((_name(atom.arguments[0], atom, file), _number(atom.arguments[1], atom, file)) for atom in chosen)


def _tuples(atoms: list[engine.Symbol], name: str, file: str | Path) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for atom in atoms:
        if atom.name == name:
            key, value = atom.arguments
            if value.type != engine.SymbolType.Function or value.name:
                raise UsageError(f"in {atom} expected a tuple; of one element it is ({value},)", file=str(file))
            found[_name(key, atom, file)] = tuple(_name(part, atom, file) for part in value.arguments)
    return found


def _name(symbol: engine.Symbol, atom: engine.Symbol, file: str | Path) -> str:
    if symbol.type == engine.SymbolType.Function and symbol.name and not symbol.arguments:
        return symbol.name
    raise UsageError(f"in {atom} expected a name, not {symbol}", file=str(file))


def _number(symbol: engine.Symbol, atom: engine.Symbol, file: str | Path) -> int:
    if symbol.type == engine.SymbolType.Number:
        return symbol.number
    raise UsageError(f"in {atom} expected a number, not {symbol}", file=str(file))


def _mode(predicate: Indicator, declared: _Declared, file: str | Path) -> Mode:
    name, arity = predicate
    types = declared.types.get(name, (ANY_TYPE,) * arity)
    directions = declared.directions.get(name)
    fills = (_EITHER,) * arity
    if directions is not None:
        unknown = [direction for direction in directions if direction not in _DIRECTIONS]
        if unknown:
            raise UsageError(f"direction of {name}: expected in or out, not {unknown[0]}", file=str(file))
        fills = tuple(_DIRECTIONS[direction] for direction in directions)
    for what, given in (("type", len(types)), ("direction", len(fills))):
        if given != arity:
            raise UsageError(f"{what} of {name}/{arity}: expected {arity} elements, not {given}", file=str(file))
    return Mode(name, tuple(Place(fill, kind) for fill, kind in zip(fills, types, strict=True)))


# Task directories ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PopperTask:
    """A task from a directory, and what of its bias.pl the task does not hold."""

    task: ExampleTask
    non_datalog: bool = False  # head variables need not occur in the body
    single_types: tuple[str, ...] = ()  # types of which each clause has one variable
    not_understood: tuple[NotUnderstood, ...] = ()


def read_task(folder: str | Path) -> PopperTask:
    """The task of a directory; UsageError names the file and the line of what is wrong."""
    folder = Path(folder)
    missing = [name for name in (EXAMPLES, BACKGROUND, BIAS) if not (folder / name).is_file()]
    if missing:
        raise UsageError(f"expected a Popper task, with {EXAMPLES}, {BACKGROUND} and {BIAS}: there is no {missing[0]}",
                         file=str(folder))  # fmt: skip
    said = read_bias(file_text(folder / BIAS), folder / BIAS)
    positive, negative = _examples(folder / EXAMPLES)
    background = file_text(folder / BACKGROUND)
    # Not strict: a library may define operators that only Prolog knows once it has loaded it.
    program = read_text(background, name=str(folder / BACKGROUND), strict=False)
    task = ExampleTask(
        name=folder.resolve().name,
        positive=positive,
        negative=negative,
        background=background,
        bias=said.bias,
        facts=not program.rejected and all(map(_is_ground_fact, program.clauses)),
    )
    return PopperTask(task, said.non_datalog, said.single_types, said.not_understood)


def _examples(file: Path) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    found: dict[str, list[Term]] = {"pos": [], "neg": []}
    for statement in read_text(file_text(file), name=str(file)).statements:
        head = statement.clause.head
        if statement.clause.body or indicator(head) not in {("pos", 1), ("neg", 1)}:
            raise UsageError("expected pos(Atom). or neg(Atom).", file=str(file), line=statement.line)
        assert isinstance(head, Compound)
        found[head.functor].append(head.args[0])
    return tuple(found["pos"]), tuple(found["neg"])


def _is_ground_fact(clause: Clause) -> bool:
    return not clause.body and not variables(clause) and all(not _is_compound(arg) for arg in arguments(clause.head))


def _is_compound(term: Term) -> bool:
    return isinstance(term, (Compound, list))

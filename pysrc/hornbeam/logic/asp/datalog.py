"""What makes a clingo program a datalog program with one least model: checks on its syntax tree.

Refused, each with its place: heads that choose, constraints, classical negation; one predicate with two arities;
negation through a cycle; rules that build ever larger terms.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from clingo.ast import AST, ASTType, ComparisonOperator, Sign, parse_string

from hornbeam.errors import AspError, NotStratified
from hornbeam.logic.asp.messages import Origin, ProgramError
from hornbeam.logic.asp.symbols import decode_predicate, predicate_source
from hornbeam.logic.terms import Term

Node = TypeVar("Node", bound=Hashable)
Indicator = tuple[str, int]

_KEPT = frozenset({ASTType.Program, ASTType.Definition, ASTType.Defined})
_DROPPED = frozenset({ASTType.ShowSignature, ASTType.ShowTerm, ASTType.Comment})
_SIMPLE = frozenset({ASTType.Variable, ASTType.SymbolicTerm})
_ARITHMETIC = frozenset({ASTType.BinaryOperation, ASTType.UnaryOperation, ASTType.Interval})


@dataclass
class Rule:
    """A rule of the program: what it defines, what it needs, and whether it builds terms."""

    ast: AST
    heads: list[Indicator]
    needs: list[Indicator] = field(default_factory=list)
    denies: list[Indicator] = field(default_factory=list)
    builds_terms: bool = False
    computes: bool = False


def check(statements: Iterable[AST], *, origin: Origin | None = None, depth: int | None = None) -> Datalog:
    """The statements as a datalog program; ProgramError or NotStratified if they are none."""
    return Datalog(statements, origin, depth)


class Datalog:
    """A checked program: statements for clingo, and which predicates it defines and takes as input."""

    def __init__(self, statements: Iterable[AST], origin: Origin | None, depth: int | None) -> None:
        self._origin = origin
        self.arities: dict[str, int] = {}
        rules: list[Rule] = []
        self.statements: list[AST] = []
        for statement in statements:
            if statement.ast_type is ASTType.Rule:
                rules.append(self._rule(statement))
            elif statement.ast_type not in _DROPPED:
                self._other(statement)
        self._check_cycles(rules, depth)
        self.statements += [_bounded(rule) if depth is not None and rule.builds_terms else rule.ast for rule in rules]
        self.defined = frozenset(head for rule in rules for head in rule.heads)
        used = {need for rule in rules for need in (*rule.needs, *rule.denies)}
        self.inputs = frozenset(used) - self.defined

    def error(self, message: str, place: AST, kind: type[AspError] = ProgramError) -> AspError:
        """An error at a place of the program."""
        begin = place.location.begin
        if begin.filename != "<string>":
            return kind(message, file=begin.filename, line=begin.line, column=begin.column)
        origin = self._origin(begin.line) if self._origin is not None else None
        return kind(f"{message}\nin: {origin or place}")

    def admit(self, name: str, args: tuple[Term, ...]) -> Indicator:
        """The predicate of a fact that stands beside the statements; ProgramError if its arity is another."""
        indicator = (predicate_source(name), len(args))
        if self.arities.setdefault(*indicator) != indicator[1]:
            raise ProgramError(clash(indicator[0], self.arities[indicator[0]], indicator[1]))
        return indicator

    def _other(self, statement: AST) -> None:
        if statement.ast_type not in _KEPT:
            raise self.error("expected a rule or a fact of datalog", statement)
        if statement.ast_type is ASTType.Program and (statement.name != "base" or statement.parameters):
            raise self.error("expected one program without parts", statement)
        self.statements.append(statement)

    # One rule -----------------------------------------------------------------------------------------------------

    def _rule(self, ast: AST) -> Rule:
        head = ast.head
        if head.ast_type is not ASTType.Literal or head.atom.ast_type is not ASTType.SymbolicAtom or head.sign:
            raise self.error("the head of a datalog rule is one atom: no choice, disjunction or constraint", ast)
        rule = Rule(ast, self._indicators(head, ast))
        for literal in ast.body:
            # An aggregate or a conditional literal is no more monotone than a negation.
            (rule.needs if _is_positive(literal) else rule.denies).extend(self._indicators(literal, ast))
        _mark_construction(rule)
        return rule

    def _indicators(self, node: AST, rule: AST) -> list[Indicator]:
        """The predicates of all atoms below a node; each has one arity in the whole program."""
        indicators = []
        for atom in _below(node, ASTType.SymbolicAtom):
            for function in _alternatives(atom.symbol):
                if function.ast_type is not ASTType.Function:
                    raise self.error("classical negation is not datalog", rule)
                indicator = (function.name, len(function.arguments))
                if self.arities.setdefault(*indicator) != indicator[1]:
                    raise self.error(clash(function.name, self.arities[function.name], indicator[1]), rule)
                indicators.append(indicator)
        return indicators

    # All rules ----------------------------------------------------------------------------------------------------

    def _check_cycles(self, rules: list[Rule], depth: int | None) -> None:
        edges: dict[Indicator, set[Indicator]] = {}
        for rule in rules:
            for head in rule.heads:
                edges.setdefault(head, set()).update(rule.needs, rule.denies)
        component = components(edges)
        for rule in rules:
            for head in rule.heads:
                self._check_rule(rule, head, component, depth)

    def _check_rule(self, rule: Rule, head: Indicator, component: dict[Indicator, int], depth: int | None) -> None:
        mine = component[head]
        denied = sorted(other for other in rule.denies if component.get(other) == mine)
        if denied:
            text = f"the negation of {show(denied[0])} in a rule for {show(head)} runs through a cycle: no least model"
            raise self.error(text, rule.ast, NotStratified)
        if not any(component.get(other) == mine for other in rule.needs):
            return
        if rule.computes:
            raise self.error(f"the recursive rule for {show(head)} computes numbers, which need not end", rule.ast)
        if rule.builds_terms and depth is None:
            hint = "give max_depth to bound them"
            raise self.error(f"the recursive rule for {show(head)} builds terms without end; {hint}", rule.ast)


def show(indicator: Indicator) -> str:
    """A predicate as people write it: name/arity."""
    return f"{decode_predicate(indicator[0])}/{indicator[1]}"


def clash(name: str, one: int, other: int) -> str:
    """The message for a predicate with two arities."""
    return f"{show((name, one))} is used with {other} arguments, too: a predicate has one arity"


def _is_positive(literal: AST) -> bool:
    if literal.ast_type is not ASTType.Literal or literal.sign != Sign.NoSign:
        return False
    return bool(literal.atom.ast_type is ASTType.SymbolicAtom)


def relevant(statements: Iterable[AST], predicate: str, value: str) -> list[AST]:
    """The rules that atoms of a predicate with this first argument depend on, and all statements that are no rules."""
    rules = [statement for statement in statements if statement.ast_type is ASTType.Rule]
    heads = [_functions(rule.head) for rule in rules]
    new = {at for at, functions in enumerate(heads) if any(_may_be(one, predicate, value) for one in functions)}
    chosen: set[int] = set()
    while new:
        chosen |= new
        names = {need.name for at in new for literal in rules[at].body for need in _functions(literal)}
        new = {at for at, functions in enumerate(heads) if any(one.name in names for one in functions)} - chosen
    others = [statement for statement in statements if statement.ast_type is not ASTType.Rule]
    return [*others, *(rules[at] for at in sorted(chosen))]


def _functions(node: AST) -> list[AST]:
    return [one for atom in _below(node, ASTType.SymbolicAtom) for one in _alternatives(atom.symbol)]


def _may_be(atom: AST, predicate: str, value: str) -> bool:
    if atom.name != predicate or not atom.arguments:
        return False
    first = atom.arguments[0]
    return first.ast_type is not ASTType.SymbolicTerm or str(first) == value


def _alternatives(symbol: AST) -> Iterator[AST]:
    """An atom's symbol, or those of a pool such as ``p(a;b)``."""
    if symbol.ast_type is ASTType.Pool:
        for argument in symbol.arguments:
            yield from _alternatives(argument)
    else:
        yield symbol


def _below(node: AST, *kinds: ASTType) -> Iterator[AST]:
    """All nodes of these kinds at or below a node; an atom holds no other atom."""
    kind = node.ast_type
    if kind in kinds:
        yield node
        if kind is ASTType.SymbolicAtom:
            return
    if kind in _SIMPLE:
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for part in [child] if isinstance(child, AST) else child or ():
            yield from _below(part, *kinds)


# Rules that build terms ---------------------------------------------------------------------------------------------


def _variables(node: AST) -> set[str]:
    return {variable.name for variable in _below(node, ASTType.Variable)}


def _mark_construction(rule: Rule) -> None:
    """Note whether the rule can make a term that is no part of the terms that its body found."""
    heads = [argument for head in _alternatives(rule.ast.head.atom.symbol) for argument in head.arguments]
    built = [term for term in heads if term.ast_type not in _SIMPLE]
    compared = [literal.atom for literal in rule.ast.body if _is_comparison(literal)]
    if compared:
        bound = set().union(*(_variables(literal) for literal in rule.ast.body if _is_positive(literal)))
        built += [side for comparison in compared for side in _made_by(comparison, bound)]
    for term in built:
        if any(_variables(node) for node in _below(term, *_ARITHMETIC)) or _calls(term):
            rule.computes = True
        elif any(_variables(node) for node in _below(term, ASTType.Function)):
            rule.builds_terms = True


def _is_comparison(literal: AST) -> bool:
    return bool(literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.Comparison)


def _calls(term: AST) -> bool:
    return any(function.external for function in _below(term, ASTType.Function))


def _made_by(comparison: AST, bound: set[str]) -> Iterator[AST]:
    """The sides of an equation that can give an unbound variable a new term."""
    for guard in comparison.guards:
        if guard.comparison == ComparisonOperator.Equal:
            sides = (comparison.term, guard.term)
            if not any(_known(side, bound) for side in sides):
                yield from sides


def _known(side: AST, bound: set[str]) -> bool:
    return not _variables(side) or (side.ast_type is ASTType.Variable and side.name in bound)


def _bounded(rule: Rule) -> AST:
    """The rule with a test of the depth of each term that it puts into its head."""
    heads = [argument for head in _alternatives(rule.ast.head.atom.symbol) for argument in head.arguments]
    tests: list[AST] = []
    for text in sorted({f":- @shallow({term}) = 1." for term in heads if _variables(term)}):
        parse_string(text, lambda statement: tests.extend(getattr(statement, "body", ())))
    return rule.ast.update(body=[*rule.ast.body, *tests])


# Which predicates need each other ------------------------------------------------------------------------------------


def components(edges: Mapping[Node, Collection[Node]]) -> dict[Node, int]:
    """The number of each node's component; two nodes share one where each reaches the other (Tarjan, no recursion).

    >>> groups = components({"a": ["b"], "b": ["a", "c"], "c": []})
    >>> groups["a"] == groups["b"], groups["b"] == groups["c"]
    (True, False)
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    component: dict[Node, int] = {}
    path: list[Node] = []
    for root in edges:
        if root in order:
            continue
        work = [(root, iter(edges.get(root, ())))]
        order[root] = low[root] = len(order)
        path.append(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in order:
                    order[target] = low[target] = len(order)
                    path.append(target)
                    work.append((target, iter(edges.get(target, ()))))
                    break
                if target not in component:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    _close(node, path, component, order[node])
    return component


def _close(root: Node, path: list[Node], component: dict[Node, int], number: int) -> None:
    """All nodes on the path from `root` on are one component."""
    while True:
        node = path.pop()
        component[node] = number
        if node == root:
            return

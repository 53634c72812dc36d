:- module(rudas_category,
          [ check_rule_set/3,           % +Components, +Claims, -Violations
            rule_graph/2,               % +Rules, -Graph
            graph_depth/2,              % +Graph, -Depth
            rules_below/3,              % +Rules, +Target, -Component
            rule_set_category/2         % +Rules, -Category
          ]).

/** <module> Proves that a set of rules is what it claims to be

A rule is rule(Head, Body): Head an atom of datalog, Body a list of atoms and of `\+ Atom`. A component is
component(Category, Depth, Rules); a rule set is a list of components. What each category means is written
in kb/rudas/categories.pl.

    ?- rule_set_category([rule(p(X,Y), [q(X,Y)]), rule(q(X,Y), [r(Y,X)])], C).
    C = chain.
*/

:- use_module(library(lists), [member/2, memberchk/2, nth1/3, append/3, max_list/2, select/3]).
:- use_module(library(apply), [partition/4, exclude/3, include/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(ugraphs), [vertices_edges_to_ugraph/3, reachable/3]).
:- use_module(hornbeam(kb/rudas/categories), [in_category/2, rooted/2]).

%!  check_rule_set(+Components, +Claims, -Violations) is det.
%
%   Violations is the sorted list of what contradicts the claims; it is empty if all of them hold. Always
%   claimed: each component is of its category and depth, rules are safe, predicates have one arity, negation
%   is stratified. Claims that may be added:
%
%     - sound
%       No tautology, and no rule that another one makes redundant.
%     - connected
%       The literals of each body hang together by shared variables.
%     - disjoint
%       Components share no predicate.
%     - mixed
%       Components are of different categories.
%     - recursion(none) or recursion(required)
%       No rule is recursive, or each component has a recursive rule.
%     - max_atoms(N)
%       No body has more positive atoms.

check_rule_set(Components, Claims, Violations) :-
    must_be(list, Components),
    must_be(list, Claims),
    findall(V, violation(Components, Claims, V), Found),
    sort(Found, Violations).

violation(Components, _, V) :-
    nth1(I, Components, component(Category, Depth, Rules)),
    component_violation(Rules, Category, Depth, Reason),
    V = component(I, Reason).
violation(Components, Claims, V) :-
    all_rules(Components, Rules),
    member(Claim, [always|Claims]),
    rules_violation(Claim, Rules, V).
violation(Components, Claims, same_category(Category)) :-
    memberchk(mixed, Claims),
    findall(C, member(component(C, _, _), Components), Categories),
    sort(Categories, [Category]).
violation(Components, Claims, shared_predicate(P)) :-
    memberchk(disjoint, Claims),
    append(_, [component(_, _, Rules1)|Others], Components),
    member(component(_, _, Rules2), Others),
    mentions(Rules1, P),
    mentions(Rules2, P).
violation(Components, Claims, component(I, no_recursion)) :-
    memberchk(recursion(required), Claims),
    nth1(I, Components, component(_, _, Rules)),
    \+ ( member(Rule, Rules), recursive(Rule) ).

component_violation(Rules, Category, _, not_of_category(Category)) :-
    rule_graph(Rules, Graph),
    \+ in_category(Category, Graph).
component_violation(Rules, _, Depth, depth(Found)) :-
    rule_graph(Rules, Graph),
    rooted(Graph, _),
    graph_depth(Graph, Found),
    Found =\= Depth.

rules_violation(always, Rules, unsafe(Head)) :-
    member(rule(Head, Body), Rules),
    \+ safe(Head, Body).
rules_violation(always, Rules, two_arities(P)) :-
    findall(P/A, mentioned(Rules, P, A), Mentioned),
    sort(Mentioned, Indicators),
    append(_, [P/_, P/_|_], Indicators).
rules_violation(always, Rules, not_stratified(P)) :-
    dependencies(Rules, any, Graph),
    member(rule(Head, Body), Rules),
    functor(Head, Defined, _),
    member(\+ Atom, Body),
    functor(Atom, P, _),
    reachable(P, Graph, Needed),
    memberchk(Defined, Needed).
rules_violation(sound, Rules, tautology(Head)) :-
    member(rule(Head, Body), Rules),
    member(Atom, Body),
    Atom == Head.
rules_violation(sound, Rules, redundant(Rule)) :-
    select(Rule, Rules, Others),
    Rule = rule(Head, _),
    functor(Head, P, A),
    functor(Same, P, A),
    member(rule(Same, Body), Others),
    subsumes(rule(Same, Body), Rule).
rules_violation(connected, Rules, unconnected(Head)) :-
    member(rule(Head, Body), Rules),
    \+ connected(Body).
rules_violation(recursion(none), Rules, recursive(Head)) :-
    member(rule(Head, Body), Rules),
    recursive(rule(Head, Body)).
rules_violation(max_atoms(Most), Rules, too_long(Head)) :-
    member(rule(Head, Body), Rules),
    exclude(negative, Body, Positive),
    length(Positive, Length),
    Length > Most.

%!  rule_set_category(+Rules, -Category) is semidet.
%
%   Category of one component; fails if it has none, for instance because it has two roots.

rule_set_category(Rules, Category) :-
    rule_graph(Rules, Graph),
    in_category(Category, Graph),
    !.

%!  rules_below(+Rules, +Target, -Component) is det.
%
%   Component are the rules that a fact of the predicate Target may need, in their order.

rules_below(Rules, Target, Component) :-
    must_be(list, Rules),
    must_be(atom, Target),
    dependencies(Rules, positive, Graph),
    (   reachable(Target, Graph, Needed)
    ->  include(defines_one_of(Needed), Rules, Component)
    ;   Component = []
    ).

defines_one_of(Predicates, rule(Head, _)) :-
    functor(Head, P, _),
    memberchk(P, Predicates).

%!  rule_graph(+Rules, -Graph) is det.
%
%   Graph is graph(Nodes, Edges) as in kb/rudas/categories.pl; rules are numbered from 1. Only positive
%   literals make edges.

rule_graph(Rules, graph(Nodes, Edges)) :-
    must_be(list, Rules),
    findall(N-P, ( nth1(N, Rules, rule(Head, _)), functor(Head, P, _) ), Nodes),
    findall(edge(N, Q, M),
            ( nth1(N, Rules, rule(Head, Body)),
              functor(Head, P, _),
              member(Atom, Body),
              \+ negative(Atom),
              functor(Atom, Q, _),
              Q \== P,
              member(M-Q, Nodes)
            ),
            Found),
    sort(Found, Edges).

%!  graph_depth(+Graph, -Depth) is semidet.
%
%   Depth is the largest number of rules on a shortest path from the root to a leaf. Fails without a root.

graph_depth(Graph, Depth) :-
    rooted(Graph, Root),
    Graph = graph(_, Edges),
    levels([Root], [Root], Edges, 1, Levels),
    findall(Level,
            ( member(N-Level, Levels), \+ member(edge(N, _, _), Edges) ),
            LeafLevels),
    max_list(LeafLevels, Depth).

levels([], _, _, _, []) :- !.
levels(Front, Seen, Edges, Level, Levels) :-
    findall(N-Level, member(N, Front), Here),
    findall(M, ( member(N, Front), member(edge(N, _, M), Edges), \+ memberchk(M, Seen) ), Found),
    sort(Found, Next),
    append(Seen, Next, Seen1),
    Deeper is Level + 1,
    levels(Next, Seen1, Edges, Deeper, Below),
    append(Here, Below, Levels).

all_rules(Components, Rules) :-
    findall(Rule, ( member(component(_, _, Some), Components), member(Rule, Some) ), Rules).

negative(\+ _).

atom_of(\+ Atom, Atom) :- !.
atom_of(Atom, Atom).

recursive(rule(Head, Body)) :-
    functor(Head, P, A),
    member(Atom, Body),
    functor(Atom, P, A),
    !.

safe(Head, Body) :-
    partition(negative, Body, Negative, Positive),
    term_variables(Positive, Bound),
    term_variables(Head-Negative, Needed),
    \+ ( member(V, Needed), \+ ( member(W, Bound), W == V ) ).

mentions(Rules, P) :-
    mentioned(Rules, P, _).

mentioned(Rules, P, A) :-
    member(rule(Head, Body), Rules),
    member(Literal, [Head|Body]),
    atom_of(Literal, Atom),
    functor(Atom, P, A).

% The graph of predicates: from that of a head to those of the body, by positive literals or by any.
dependencies(Rules, Sign, Graph) :-
    findall(P-Q,
            ( member(rule(Head, Body), Rules),
              functor(Head, P, _),
              member(Literal, Body),
              ( Sign == any -> true ; \+ negative(Literal) ),
              atom_of(Literal, Atom),
              functor(Atom, Q, _)
            ),
            Pairs),
    vertices_edges_to_ugraph([], Pairs, Graph).

% The literals of a body as one component of those that share a variable.
connected([]).
connected([Literal|Literals]) :-
    term_variables(Literal, Variables),
    absorb(Literals, Variables).

absorb([], _) :- !.
absorb(Literals, Variables) :-
    select(Literal, Literals, Others),
    term_variables(Literal, Own),
    member(V, Own),
    member(W, Variables),
    V == W,
    !,
    append(Own, Variables, More),
    absorb(Others, More).

% theta-subsumption: an instance of the first rule has the same head and no other literals.
subsumes(Rule1, Rule2) :-
    copy_term(Rule1, rule(Head1, Body1)),
    copy_term(Rule2, rule(Head2, Body2)),
    numbervars(rule(Head2, Body2), 0, _),
    Head1 = Head2,
    all_among(Body1, Body2),
    !.

all_among([], _).
all_among([Literal|Literals], Body) :-
    member(Literal, Body),
    all_among(Literals, Body).

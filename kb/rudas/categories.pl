:- module(rudas_categories,
          [ in_category/2,              % ?Category, +Graph
            rooted/2                    % +Graph, -Root
          ]).

/** <module> The categories of rule graphs

A rule graph is graph(Nodes, Edges): a node Rule-Predicate is a rule and the predicate that it defines, and
edge(Parent, Predicate, Child) says that the body of rule Parent needs a fact of Predicate that rule Child
derives. A rule that needs its own predicate is recursive; that is no edge, for the paper draws it as a small
loop that every category may have.
*/

:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(ugraphs), [vertices_edges_to_ugraph/3, reachable/3]).

%!  in_category(?Category, +Graph) is nondet.
%
%   Graph is of Category: `chain`, `rdg` (rooted directed graph) or `drdg` (disjunctive). Each graph is of
%   one at the most.

in_category(chain, Graph) :-
    rooted(Graph, _),
    \+ two_children(Graph),
    \+ two_parents(Graph).
in_category(rdg, Graph) :-
    rooted(Graph, _),
    two_children(Graph),
    \+ alternatives(Graph).
in_category(drdg, Graph) :-
    rooted(Graph, _),
    alternatives(Graph).

%!  rooted(+Graph, -Root) is semidet.
%
%   Root is the one rule that no other rule needs, and all rules are reached from it.

rooted(Graph, Root) :-
    Graph = graph(Nodes, Edges),
    findall(N, member(N-_, Nodes), Rules),
    findall(Parent-Child, member(edge(Parent, _, Child), Edges), Pairs),
    findall(N, (member(N, Rules), \+ memberchk(_-N, Pairs)), [Root]),
    vertices_edges_to_ugraph(Rules, Pairs, UGraph),
    reachable(Root, UGraph, Reached),
    sort(Rules, Reached).

two_children(graph(_, Edges)) :-
    member(edge(Parent, _, Child1), Edges),
    member(edge(Parent, _, Child2), Edges),
    Child1 \== Child2,
    !.

two_parents(graph(_, Edges)) :-
    member(edge(Parent1, _, Child), Edges),
    member(edge(Parent2, _, Child), Edges),
    Parent1 \== Parent2,
    !.

% Two rules for a predicate that some rule needs: an OR node.
alternatives(graph(_, Edges)) :-
    member(edge(Parent, Predicate, Child1), Edges),
    member(edge(Parent, Predicate, Child2), Edges),
    Child1 \== Child2,
    !.

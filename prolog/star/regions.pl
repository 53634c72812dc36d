:- module(hornbeam_star_regions,
          [ rcc8_cell/3,           % +A, +B, -Relations
            regions/3,             % +Nodes, +Edges, -Regions
            region_relation/3,     % +RegionX, +RegionY, -Relation
            realise_all/2          % +Networks, -Answers
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2, memberchk/2, nth0/3, numlist/3]).
:- use_module(library(ordsets), [ord_memberchk/2, ord_subtract/3, ord_union/3]).
:- use_module(library(pairs), [group_pairs_by_key/2]).
:- use_module(hornbeam(kb/star/rcc8), [relation/1]).
:- use_module(hornbeam(kb/star/rcc8_model), [always/3, side/1, some/2]).

/** <module> RCC-8 without its table: concrete regions

Everything here follows from the meaning of the relations in kb/star/rcc8_model.pl. The composition table is not used,
so that it can be checked against this module.

A region is a sorted list of cells. Fork number F has two cells, 2F (left) and 2F+1 (right); drawn on a line they are two
segments that touch, and different forks are apart.
*/

%!  rcc8_cell(+A, +B, -Relations) is det.
%
%   The relations possible from x to z if `A` holds from x to y and `B` from y to z, by trying all forks of three regions.

rcc8_cell(A, B, Relations) :-
    must_be(atom, A),
    must_be(atom, B),
    findall(C, ( relation(C), triple_holds(A, B, C) ), Relations).

triple_holds(A, B, C) :-
    Edges = [edge(0, 1, A), edge(1, 2, B), edge(0, 2, C)],
    findall(Fork, ( fork_of_three(Fork), \+ forbidden(Edges, Fork) ), Forks),
    forall(need(Edges, Conditions),
           ( member(Fork, Forks), meets(Conditions, Fork) -> true )).

%   A fork as the ordered set of what is in it.

fork_of_three(Fork) :-
    findall(in(N, S), ( member(N, [0, 1, 2]), side(S) ), All),
    subset_of(All, Fork).

subset_of([], []).
subset_of([X|Xs], Ys) :-
    (   Ys = [X|Rest]
    ;   Ys = Rest
    ),
    subset_of(Xs, Rest).

forbidden(Edges, Fork) :-
    rule(Edges, If, Then),
    memberchk(If, Fork),
    \+ meets([Then], Fork).

meets(Conditions, Fork) :-
    forall(member(Condition, Conditions), met(Condition, Fork)).

met(in(N, S), Fork)  :- memberchk(in(N, S), Fork).
met(out(N, S), Fork) :- \+ memberchk(in(N, S), Fork).

%   What a network of edges edge(U, V, Relation) says of forks.

rule(Edges, If, Then) :-
    member(edge(U, V, R), Edges),
    always(R, If0, Then0),
    place(U, V, If0, If),
    place(U, V, Then0, Then).

need(Edges, Conditions) :-
    member(edge(U, V, R), Edges),
    some(R, Conditions0),
    maplist(place(U, V), Conditions0, Conditions).

place(U, V, Condition0, Condition) :-
    Condition0 =.. [Kind, XY, Side],
    (   XY == x
    ->  Node = U
    ;   Node = V
    ),
    Condition =.. [Kind, Node, Side].

%!  regions(+Nodes, +Edges, -Regions) is semidet.
%
%   `Regions` is a list of Node-Region pairs that realises every edge(U, V, Relation). Fails if there is none.
%
%   Every rule is "in implies in" or "in implies out", so the least fork that meets a need is found by forward chaining,
%   and if the least one breaks a rule every other does too.

regions(Nodes, Edges, Regions) :-
    must_be(list, Nodes),
    must_be(list, Edges),
    findall(If-Then, rule(Edges, If, Then), Rules0),
    sort(Rules0, Rules1),
    group_pairs_by_key(Rules1, Rules2),
    list_to_assoc(Rules2, Rules),
    findall(Conditions, some_need(Nodes, Edges, Conditions), Needs0),
    sort(Needs0, Needs),
    forks(Needs, Rules, [], Forks),
    findall(Node-Region, ( member(Node, Nodes), region_in(Forks, Node, Region) ), Regions).

some_need(_, Edges, Conditions) :-
    need(Edges, Conditions).
some_need(Nodes, _, [in(Node, left)]) :-
    member(Node, Nodes).

%   A need that an earlier fork meets costs no new fork; needs of several conditions are sorted before the plain ones by
%   making those first.

forks(Needs, Rules, Forks0, Forks) :-
    findall(N, ( member(N, Needs), N = [_, _|_] ), Double),
    findall(N, ( member(N, Needs), N = [_] ), Single),
    fork_each(Double, Rules, Forks0, Forks1),
    fork_each(Single, Rules, Forks1, Forks).

fork_each([], _, Forks, Forks).
fork_each([Need|Needs], Rules, Forks0, Forks) :-
    (   member(Old, Forks0),
        meets_or_mirrored(Need, Old)
    ->  Forks1 = Forks0
    ;   least_fork(Need, Rules, Fork),
        Forks1 = [Fork|Forks0]
    ),
    fork_each(Needs, Rules, Forks1, Forks).

meets_or_mirrored(Need, Fork) :-
    ord_meets(Need, Fork).
meets_or_mirrored(Need, Fork) :-
    maplist(mirrored, Need, Mirror),
    ord_meets(Mirror, Fork).

mirrored(Condition0, Condition) :-
    Condition0 =.. [Kind, Node, Side0],
    other(Side0, Side),
    Condition =.. [Kind, Node, Side].

other(left, right).
other(right, left).

least_fork(Need, Rules, Fork) :-
    findall(in(N, S), member(in(N, S), Need), In0),
    sort(In0, In),
    chain(In, Rules, In, Fork),
    ord_meets(Need, Fork),
    \+ ( member(If, Fork),
         get_assoc(If, Rules, Thens),
         member(out(N, S), Thens),
         ord_memberchk(in(N, S), Fork)
       ).

ord_meets(Conditions, Fork) :-
    \+ ( member(Condition, Conditions),
         \+ ord_met(Condition, Fork)
       ).

ord_met(in(N, S), Fork)  :- ord_memberchk(in(N, S), Fork).
ord_met(out(N, S), Fork) :- \+ ord_memberchk(in(N, S), Fork).

chain([], _, Fork, Fork) :- !.
chain(Fresh, Rules, Fork0, Fork) :-
    findall(in(N, S),
            ( member(If, Fresh),
              get_assoc(If, Rules, Thens),
              member(in(N, S), Thens)
            ),
            Next0),
    sort(Next0, Next),
    ord_subtract(Next, Fork0, New),
    ord_union(Fork0, New, Fork1),
    chain(New, Rules, Fork1, Fork).

region_in(Forks, Node, Region) :-
    findall(Cell,
            ( nth0(F, Forks, Fork),
              member(Side-Offset, [left-0, right-1]),
              ord_memberchk(in(Node, Side), Fork),
              Cell is 2 * F + Offset
            ),
            Region).

%!  region_relation(+RegionX, +RegionY, -Relation) is semidet.
%
%   The relation of two concrete regions, from the meaning of the relations alone. Fails for an empty list: no region is
%   empty.

region_relation(X, Y, Relation) :-
    must_be(list(nonneg), X),
    must_be(list(nonneg), Y),
    cell_forks(X, Y, Forks),
    (   relation(Relation),
        \+ ( member(Fork, Forks), forbidden([edge(0, 1, Relation)], Fork) ),
        forall(need([edge(0, 1, Relation)], Need),
               ( member(Fork, Forks), ( meets(Need, Fork) ; maplist(mirrored, Need, Mirror), meets(Mirror, Fork) ) -> true ))
    ->  true
    ).

cell_forks(X, Y, Forks) :-
    findall(F-in(Node, Side),
            ( member(Node-Region, [0-X, 1-Y]),
              member(Cell, Region),
              F is Cell >> 1,
              ( Cell /\ 1 =:= 0 -> Side = left ; Side = right )
            ),
            Pairs0),
    sort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    findall(Fork, member(_-Fork, Groups), Forks).

%!  realise_all(+Networks, -Answers) is det.
%
%   `Networks` is a list of [NodeCount, Edges] with edges [U, V, Relation] and nodes 0 .. NodeCount-1. An answer is a
%   list with the region of each node, or `none`.

realise_all(Networks, Answers) :-
    maplist(realise_one, Networks, Answers).

realise_one([Count, Triples], Answer) :-
    Last is Count - 1,
    numlist(0, Last, Nodes),
    findall(edge(U, V, R), member([U, V, R], Triples), Edges),
    (   regions(Nodes, Edges, Regions)
    ->  findall(Region, member(_-Region, Regions), Answer)
    ;   Answer = none
    ).

:- module(hornbeam_star_intervals,
          [ allen_cell/3,          % +A, +B, -Relations
            intervals/3,           % +Nodes, +Edges, -Intervals
            interval_relation/3,   % +IntervalX, +IntervalY, -Relation
            realise_all/2          % +Networks, -Answers
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2, put_assoc/4]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2, memberchk/2, numlist/3]).
:- use_module(hornbeam(kb/star/allen), [relation/1]).
:- use_module(hornbeam(kb/star/allen_model), [means/2]).

/** <module> Allen's relations without their table: concrete intervals

Everything here follows from the order of end points in kb/star/allen_model.pl. The composition table is not used, so
that it can be checked against this module.

An interval is the pair Start-End of integers, Start < End.
*/

%!  allen_cell(+A, +B, -Relations) is det.
%
%   The relations possible from x to z if `A` holds from x to y and `B` from y to z. Three intervals have six end points,
%   so the integers 0 .. 5 show every order that there is.

allen_cell(A, B, Relations) :-
    must_be(atom, A),
    must_be(atom, B),
    findall(C,
            ( interval(X), interval(Y), holds(A, X, Y),
              interval(Z), holds(B, Y, Z),
              interval_relation(X, Z, C)
            ),
            Found),
    findall(C, ( relation(C), memberchk(C, Found) ), Relations).

interval(S-E) :-
    between(0, 4, S),
    Low is S + 1,
    between(Low, 5, E).

holds(R, X, Y) :-
    means(R, Order),
    all_hold(Order, X, Y).

all_hold([], _, _).
all_hold([C|Cs], X, Y) :-
    holds_(C, X, Y),
    all_hold(Cs, X, Y).

holds_(before(P, Q), X, Y) :- value(P, X, Y, V), value(Q, X, Y, W), V < W.
holds_(same(P, Q), X, Y)   :- value(P, X, Y, V), value(Q, X, Y, V).

value(start(x), S-_, _, S).
value(end(x), _-E, _, E).
value(start(y), _, S-_, S).
value(end(y), _, _-E, E).

%!  interval_relation(+IntervalX, +IntervalY, -Relation) is det.

interval_relation(X, Y, Relation) :-
    (   relation(Relation),
        holds(Relation, X, Y)
    ->  true
    ).

%!  intervals(+Nodes, +Edges, -Intervals) is semidet.
%
%   `Intervals` is a list of Node-Interval pairs that realises every edge(U, V, Relation), each end point as early as it can
%   be. Fails if there is none: then some point must come after itself.

intervals(Nodes, Edges, Intervals) :-
    must_be(list, Nodes),
    must_be(list, Edges),
    findall(Constraint, constraint(Nodes, Edges, Constraint), Constraints0),
    sort(Constraints0, Constraints),
    findall(Point-0, ( member(N, Nodes), member(Point, [start(N), end(N)]) ), Points),
    length(Points, Count),
    list_to_assoc(Points, Values0),
    settle(Constraints, Count, Values0, Values),
    findall(N-(S-E),
            ( member(N, Nodes),
              get_assoc(start(N), Values, S),
              get_assoc(end(N), Values, E)
            ),
            Intervals).

constraint(Nodes, _, before(start(N), end(N))) :-
    member(N, Nodes).
constraint(_, Edges, Constraint) :-
    member(edge(U, V, R), Edges),
    means(R, Order),
    member(Constraint0, Order),
    Constraint0 =.. [Kind, P0, Q0],
    at(P0, U, V, P),
    at(Q0, U, V, Q),
    Constraint =.. [Kind, P, Q].

at(start(x), U, _, start(U)).
at(end(x), U, _, end(U)).
at(start(y), _, V, start(V)).
at(end(y), _, V, end(V)).

%   Points move right until nothing is violated. A point that is pushed beyond the number of points pushes itself.

settle(Constraints, Count, Values0, Values) :-
    pass(Constraints, Count, Values0, Values1, Moved, false),
    (   Moved == true
    ->  settle(Constraints, Count, Values1, Values)
    ;   Values = Values1
    ).

pass([], _, Values, Values, Moved, Moved).
pass([C|Cs], Count, Values0, Values, Moved, Moved0) :-
    C =.. [Kind, P, Q],
    get_assoc(P, Values0, V),
    get_assoc(Q, Values0, W),
    (   push(Kind, P, Q, V, W, Point, To)
    ->  To < Count,
        put_assoc(Point, Values0, To, Values1),
        Moved1 = true
    ;   Values1 = Values0,
        Moved1 = Moved0
    ),
    pass(Cs, Count, Values1, Values, Moved, Moved1).

push(before, _, Q, V, W, Q, To) :- W =< V, To is V + 1.
push(same, P, Q, V, W, Point, To) :-
    (   V < W
    ->  Point = P, To = W
    ;   W < V,
        Point = Q, To = V
    ).

%!  realise_all(+Networks, -Answers) is det.
%
%   `Networks` is a list of [NodeCount, Edges] with edges [U, V, Relation] and nodes 0 .. NodeCount-1. An answer is a
%   list with the interval [Start, End] of each node, or `none`.

realise_all(Networks, Answers) :-
    maplist(realise_one, Networks, Answers).

realise_one([Count, Triples], Answer) :-
    Last is Count - 1,
    numlist(0, Last, Nodes),
    findall(edge(U, V, R), member([U, V, R], Triples), Edges),
    (   intervals(Nodes, Edges, Intervals)
    ->  findall([S, E], member(_-(S-E), Intervals), Answer)
    ;   Answer = none
    ).

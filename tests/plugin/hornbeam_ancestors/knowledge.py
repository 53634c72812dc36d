"""The Prolog of the family: what is true, how it is asked, and the predicates that an encoding makes."""

from __future__ import annotations

THEORY = """\
:- module(truth, []).
% An ancestor is a parent, or an ancestor's parent. The tree of a sample is in the facts parent/3.
:- public ancestor/3.
:- table ancestor/3.
ancestor(Id, X, Y) :- parent(Id, X, Y).
ancestor(Id, X, Z) :- parent(Id, X, Y), ancestor(Id, Y, Z).
"""
PERSONS = """\
% The persons of a sample's tree.
person(Id, X) :- parent(Id, X, _).
person(Id, X) :- parent(Id, _, X).
"""
BACKGROUND = (
    PERSONS
    + """
% What prolog/session.pl and hornbeam ask: each sample's answer by the true theory and by your own.

judged(Id, Expected) :-
    sample(Id, _, _, Expected, _).

true_answer(Id, Answer) :-
    sample(Id, _, _, _, ancestor(X, Y)),
    !,
    (   truth:ancestor(Id, X, Y) -> Answer = true ; Answer = false ).

mine_answer(Id, Answer) :-
    sample(Id, _, _, _, ancestor(X, Y)),
    !,
    (   mine:ancestor(Id, X, Y) -> Answer = true ; Answer = false ).

theory_predicates([ancestor/3]).

explain_truth(Id) :-
    sample(Id, _, _, _, ancestor(X, Y)),
    !,
    (   line_of_descent(Id, X, Y, Line)
    ->  format("~w is an ancestor of ~w: ~w~n", [X, Y, Line])
    ;   format("~w is no ancestor of ~w: no line of parents leads there.~n", [X, Y])
    ).

line_of_descent(Id, X, Y, [X, Y]) :-
    parent(Id, X, Y),
    !.
line_of_descent(Id, X, Z, [X|Line]) :-
    parent(Id, Y, Z),
    line_of_descent(Id, X, Y, Line0),
    !,
    append(Line0, [Z], [X|Line]).

explain_mine(Id) :-
    sample(Id, _, _, _, ancestor(X, Y)),
    !,
    (   clause(mine:ancestor(Id, X, Y), Body),
        call(mine:Body)
    ->  format("~w is an ancestor of ~w by your rule whose body is ~q~n", [X, Y, Body])
    ;   format("No rule of yours makes ~w an ancestor of ~w.~n", [X, Y])
    ).
"""
)
# Steps of the encoding `generations`, over the facts of the dataset.
GENERATIONS = """\
one_generation(Id, X, Y) :- parent(Id, X, Y).
two_generations(Id, X, Z) :- one_generation(Id, X, Y), one_generation(Id, Y, Z).
"""
REACHES = """\
reaches(Edges, X, Y) :- member(X-Y, Edges).
reaches(Edges, X, Z) :- member(X-Y, Edges), reaches(Edges, Y, Z).
"""

:- module(mdie_saturation,
          [ saturate/6,             % +Task, +Survey, +Settings, +Signs, +Example, -Bottom
            bottom_clause/2,        % +Bottom, -Clause
            bottom_size/2           % +Bottom, -Size
          ]).
:- use_module(layers, [head_terms/6, true_literals/7]).
:- use_module(survey, [survey_branches/2, survey_constants/2]).
:- use_module(task, [task_example/3]).
:- autoload(library(apply), [foldl/4, maplist/3]).
:- autoload(library(lists), [reverse/2]).

/** <module> Saturation: the most specific clause that explains an example

The bottom clause of an example holds every literal that the modes allow and that is true of it, out to a number of
layers (see layers.pl). A clause is a subset of the bottom clause whose inputs are bound.

A variable may be `depth` calls away from the head. Literals that only test variables are added for the last layer, too.

    bottom(Head, Bound, Wanted, Literals)

Bound and Wanted are bit masks of variables: the inputs of the head, and its outputs, which a clause must bind. A literal
is

    literal(Number, Atom, Goal, Needs, Gives, Settled)

where Goal is how Atom is called, Needs and Gives are masks of the variables that must be bound before and that are bound
after, and Settled is `true` if its inputs have one value for each example: if such a test changes nothing now,
it never will.
*/

%!  saturate(+Task, +Survey, +Settings, +Signs:oneof([positive,both]), +Example:integer, -Bottom) is semidet.
%
%   Bottom is the bottom clause of the example, without negated literals if Signs is `positive`. Fails if no head mode
%   fits the example.

saturate(Task, Survey, Settings, Signs, Example, bottom(Head, Bound, Wanted, Literals)) :-
    task_example(Task, Example, Atom),
    head_terms(Task, Atom, Head, Bound, Wanted, Table),
    survey_constants(Survey, Constants),
    true_literals(Task, Settings, Constants, Signs, Atom, Table, Reversed),
    settle(Reversed, Bound, Survey, Literals).

%   Number the literals in the order in which they were found, and say which are settled: an input is, if
%   each call that gives it has at most one answer, and its own inputs are settled.

settle(Reversed, Bound, Survey, Literals) :-
    reverse(Reversed, Found),
    unsettled(Found, Bound, Survey, 0, Unsettled),
    number_literals(Found, 1, Unsettled, Literals).

unsettled(Found, Bound, Survey, Mask0, Mask) :-
    foldl(unsettle(Bound, Survey), Found, Mask0, Mask1),
    (   Mask1 =:= Mask0
    ->  Mask = Mask0
    ;   unsettled(Found, Bound, Survey, Mask1, Mask)
    ).

unsettle(Bound, Survey, found(Mode, _, _, Needs, Gives), Mask0, Mask) :-
    (   (   survey_branches(Survey, Mode)
        ;   Needs /\ Mask0 =\= 0
        )
    ->  Mask is Mask0 \/ (Gives /\ \Bound)
    ;   Mask = Mask0
    ).

number_literals([], _, _, []).
number_literals([found(_, Atom, Goal, Needs, Gives)|Found], Number, Unsettled, [Literal|Literals]) :-
    (   (Needs \/ Gives) /\ Unsettled =:= 0
    ->  Settled = true
    ;   Settled = false
    ),
    Literal = literal(Number, Atom, Goal, Needs, Gives, Settled),
    Number1 is Number+1,
    number_literals(Found, Number1, Unsettled, Literals).

%!  bottom_clause(+Bottom, -Clause) is det.
%
%   Clause is the bottom clause as a term Head-Body, Body being a list.

bottom_clause(bottom(Head, _, _, Literals), Head-Body) :-
    maplist(literal_atom, Literals, Body).

literal_atom(literal(_, Atom, _, _, _, _), Atom).

%!  bottom_size(+Bottom, -Size) is det.

bottom_size(bottom(_, _, _, Literals), Size) :-
    length(Literals, Size).

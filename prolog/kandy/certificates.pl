:- module(kandy_certificates,
          [ certificate/3               % +Module, +Tree, -Certificate
          ]).

:- use_module(library(apply), [maplist/3]).
:- use_module(failures, [first_stops/3]).
:- use_module(proofs, [cut_in/3]).

/** <module> Short proofs to keep with a sample

The clause of valid/1 that holds, with its goals as they were satisfied; or, for
each clause, the goals that were and the first that was not.  explain.pl goes on
from there to the bottom.
*/

%!  certificate(+Module:atom, +Tree, -Certificate:list) is det.
%
%   Certificate is [1, Number, Goals], the clause of that number holding with
%   Goals, or [0, Stops], where a stop is [Number, Goals, Goal], Goal being what
%   fails after Goals.  Goals are strings in which the whole tree is `Picture`.

certificate(Module, Tree, Certificate) :-
    (   holding_clause(Module, Tree, Number, Body)
    ->  goals_texts(Body, Tree, Texts),
        Certificate = [1, Number, Texts]
    ;   first_stops(Module, valid(Tree), Stops),
        maplist(stop_texts(Tree), Stops, Told),
        Certificate = [0, Told]
    ).

holding_clause(Module, Tree, Number, Body) :-
    once(Module:valid(Tree)),
    nth_clause(Module:valid(_), Number, Clause),
    clause(Module:valid(Tree), Body, Clause),
    (   cut_in(Body, Before, After)
    ->  once(Module:Before),
        once(Module:After)
    ;   once(Module:Body)
    ),
    !.

stop_texts(Tree, stop(Number, Done, Goal), [Number, DoneTexts, GoalText]) :-
    maplist(goal_text(Tree), Done, DoneTexts),
    goal_text(Tree, Goal, GoalText).

goals_texts((A, B), Tree, Texts) =>
    goal_text(Tree, A, Text),
    Texts = [Text|Rest],
    goals_texts(B, Tree, Rest).
goals_texts(true, _, Texts) =>
    Texts = [].
goals_texts(Goal, Tree, Texts) =>
    goal_text(Tree, Goal, Text),
    Texts = [Text].

goal_text(Tree, Goal, Text) :-
    with_picture(Goal, Tree, Named),
    copy_term(Named, Copy),
    term_variables(Copy, Variables),
    anonymous(Variables),
    format(string(Text), '~W', [Copy, [quoted(true), numbervars(true)]]).

%   Lists hold parts of the tree, never the whole.
with_picture(Term, Tree, Named) :-
    compound(Term),
    \+ Term = [_|_],
    !,
    (   Term == Tree
    ->  Named = '$VAR'('Picture')
    ;   compound_name_arguments(Term, Name, Arguments),
        all_with_picture(Arguments, Tree, NamedArguments),
        compound_name_arguments(Named, Name, NamedArguments)
    ).
with_picture(Term, _, Term).

all_with_picture([], _, []).
all_with_picture([Term|Terms], Tree, [Named|NamedTerms]) :-
    with_picture(Term, Tree, Named),
    all_with_picture(Terms, Tree, NamedTerms).

anonymous([]).
anonymous(['$VAR'('_')|Variables]) :-
    anonymous(Variables).

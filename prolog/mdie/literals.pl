:- module(mdie_literals,
          [ literal_atom/2,         % +Literal, -Atom
            literal_goal/2,         % +Literal, -Goal
            insert_number/3,        % +Numbers0, +Number, -Numbers
            place/5,                % +Literals0, +Literal, +Bound0, +Bound, -Literals
            bound_after/3           % +Literals, +Bound0, -Bound
          ]).
:- autoload(library(lists), [append/3]).

/** <module> Bodies of clauses as lists of the literals of a bottom clause
*/

%!  literal_atom(+Literal, -Atom) is det.
%!  literal_goal(+Literal, -Goal) is det.
%
%   What a literal says, and how it is called.

literal_atom(literal(_, Atom, _, _, _, _), Atom).

literal_goal(literal(_, _, Goal, _, _, _), Goal).

%!  insert_number(+Numbers0:list(integer), +Number:integer, -Numbers:list(integer)) is semidet.
%
%   Numbers are Numbers0, which are sorted, and Number. Fails if it is among them.

insert_number([], Number, [Number]).
insert_number([First|Rest], Number, Numbers) :-
    compare(Order, Number, First),
    insert_number(Order, Number, First, Rest, Numbers).

insert_number(<, Number, First, Rest, [Number, First|Rest]).
insert_number(>, Number, First, Rest, [First|Numbers]) :-
    insert_number(Rest, Number, Numbers).

%!  place(+Literals0:list, +Literal, +Bound0:integer, +Bound:integer, -Literals:list) is det.
%
%   Literals are Literals0 with Literal in its place: a test is called as soon as its inputs are bound, and a literal that
%   binds variables comes last. Bound0 and Bound are the masks of what is bound without and with it.

place(Literals0, Literal, Bound0, Bound, Literals) :-
    (   Bound =:= Bound0
    ->  Literal = literal(_, _, _, Needs, Gives, _),
        Inputs is Needs \/ Gives,
        given(Literals0, Inputs, 0, Own),
        place_test(Literals0, Own, Literal, Literals)
    ;   append(Literals0, [Literal], Literals)
    ).

%   Own are the inputs that literals of the body give.

given([], _, Own, Own).
given([literal(_, _, _, _, Gives, _)|Literals], Inputs, Own0, Own) :-
    Own1 is Own0 \/ (Gives /\ Inputs),
    given(Literals, Inputs, Own1, Own).

place_test(Literals, 0, Literal, [Literal|Literals]) :-
    !.
place_test([First|Rest], Waiting0, Literal, [First|Literals]) :-
    First = literal(_, _, _, _, Gives, _),
    Waiting is Waiting0 /\ \Gives,
    place_test(Rest, Waiting, Literal, Literals).

%!  bound_after(+Literals:list, +Bound0:integer, -Bound:integer) is semidet.
%
%   Bound is the mask of what is bound after the literals were called. Fails if an input of one is not bound before it.

bound_after([], Bound, Bound).
bound_after([literal(_, _, _, Needs, Gives, _)|Literals], Bound0, Bound) :-
    Needs /\ Bound0 =:= Needs,
    Bound1 is Bound0 \/ Gives,
    bound_after(Literals, Bound1, Bound).

:- module(join_order,
          [ unbound/3,              % +Head, +Literals, -Variables
            ranges/4,               % +Model, +Head, +Literals, -Ranges
            ordered/4               % +Literals, +Ranges, +Bound, -Ordered
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/3, member/2, nth1/3, nth1/4, select/3]).
:- use_module(theory_rules, [is_test/1]).

/** <module> The order in which the literals of a rule are joined

    ?- ordered([\+ q(X,Y), X < Y, p(X), r(X,Y)], [], [], Ordered).
    Ordered = [p(X), r(X,Y), \+ q(X,Y), X < Y].

Variables are compared as they are and never bound: a set of variables is a list without order.
*/

%!  ranges(+Model, +Head, +Literals, -Ranges:list) is det.
%
%   Ranges are constant(Model, Variable) for each variable of unbound/3.

ranges(Model, Head, Literals, Ranges) :-
    unbound(Head, Literals, Unbound),
    maplist(range(Model), Unbound, Ranges).

range(Model, Variable, constant(Model, Variable)).

%!  unbound(+Head, +Literals, -Variables) is det.
%
%   The variables that range over all constants: of the head, of tests, and those of negations that stand elsewhere, too; no
%   atom and no equation binds them.

unbound(Head, Literals, Unbound) :-
    findall_bound(Literals, [], Bound),
    term_variables(Head, OfHead),
    needed(Literals, Head, Literals, OfHead, Needed),
    without(Needed, Bound, Unbound).

findall_bound(Literals, Bound0, Bound) :-
    (   member_binding(Literals, Bound0, Variables)
    ->  append(Variables, Bound0, Bound1),
        findall_bound(Literals, Bound1, Bound)
    ;   Bound = Bound0
    ).

%   A literal that binds further variables.
member_binding(Literals, Bound, New) :-
    member(Literal, Literals),
    binds(Literal, Bound, Variables),
    without(Variables, Bound, New),
    New \== [],
    !.

binds(Literal, _, Variables) :-
    Literal \= (\+ _),
    \+ is_test(Literal),
    term_variables(Literal, Variables).
binds(A = B, Bound, Variables) :-
    (   all_bound(A, Bound)
    ->  term_variables(B, Variables)
    ;   all_bound(B, Bound)
    ->  term_variables(A, Variables)
    ).
binds(A is B, Bound, Variables) :-
    all_bound(B, Bound),
    term_variables(A, Variables).

all_bound(Term, Bound) :-
    term_variables(Term, Variables),
    without(Variables, Bound, []).

needed([], _, _, Needed, Needed).
needed([Literal|Todo], Head, Literals, Needed0, Needed) :-
    (   Literal = (\+ _)
    ->  term_variables(Literal, Variables0),
        shared(Variables0, Literal, Head, Literals, Variables)
    ;   is_test(Literal)
    ->  term_variables(Literal, Variables)
    ;   Variables = []
    ),
    without(Variables, Needed0, New),
    append(Needed0, New, Needed1),
    needed(Todo, Head, Literals, Needed1, Needed).

shared([], _, _, _, []).
shared([Variable|Variables], Literal, Head, Literals, Shared) :-
    (   ( Other = Head ; member(Other, Literals), Other \== Literal ),
        term_variables(Other, Others),
        among(Variable, Others)
    ->  Shared = [Variable|Rest]
    ;   Shared = Rest
    ),
    shared(Variables, Literal, Head, Literals, Rest).

without([], _, []).
without([Variable|Variables], Bound, Rest) :-
    (   among(Variable, Bound)
    ->  Rest = Rest1
    ;   Rest = [Variable|Rest1]
    ),
    without(Variables, Bound, Rest1).

among(Variable, [Other|Others]) :-
    (   Variable == Other
    ->  true
    ;   among(Variable, Others)
    ).

%!  ordered(+Literals, +Ranges, +Bound, -Ordered) is det.
%
%   The literals in an order in which they can be joined: tests and negations as soon as their variables are bound, then the
%   atom with most bound arguments; variables that range over all constants as late as can be.

ordered([], Ranges, Bound, Ordered) :-
    open_ranges(Ranges, Bound, Ordered).
ordered([Literal|Literals], Ranges, Bound, Ordered) :-
    (   ready([Literal|Literals], Ranges, Bound, Next, Rest)
    ->  Ordered = [Next|Ordered1],
        term_variables(Next, Variables),
        append(Variables, Bound, Bound1),
        ordered(Rest, Ranges, Bound1, Ordered1)
    ;   best_atom([Literal|Literals], Bound, Next, Rest)
    ->  Ordered = [Next|Ordered1],
        term_variables(Next, Variables),
        append(Variables, Bound, Bound1),
        ordered(Rest, Ranges, Bound1, Ordered1)
    ;   Ranges = [Range|Ranges1]
    ->  open_ranges([Range], Bound, Opened),
        term_variables(Range, Variables),
        append(Variables, Bound, Bound1),
        append(Opened, Ordered1, Ordered),
        ordered([Literal|Literals], Ranges1, Bound1, Ordered1)
    ;   Ordered = [Literal|Literals]
    ).

open_ranges([], _, []).
open_ranges([constant(Model, Variable)|Ranges], Bound, Opened) :-
    (   among(Variable, Bound)
    ->  Opened = Rest
    ;   Opened = [constant(Model, Variable)|Rest]
    ),
    open_ranges(Ranges, Bound, Rest).

ready(Literals, Ranges, Bound, Next, Rest) :-
    select(Next, Literals, Rest),
    ready_literal(Next, Rest, Ranges, Bound),
    !.

ready_literal(\+ Atom, Rest, Ranges, Bound) :-
    !,
    % A variable of its own stays open: there is none.
    term_variables(Atom, Variables),
    without(Variables, Bound, Open),
    term_variables(Rest-Ranges, Others),
    without(Open, Others, Open1),
    Open == Open1.
ready_literal(Literal, _, _, Bound) :-
    (   binds(Literal, Bound, _),
        is_test(Literal)
    ->  true
    ;   is_test(Literal),
        all_bound(Literal, Bound)
    ).

best_atom(Literals, Bound, Best, Rest) :-
    findall(Score-At,
            ( nth1(At, Literals, Literal),
              Literal \= (\+ _),
              \+ is_test(Literal),
              bound_arguments(Literal, Bound, Count),
              Score is -Count
            ),
            Scored),
    keysort(Scored, [_-Number|_]),
    nth1(Number, Literals, Best, Rest).

bound_arguments(Literal, Bound, Count) :-
    Literal =.. [_|Arguments],
    findall(x, ( member(Argument, Arguments), all_bound(Argument, Bound) ), Found),
    length(Found, Count).

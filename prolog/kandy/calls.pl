:- module(kandy_calls,
          [ undefined_predicates/2,     % +Module, -Predicates
            impure_predicates/2,        % +Module, -Predicates
            own_call/2,                 % +Module, -Goal
            own_clause/3,               % +Module, -Head, -Body
            called/2                    % +Body, -Goal
          ]).

:- use_module(library(lists), [member/2]).

/** <module> What a rule calls

A misspelt predicate in a rule is an error of its author, to be told before
any picture is drawn and not when a picture first leads there.  A rule that
changes the database would make its own labels depend on their order, and one
that draws lots would give another label each time it is asked.
*/

%!  undefined_predicates(+Module:atom, -Predicates:list) is det.
%
%   Predicates, as Name/Arity and in order, are called by clauses of Module and
%   neither defined there, nor visible there, nor in an autoload library.

undefined_predicates(Module, Predicates) :-
    findall(Name/Arity,
            ( own_call(Module, Goal),
              \+ Goal = _:_,
              \+ is_defined(Module, Goal),
              functor(Goal, Name, Arity)
            ),
            Found),
    sort(Found, Predicates).

%!  impure_predicates(+Module:atom, -Predicates:list) is det.
%
%   Predicates, as Name/Arity and in order, are called by clauses of Module and
%   change the database or a global variable, reach into another module, or
%   depend on chance or on the clock; so are functions of arithmetic that do.

impure_predicates(Module, Predicates) :-
    findall(Name/Arity,
            ( own_call(Module, Goal),
              impure_part(Goal, Part),
              functor(Part, Name, Arity)
            ),
            Found),
    sort(Found, Predicates).

impure_part(Goal, Goal) :-
    impure(Goal).
impure_part(Goal, Function) :-
    arithmetic(Goal),
    unrepeatable_in(Goal, Function).

arithmetic(_ is _).
arithmetic(_ =:= _).
arithmetic(_ =\= _).
arithmetic(_ < _).
arithmetic(_ > _).
arithmetic(_ =< _).
arithmetic(_ >= _).

unrepeatable_in(Term, Term) :-
    nonvar(Term),
    unrepeatable(Term).
unrepeatable_in(Term, Function) :-
    compound(Term),
    arg(_, Term, Part),
    unrepeatable_in(Part, Function).

unrepeatable(random(_)).
unrepeatable(random_float).
unrepeatable(cputime).
unrepeatable(realtime).

impure(_:_).
impure(assert(_)).
impure(asserta(_)).
impure(assertz(_)).
impure(retract(_)).
impure(retractall(_)).
impure(abolish(_)).
impure(abolish(_, _)).
impure(nb_setval(_, _)).
impure(b_setval(_, _)).
impure(use_module(_)).
impure(use_module(_, _)).
impure(set_prolog_flag(_, _)).
impure(sleep(_)).
impure(abolish_all_tables).
impure(nb_getval(_, _)).
impure(b_getval(_, _)).
impure(gensym(_, _)).
impure(get_time(_)).
impure(statistics(_, _)).
impure(random(_)).
impure(random_between(_, _, _)).
impure(random_member(_, _)).
impure(random_select(_, _, _)).
impure(random_subseq(_, _, _)).
impure(random_permutation(_, _)).
impure(randseq(_, _, _)).
impure(randset(_, _, _)).

%!  own_clause(+Module:atom, -Head:callable, -Body:callable) is nondet.
%
%   Head :- Body is a clause that Module itself defines.

own_clause(Module, Head, Body) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, imported_from(_)),
    clause(Module:Head, Body).

%!  own_call(+Module:atom, -Goal:callable) is nondet.
%
%   Goal is called in a clause that Module itself defines, also through the
%   predicates that take goals.

own_call(Module, Goal) :-
    own_clause(Module, _, Body),
    called(Body, Goal).

is_defined(Module, Goal) :-
    predicate_property(Module:Goal, defined),
    !.
is_defined(_, Goal) :-
    predicate_property(Goal, autoload(_)).

%!  called(+Body:callable, -Goal:callable) is nondet.
%
%   Goal is called in Body, also through the predicates that take goals.

called(Goal, _) :-
    var(Goal),
    !,
    fail.
called(Body, Goal) :-
    subgoals(Body, Parts),
    !,
    member(Part, Parts),
    called(Part, Goal).
called(Goal, Goal) :-
    callable(Goal).

subgoals((A, B), [A, B]).
subgoals((A ; B), [A, B]).
subgoals((A -> B), [A, B]).
subgoals((A *-> B), [A, B]).
subgoals(\+ A, [A]).
subgoals(not(A), [A]).
subgoals(call(A), [A]).
subgoals(once(A), [A]).
subgoals(ignore(A), [A]).
subgoals(forall(A, B), [A, B]).
subgoals(findall(_, A, _), [A]).
subgoals(bagof(_, A, _), [A]).
subgoals(setof(_, A, _), [A]).
subgoals(_ ^ A, [A]).
subgoals(aggregate_all(_, A, _), [A]).
subgoals(aggregate_all(_, _, A, _), [A]).

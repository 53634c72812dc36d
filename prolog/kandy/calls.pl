:- module(kandy_calls,
          [ undefined_predicates/2,     % +Module, -Predicates
            impure_predicates/2,        % +Module, -Predicates
            own_call/2,                 % +Module, -Goal
            own_clause/3                % +Module, -Head, -Body
          ]).

:- use_module(hornbeam(prolog/purity), [called/2, impure_goal/2]).

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
    Goal = _:_.
impure_part(Goal, Part) :-
    impure_goal(Goal, Part).

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

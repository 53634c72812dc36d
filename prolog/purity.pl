:- module(hornbeam_purity,
          [ called/2,               % +Body, -Goal
            impure_goal/2,          % +Goal, -Part
            impure_call/2           % +Body, -Predicate
          ]).
:- autoload(library(lists), [append/3, member/2]).

/** <module> What rules may not do

A theory is asked about one sample after the other, and its answer may depend on the sample only. So a rule may not remember
its calls, draw lots, look at the clock, or catch the exception of a limit.
*/

%!  impure_call(+Body:callable, -Predicate) is semidet.
%
%   Predicate, as Name/Arity, is the first one that Body calls and a theory may not call.

impure_call(Body, Name/Arity) :-
    called(Body, Goal),
    impure_goal(Goal, Part),
    !,
    functor(Part, Name, Arity).

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
called(Goal, Called) :-
    closure(Goal, Closure),
    called(Closure, Called).

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

%   Closure is what Goal, which is no plain control, calls with further arguments.

closure(Goal, Closure) :-
    compound(Goal),
    Goal \= _:_,
    predicate_property(Goal, meta_predicate(Places)),
    arg(At, Places, Place),
    more_arguments(Place, More),
    arg(At, Goal, Closure0),
    extended(Closure0, More, Closure).

more_arguments(Place, Place) :- integer(Place), !.
more_arguments(^, 0).
more_arguments(//, 2).

extended(Closure, _, _) :-
    \+ callable(Closure),
    !,
    fail.
extended(_:Closure0, More, Closure) :-
    !,
    extended(Closure0, More, Closure).
extended(_ >> Body, _, Closure) :-
    !,
    Closure = Body.
extended(Closure0, More, Closure) :-
    length(Fresh, More),
    Closure0 =.. [Name|Arguments0],
    append(Arguments0, Fresh, Arguments),
    Closure =.. [Name|Arguments].

%!  impure_goal(+Goal, -Part) is nondet.
%
%   Part of Goal, itself or a function of arithmetic in it, is nothing that a rule may call.

impure_goal(Goal, Goal) :-
    impure(Goal).
impure_goal(_:Goal, Part) :-
    callable(Goal),
    impure_goal(Goal, Part).
impure_goal(Goal, Function) :-
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

% The database, and what else keeps a state.
impure(assert(_)).
impure(assert(_, _)).
impure(asserta(_)).
impure(asserta(_, _)).
impure(assertz(_)).
impure(assertz(_, _)).
impure(retract(_)).
impure(retractall(_)).
impure(abolish(_)).
impure(abolish(_, _)).
impure(erase(_)).
impure(recorda(_, _)).
impure(recorda(_, _, _)).
impure(recordz(_, _)).
impure(recordz(_, _, _)).
impure(recorded(_, _)).
impure(recorded(_, _, _)).
impure(nb_setval(_, _)).
impure(nb_linkval(_, _)).
impure(nb_getval(_, _)).
impure(nb_current(_, _)).
impure(nb_setarg(_, _, _)).
impure(nb_linkarg(_, _, _)).
impure(b_setval(_, _)).
impure(b_getval(_, _)).
impure(flag(_, _, _)).
impure(gensym(_, _)).
impure(reset_gensym).
impure(reset_gensym(_)).
impure(op(_, _, _)).
impure(set_prolog_flag(_, _)).
impure(use_module(_)).
impure(use_module(_, _)).
impure(abolish_all_tables).
impure(abolish_module_tables(_)).
impure(abolish_table_subgoals(_)).
impure(current_table(_, _)).
% The clock.
impure(sleep(_)).
impure(get_time(_)).
impure(statistics(_, _)).
% Chance.
impure(random(_)).
impure(random(_, _, _)).
impure(random_between(_, _, _)).
impure(random_member(_, _)).
impure(random_select(_, _, _)).
impure(random_subseq(_, _, _)).
impure(random_permutation(_, _)).
impure(randseq(_, _, _)).
impure(randset(_, _, _)).
impure(set_random(_)).
impure(setrand(_)).
impure(getrand(_)).
impure(maybe).
impure(maybe(_)).
impure(maybe(_, _)).
% Limits.
impure(catch(_, _, _)).
impure(catch_with_backtrace(_, _, _)).
impure(call_with_depth_limit(_, _, _)).
impure(call_with_inference_limit(_, _, _)).
impure(call_with_time_limit(_, _)).
impure(call_with_time_limit(_, _, _)).

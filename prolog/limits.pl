:- module(hornbeam_limits,
          [ call_limited/2          % :Goal, +Limits
          ]).
:- autoload(library(lists), [memberchk/2]).
:- autoload(library(time), [call_with_time_limit/2]).

/** <module> Goals with limits on time, inferences and memory

An inference limit gives the same outcome on every machine; a time limit is the net below it.
*/

:- meta_predicate
    call_limited(0, +),
    with_stack(0, +),
    with_inferences(0, +),
    with_time(0, +).

%!  call_limited(:Goal, +Limits) is nondet.
%
%   Call Goal under Limits, a list of `-(Kind, Number)` with the kinds `seconds`, `inferences` and `stack` (bytes); other
%   kinds are for the caller.
%
%   @throws time_limit_exceeded
%   @throws inference_limit_exceeded(Limit)
%   @error resource_error(_) when the stacks would grow past their limit

call_limited(Goal, []) :-
    !,
    call(Goal).
call_limited(Goal, Limits) :-
    with_stack(with_time(with_inferences(Goal, Limits), Limits), Limits).

with_inferences(Goal, Limits) :-
    memberchk(-(inferences, Limit), Limits),
    !,
    call_with_inference_limit(Goal, Limit, Result),
    (   Result == inference_limit_exceeded
    ->  throw(inference_limit_exceeded(Limit))
    ;   true
    ).
with_inferences(Goal, _) :-
    call(Goal).

with_time(Goal, Limits) :-
    memberchk(-(seconds, Limit), Limits),
    !,
    call_with_time_limit(Limit, Goal).
with_time(Goal, _) :-
    call(Goal).

with_stack(Goal, Limits) :-
    memberchk(-(stack, Limit), Limits),
    !,
    current_prolog_flag(stack_limit, Old),
    setup_call_cleanup(
        set_prolog_flag(stack_limit, Limit),
        once(Goal),
        set_prolog_flag(stack_limit, Old)).
with_stack(Goal, _) :-
    call(Goal).

:- module(hornbeam_limits,
          [ call_limited/2,         % :Goal, +Limits
            limit_met/2             % +Ball, -Kind
          ]).
:- use_module(throws, [rethrow/1]).
:- autoload(library(lists), [memberchk/2]).
:- autoload(library(time), [alarm/4, remove_alarm/1]).

/** <module> Goals with limits on time, inferences and memory

An inference limit gives the same outcome on every machine; a time limit is the net below it.

A goal may catch what a limit throws, or throw a term that looks the same. So a limit is never recognised by the exception
that leaves the goal: the alarm notes that it rang, and inferences are counted. The exception that tells of a limit is
thrown outside the goal, and holds a clause reference of this module, which no text can denote.
*/

:- meta_predicate
    call_limited(0, +),
    with_stack(0, +),
    with_inferences(0, +),
    with_time(0, +),
    outcome(0, -).

:- thread_local late/0, ringing/1.
:- dynamic seal/0, spent_on_nothing/1.

%!  call_limited(:Goal, +Limits) is semidet.
%
%   Call Goal once under Limits, a list of `-(Kind, Number)` with the kinds `seconds`, `inferences` and `stack` (bytes); other
%   kinds are for the caller.
%
%   @throws hornbeam_limit(Seal, Kind, Limit), see limit_met/2
%   @error resource_error(_) when the stacks would grow past their limit

call_limited(Goal, Limits) :-
    with_stack(with_time(with_inferences(Goal, Limits), Limits), Limits).

%!  limit_met(+Ball, -Kind) is semidet.
%
%   Ball was thrown because a limit was met: `time` or `inferences`.

limit_met(Ball, Kind) :-
    nonvar(Ball),
    Ball = hornbeam_limit(Seal, Kind, _),
    blob(Seal, clause),
    clause(seal, true, Seal).

met(Kind, Limit) :-
    (   clause(seal, true, Seal)
    ->  true
    ;   assertz(seal, Seal)
    ),
    throw(hornbeam_limit(Seal, Kind, Limit)).

%   Outcome is true, false or threw(Ball).

outcome(Goal, Outcome) :-
    catch(( Goal -> Outcome = true ; Outcome = false ), Ball, Outcome = threw(Ball)).

concluded(true).
concluded(threw(Ball)) :-
    rethrow(Ball).

with_inferences(Goal, Limits) :-
    memberchk(-(inferences, Limit), Limits),
    !,
    counted(Goal, Limit, Outcome, Result, Used),
    spent_on_nothing(Nothing),
    (   Result == inference_limit_exceeded
    ->  met(inferences, Limit)
    ;   Used - Nothing > Limit
    ->  met(inferences, Limit)
    ;   concluded(Outcome)
    ).
with_inferences(Goal, _) :-
    call(Goal).

:- meta_predicate counted(0, +, -, -, -).

counted(Goal, Limit, Outcome, Result, Used) :-
    statistics(inferences, Before),
    outcome(call_with_inference_limit(Goal, Limit, Result), Outcome),
    statistics(inferences, After),
    Used is After-Before.

:- initialization(count_nothing).

count_nothing :-
    retractall(spent_on_nothing(_)),
    counted(true, 1000, _, _, Used),
    assertz(spent_on_nothing(Used)).

with_time(Goal, Limits) :-
    memberchk(-(seconds, Limit), Limits),
    !,
    retractall(late),
    outcome(setup_call_cleanup(
                alarm(Limit, hornbeam_limits:ring, Id, [remove(false)]),
                Goal,
                silence(Id)),
            Outcome),
    (   retract(late)
    ->  met(time, Limit)
    ;   concluded(Outcome)
    ).
with_time(Goal, _) :-
    call(Goal).

:- public ring/0.

%   Again and again: a goal that catches the first exception may go on.

ring :-
    (   late
    ->  true
    ;   assertz(late)
    ),
    alarm(0.2, hornbeam_limits:ring_again, Id, [remove(false)]),
    assertz(ringing(Id)),
    throw(time_limit_exceeded).

%   No alarm is left behind: SWI-Prolog may not end while one is pending.

silence(Id) :-
    remove_alarm(Id),
    forall(retract(ringing(Again)), remove_alarm(Again)).

:- public ring_again/0.

ring_again :-
    (   late
    ->  ring
    ;   true
    ).

with_stack(Goal, Limits) :-
    memberchk(-(stack, Limit), Limits),
    !,
    current_prolog_flag(stack_limit, Old),
    setup_call_cleanup(
        set_prolog_flag(stack_limit, Limit),
        once(Goal),
        set_prolog_flag(stack_limit, Old)).
with_stack(Goal, _) :-
    once(Goal).

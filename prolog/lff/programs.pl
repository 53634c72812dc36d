:- module(hornbeam_lff_programs,
          [ verdicts/5,             % +Task, +Both, +Programs, +Limit, -Verdicts
            counts/5                % +Task, +Programs, +Limit, -Positive, -Negative
          ]).
:- use_module(cover, [body/4]).
:- use_module(library(apply), [maplist/2, maplist/3, maplist/4]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(error), [must_be/2]).

/** <module> Tests of whole programs: recursive ones, and ones with invented predicates

The modules of a task are those of cover.pl; Data has beside its literals the heads, as `head(Number, Frame, Atom)`, of
which number 0 is the one that examples are of. A rule is `[Head|Literals]`, by number, and a program is a list of rules.
Its rules are asserted in the background's module for the time of its test. The proof of one example has Limit inferences:
a positive example that is not proved with them is not covered, and a program that does not refute a negative one with them
is not accepted.
*/

%!  verdicts(+Task, +Both, +Programs, +Limit, -Verdicts) is det.
%
%   For each program one of `solution`, `inconsistent` (a negative example is proved), `open` (a negative example is not
%   refuted within the limit) and `incomplete` (a positive example is not covered). A program that is incomplete and
%   inconsistent is called `incomplete` where Both is false, `hopeless` where it is true: to know it costs more.

verdicts(Task, Both, Programs, Limit, Verdicts) :-
    must_be(boolean, Both),
    must_be(positive_integer, Limit),
    maplist(in_program(Task, verdict(Task, Both, Limit)), Programs, Verdicts).

verdict(Task, Both, Limit, Verdict) :-
    (   missing(Task, Limit)
    ->  (   Both == true,
            refutation(Task, Limit, Outcome),
            Outcome == inconsistent
        ->  Verdict = hopeless
        ;   Verdict = incomplete
        )
    ;   refutation(Task, Limit, Outcome)
    ->  Verdict = Outcome
    ;   Verdict = solution
    ).

missing(task(Data, Program), Limit) :-
    Data:head(0, Frame, Head),
    Data:positive(_, Frame),
    \+ proved(Program:Head, Limit, true),
    !.

refutation(task(Data, Program), Limit, Outcome) :-
    Data:head(0, Frame, Head),
    Data:negative(_, Frame),
    proved(Program:Head, Limit, Result),
    !,
    outcome(Result, Outcome).

outcome(true, inconsistent).
outcome(limit, open).

%!  counts(+Task, +Programs, +Limit, -Positive, -Negative) is det.
%
%   For each program how many positive and how many negative examples it covers; a negative example that is not refuted
%   within the limit counts as covered.

counts(Task, Programs, Limit, Positive, Negative) :-
    must_be(positive_integer, Limit),
    maplist(in_program(Task, count(Task, Limit)), Programs, Counts),
    maplist(pair, Counts, Positive, Negative).

pair(P-N, P, N).

count(task(Data, Program), Limit, Positive-Negative) :-
    Data:head(0, Frame, Head),
    aggregate_all(count, ( Data:positive(_, Frame), proved(Program:Head, Limit, true) ), Positive),
    aggregate_all(count, ( Data:negative(_, Frame), proved(Program:Head, Limit, _) ), Negative).

:- meta_predicate in_program(+, 1, +, -), proved(0, +, ?).

in_program(task(Data, Program), Test, Rules, Result) :-
    setup_call_cleanup(
        maplist(add_rule(Data, Program), Rules, References),
        call(Test, Result),
        maplist(erase, References)).

add_rule(Data, Program, [Number|Literals], Reference) :-
    Data:head(Number, Frame, Head),
    body(Literals, Data, Frame, Body),
    assertz(Program:(Head :- Body), Reference).

%   Result is `true` for a proof and `limit` where the inferences ended before; an error is no proof.

proved(Goal, Limit, Result) :-
    catch(call_with_inference_limit(once(Goal), Limit, Outcome), error(_, _), fail),
    (   Outcome == inference_limit_exceeded
    ->  Result = limit
    ;   Result = true
    ).

:- module(kandy_failures,
          [ failure/3,                  % +Module, +Goal, -Failure
            first_stops/3               % +Module, +Goal, -Stops
          ]).

:- use_module(library(apply), [foldl/4, maplist/3]).
:- use_module(library(lists), [append/3, member/2, reverse/2]).
:- use_module(library(solution_sequences), [limit/2]).
:- use_module(proofs, [cut_in/3, definition/3, proofs/3]).

/** <module> Where a goal fails

A goal without a proof fails in every clause at some literal.  Of all the ways
to satisfy the literals before it, those that come furthest are told.  A
failure is

    failed(Goal, Reason)

where Reason is one of

  - plainly
    nothing more can be said: built in, of a library, of the basic vocabulary
  - no_clause
    no clause has a head for Goal
  - clauses(Stops)
    each clause stops; a stop is stop(Number, Ways), Ways a list of
    way(Done, Failure): the goals that succeeded, then the one that did not
  - stuck(Ways)
    the same for a conjunction
  - provable(Proofs)
    a negation, of something that has these proofs
  - counterexample(Proofs, Failure)
    forall/2: these proofs of the condition, and the failure of the rest
  - branches(Failures)
    a disjunction, all of whose branches fail
*/

%   How many ways of one clause are told, how many of the furthest are compared
%   for that (fewer further in), how many are tried, and how deep it goes.
ways_told(3).
ways_compared(Depth, Compared) :-
    deepest(Deepest),
    Compared is max(3, 20 - 4 * (Deepest - Depth)).
ways_tried(1_000).
deepest(8).

%!  failure(+Module:atom, +Goal:callable, -Failure) is det.
%
%   Failure says where Goal, which has no proof in Module, fails.

failure(Module, Goal, Failure) :-
    deepest(Depth),
    failure(Goal, Module, Depth, Failure).

failure(Goal, Module, Depth, failed(Told, Reason)) :-
    % What the search for a reason binds is no part of the goal that failed.
    copy_term(Goal, Told),
    (   Depth =:= 0
    ->  Reason = plainly
    ;   Below is Depth - 1,
        once(reason(Goal, Module, Below, Reason))
    ).

%!  first_stops(+Module:atom, +Goal:callable, -Stops:list) is det.
%
%   Stops are stop(Number, Done, Failing) for each clause of Goal, which has no
%   proof in Module: the goals of one way that comes furthest, and where it ends.

first_stops(Module, Goal, Stops) :-
    findall(stop(Number, Done, Failing),
            ( nth_clause(Module:Goal, Number, Clause),
              clause(Module:Goal, Body, Clause),
              furthest(Body, Module, 0, [way(Done, failed(Failing, _))|_])
            ),
            Stops).

reason((A, B), Module, Depth, stuck(Ways)) :-
    furthest((A, B), Module, Depth, Ways).
reason((If -> Then ; Else), Module, Depth, branches([Failure])) :-
    (   call(Module:If)
    ->  failure(Then, Module, Depth, Failure)
    ;   failure(Else, Module, Depth, Failure)
    ).
reason((A ; B), Module, Depth, branches([FailureA, FailureB])) :-
    failure(A, Module, Depth, FailureA),
    failure(B, Module, Depth, FailureB).
reason((If -> Then), Module, Depth, Reason) :-
    reason((If -> Then ; fail), Module, Depth, Reason).
reason(\+ Goal, Module, _, provable(Proofs)) :-
    once(proofs(Goal, Module, Proofs)).
reason(not(Goal), Module, Depth, Reason) :-
    reason(\+ Goal, Module, Depth, Reason).
reason(once(Goal), Module, Depth, branches([Failure])) :-
    failure(Goal, Module, Depth, Failure).
reason(call(Goal), Module, Depth, branches([Failure])) :-
    failure(Goal, Module, Depth, Failure).
reason(forall(If, Then), Module, Depth, counterexample(Proofs, Failure)) :-
    proofs(If, Module, Proofs),
    \+ call(Module:Then),
    failure(Then, Module, Depth, Failure).
reason(Goal, Module, Depth, Reason) :-
    definition(Module, Goal, Definition),
    findall(Number-Clause, nth_clause(Definition:Goal, Number, Clause), Clauses),
    stops(Clauses, Goal, Definition, Depth, Stops),
    (   Stops == []
    ->  Reason = no_clause
    ;   Reason = clauses(Stops)
    ).
reason(_, _, _, plainly).

%   Facts that do not match and heads that do not match are passed over.
stops([], _, _, _, []).
stops([Number-Clause|Clauses], Goal, Module, Depth, Stops) :-
    (   clause(Module:Goal, Body, Clause)
    ->  furthest(Body, Module, Depth, Ways),
        Stops = [stop(Number, Ways)|Rest]
    ;   Stops = Rest
    ),
    stops(Clauses, Goal, Module, Depth, Rest).

%   The ways through Body that get furthest before they fail.
furthest(Body, Module, Depth, Ways) :-
    cut_in(Body, Before, After),
    !,
    (   call(Module:Before)
    ->  conjunction_list(Before, Done),
        furthest(After, Module, Depth, Ways0),
        maplist(after(Done), Ways0, Ways)
    ;   furthest(Before, Module, Depth, Ways)
    ).
furthest(Body, Module, Depth, Ways) :-
    conjunction_list(Body, Goals),
    ways_tried(Most),
    findall(Length-way(Done, Goal),
            limit(Most, stop_in(Goals, Module, [], 0, Length, Done, Goal)),
            All),
    findall(Length, member(Length-_, All), Lengths),
    foldl(larger, Lengths, 0, Longest),
    findall(way(Done, Goal), member(Longest-way(Done, Goal), All), Furthest),
    ways_compared(Depth, Compared),
    first_distinct(Compared, Furthest, Some),
    maplist(way_with_failure(Module, Depth), Some, Failing),
    most_telling(Failing, Ways).

%   Of ways that come equally far, those whose last goal itself comes far.
most_telling(Ways, Told) :-
    ways_told(Count),
    maplist(scored, Ways, Scored),
    sort(1, @>=, Scored, Sorted),
    first_values(Count, Sorted, Told).

scored(Way, Score-Way) :-
    way_score(Way, Score).

way_score(way(Done, failed(_, Reason)), Score) :-
    length(Done, Length),
    reason_score(Reason, Inner),
    Score is Length + Inner.

reason_score(clauses(Stops), Score) =>
    findall(One, ( member(stop(_, Ways), Stops), member(Way, Ways), way_score(Way, One) ), Scores),
    foldl(larger, Scores, 0, Score).
reason_score(stuck(Ways), Score) =>
    maplist(way_score, Ways, Scores),
    foldl(larger, Scores, 0, Score).
reason_score(branches(Failures), Score) =>
    findall(One, ( member(failed(_, Reason), Failures), reason_score(Reason, One) ), Scores),
    foldl(larger, Scores, 0, Score).
reason_score(_, Score) =>
    Score = 0.

larger(One, Other, Larger) :-
    Larger is max(One, Other).

first_values(Count, [_-Value|Pairs], Values) :-
    Count > 0,
    !,
    Values = [Value|Rest],
    Left is Count - 1,
    first_values(Left, Pairs, Rest).
first_values(_, _, []).

after(Done, way(Then, Failure), way(All, Failure)) :-
    append(Done, Then, All).

way_with_failure(Module, Depth, way(Done, Goal), way(Done, Failure)) :-
    failure(Goal, Module, Depth, Failure).

%   stop_in(+Goals, +Module, +Before, +Length0, -Length, -Done, -Goal): after
%   Done, Length goals of Goals, comes Goal, which has no solution.
stop_in([Goal|Goals], Module, Before, Length0, Length, Done, Stop) :-
    (   call(Module:Goal)
    *-> Length1 is Length0 + 1,
        stop_in(Goals, Module, [Goal|Before], Length1, Length, Done, Stop)
    ;   Length = Length0,
        Stop = Goal,
        reverse(Before, Done)
    ).

conjunction_list(Body, Goals) :-
    phrase(conjunction(Body), Goals).

conjunction((A, B)) -->
    !,
    conjunction(A),
    conjunction(B).
conjunction(true) -->
    !.
conjunction(Goal) -->
    [Goal].

first_distinct(0, _, []) :-
    !.
first_distinct(_, [], []) :-
    !.
first_distinct(Count, [Way|Ways], [Way|Distinct]) :-
    exclude_variants(Ways, Way, Others),
    Left is Count - 1,
    first_distinct(Left, Others, Distinct).

exclude_variants([], _, []).
exclude_variants([Way|Ways], Other, Rest) :-
    (   Way =@= Other
    ->  Rest = Rest0
    ;   Rest = [Way|Rest0]
    ),
    exclude_variants(Ways, Other, Rest0).

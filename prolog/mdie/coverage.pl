:- module(mdie_coverage,
          [ covered/6,              % +Task, +Inferences, +Head, +Goals, +Ids, -Covered
            covers_more_than/6,     % +Task, +Inferences, +Head, +Goals, +Ids, +Most
            theory_covers/5         % +Task, +Inferences, +Theory, +Ids, -Covered
          ]).
:- use_module(task, [task_example_goal/4, task_example/3, task_goal/3]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(solution_sequences), [limit/2]).

/** <module> Which examples a clause covers

A body is called for many examples in one go, so that it is compiled once. Each proof may take so many inferences; an
example whose proof takes more, or raises an error, is not covered. The limit is first set for all examples together,
and only where that is too little they are parted, down to single ones: what counts is the outcome for an
example alone, on every machine the same.
*/

%!  covered(+Task, +Inferences, +Head, +Goals:list, +Ids:list(integer), -Covered:list(integer)) is det.
%
%   Covered are those of Ids for whose example the clause Head with the body Goals holds. No variable is bound.

covered(_, _, _, _, [], Covered) :-
    !,
    Covered = [].
covered(Task, Inferences, Head, Goals, Ids, Covered) :-
    proof_goal(Task, Head, Goals, Ids, Id, Proof),
    (   limited(findall(Id, Proof, Covered0), Inferences)
    ->  Covered = Covered0
    ;   halves(Ids, First, Second)
    ->  covered(Task, Inferences, Head, Goals, First, Covered1),
        covered(Task, Inferences, Head, Goals, Second, Covered2),
        append(Covered1, Covered2, Covered)
    ;   Covered = []
    ).

%!  covers_more_than(+Task, +Inferences, +Head, +Goals:list, +Ids:list(integer), +Most:integer) is semidet.
%
%   More than Most of Ids are covered; stops at the first that is too many.

covers_more_than(Task, Inferences, Head, Goals, Ids, Most) :-
    proof_goal(Task, Head, Goals, Ids, Id, Proof),
    (   Most =:= 0
    ->  Bounded = once(Proof)
    ;   Bounded = limit(Enough, Proof),
        Enough is Most+1
    ),
    (   limited(findall(Id, Bounded, Covered), Inferences)
    ->  true
    ;   covered(Task, Inferences, Head, Goals, Ids, Covered)
    ),
    length(Covered, Count),
    Count > Most.

proof_goal(Task, Head, Goals, Ids, Id, ( lists:member(Id, Ids), Example, ( Body -> true ) )) :-
    task_example_goal(Task, Id, Head, Example),
    conjunction(Goals, Body).

conjunction([], true).
conjunction([Goal|Goals], Body) :-
    conjunction(Goals, Goal, Body).

conjunction([], Goal, Goal).
conjunction([Next|Goals], Goal, (Goal, Body)) :-
    conjunction(Goals, Next, Body).

:- meta_predicate limited(0, +).

limited(Goal, Inferences) :-
    catch(call_with_inference_limit(Goal, Inferences, Result), error(_, _), fail),
    Result \== inference_limit_exceeded,
    !.

halves([First, Second|Rest], Front, Back) :-
    length([First, Second|Rest], Length),
    Half is Length//2,
    length(Front, Half),
    append(Front, Back, [First, Second|Rest]).

%!  theory_covers(+Task, +Inferences, +Theory:list, +Ids:list(integer), -Covered:list(integer)) is det.
%
%   Covered are those of Ids that Theory derives as a program: calls of the predicate to learn are answered by Theory
%   itself, not by the examples. Clauses are Head-Body.

theory_covers(Task, Inferences, Theory, Ids, Covered) :-
    findall(Id,
            ( member(Id, Ids),
              task_example(Task, Id, Atom),
              limited(once(derives(Theory, Task, Atom)), Inferences)
            ),
            Covered).

derives(Theory, Task, Atom) :-
    member(Clause, Theory),
    copy_term(Clause, Atom-Body),
    derives_all(Body, Theory, Task).

derives_all([], _, _).
derives_all([Literal|Body], Theory, Task) :-
    derives_literal(Literal, Theory, Task),
    derives_all(Body, Theory, Task).

derives_literal(\+ Atom, Theory, Task) =>
    \+ derives_literal(Atom, Theory, Task).
derives_literal(Atom, Theory, Task), targets(Theory, Atom) =>
    derives(Theory, Task, Atom).
derives_literal(Atom, _, Task) =>
    task_goal(Task, Atom, Goal),
    call(Goal).

targets([Head-_|_], Atom) :-
    functor(Head, Name, Arity),
    functor(Atom, Name, Arity).

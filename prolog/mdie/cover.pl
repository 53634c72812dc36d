:- module(mdie_cover,
          [ events/3                % +Task, +Settings, -Event
          ]).
:- use_module(coverage, [theory_covers/5]).
:- use_module(pool, [empty_pool/1, pool_add/4, pool_select/3, mask_of/2, in_mask/2, not_in_mask/2]).
:- use_module(saturation, [saturate/6, bottom_size/2]).
:- use_module(schedule,
              [ first_stage/3, next_seed/4, next_stage/5, stage_cut/2, stage_limits/4, stage_round/2, stage_signs/2,
                scope/2
              ]).
:- use_module(search, [start_search/7, search_on/4, search_over/2, search_best/2, search_tried/2]).
:- use_module(settings, [setting/3]).
:- use_module(survey, [survey/3]).
:- use_module(task, [task_example/3, task_ids/3, task_recursive/1]).
:- use_module(library(record), [(record)/1, op(_, _, record)]).
:- autoload(library(apply), [foldl/4, include/3, maplist/3]).
:- autoload(library(lists), [append/2, append/3, member/2, memberchk/2, reverse/2]).

/** <module> From clauses to theories, told as events

Seeds are taken in turn, as schedule.pl has it. Each is saturated and its bottom clause searched. With the strategy `cover`
the best clause of each search joins the theory, and what it covers is done with. With `few` and `max` all good clauses
are kept, and the theory is chosen from them.

What happens is told on backtracking, so that a caller may stop at any time:

  - `seed(Seed, Round, Size)`: the search of a bottom clause of so many literals begins
  - `tried(Count)`: so many clauses were tried since this was told last
  - `good(Clause, Positives, Negatives)`: a good clause, Head-Body, that none found before makes superfluous
  - `searched(Seed, Why)`: the search is `exhausted`, or ended for the number of its `nodes`
  - `theory(Clauses, Positives, Negatives)`: a better theory, and the examples that it covers
  - `finished(Why)`: the last event. Why is `exhausted` if no search that matters was cut short, else `nodes`.
*/

:- record run(task, settings, survey, stage, search=none, pool=[], clauses=[], covered:integer=0,
              best=theory(0, 0, 0), cut=false).

%!  events(+Task, +Settings, -Event) is multi.
%
%   Event is what happens next, on backtracking what happens after it.

events(Task, Settings, Event) :-
    survey(Task, Settings, Survey),
    first_stage(Task, Settings, Stage),
    empty_pool(Pool),
    make_run([task(Task), settings(Settings), survey(Survey), stage(Stage), pool(Pool)], Run),
    running(Run, Event).

running(Run0, Event) :-
    step(Run0, Run, Events),
    (   member(Event, Events)
    ;   Run \== over,
        running(Run, Event)
    ).

%   One step: a part of a search, or from one seed or stage to the next.

step(Run0, Run, Events) :-
    run_search(Run0, Search),
    run_stage(Run0, Stage0),
    (   Search = searching(Seed, State)
    ->  continue(Seed, State, Run0, Run, Events)
    ;   to_do(Run0, Done),
        next_seed(Stage0, Done, Seed, Stage)
    ->  set_stage_of_run(Stage, Run0, Run1),
        begin(Seed, Run1, Run, Events)
    ;   run_task(Run0, Task),
        run_settings(Run0, Settings),
        completeness(Run0, Clauses),
        next_stage(Task, Settings, Clauses, Stage0, Stage)
    ->  set_stage_of_run(Stage, Run0, Run1),
        renew(Stage0, Stage, Run1, Run),
        Events = []
    ;   Run = over,
        run_cut(Run0, Cut),
        ending(Cut, Why),
        Events = [finished(Why)]
    ).

ending(true,  nodes).
ending(false, exhausted).

%   Seeds in Done are left out: what is covered, but for the strategy that takes every positive.

to_do(Run, Done) :-
    run_settings(Run, Settings),
    setting(strategy, Settings, Strategy),
    scope(Strategy, Scope),
    (   Scope == all,
        completeness(Run, Clauses),
        Clauses \== 1
    ->  Done = 0
    ;   run_covered(Run, Done)
    ).

%   Clauses is the number of clauses if all positives are covered, but for the number that may be wrong, else `open`.

completeness(Run, Clauses) :-
    run_task(Run, Task),
    run_covered(Run, Covered),
    task_ids(Task, Positives, _),
    mask_of(Positives, All),
    run_settings(Run, Settings),
    setting(noise, Settings, Noise),
    (   popcount(All /\ \Covered) =< Noise
    ->  run_clauses(Run, Theory),
        length(Theory, Clauses)
    ;   Clauses = open
    ).

%   A round begins with everything uncovered and an empty pool; the best theory so far is remembered.

renew(Stage0, Stage, Run0, Run) :-
    stage_round(Stage0, Round0),
    stage_round(Stage, Round),
    (   Round > Round0
    ->  set_run_fields([pool([]), clauses([]), covered(0), cut(false)], Run0, Run)
    ;   Run = Run0
    ).

begin(Seed, Run0, Run, Events) :-
    run_task(Run0, Task),
    run_settings(Run0, Settings),
    run_survey(Run0, Survey),
    run_stage(Run0, Stage),
    stage_signs(Stage, Signs),
    (   saturate(Task, Survey, Settings, Signs, Seed, Bottom)
    ->  bottom_size(Bottom, Size),
        examples(Run0, Examples, Count),
        stage_limits(Stage, Settings, Count, limits(Nodes, Order, Bar)),
        guard(Run0, Guard),
        Limits = limits(Nodes, Order, Bar, Guard),
        start_search(Task, Settings, Bottom, Examples, Limits, Search, Good),
        foldl(keep, Good, kept(Run0, []), kept(Run1, News)),
        note_partial(Size, Signs, Run1, Run2),
        set_search_of_run(searching(Seed, Search), Run2, Run),
        stage_round(Stage, Round),
        Events = [seed(Seed, Round, Size)|News]
    ;   Run = Run0,
        Events = []
    ).

%   A bottom clause without room for all its literals cuts the search short, too, and so does one without those that are
%   negated.

note_partial(Size, Signs, Run0, Run) :-
    run_settings(Run0, Settings),
    setting(max_bottom, Settings, Most),
    (   (   Size >= Most
        ;   Signs == positive
        )
    ->  set_cut_of_run(true, Run0, Run)
    ;   Run = Run0
    ).

examples(Run, examples(Positives, Negatives, All), Count) :-
    run_task(Run, Task),
    run_settings(Run, Settings),
    task_ids(Task, All, Negatives),
    setting(strategy, Settings, Strategy),
    scope(Strategy, Scope),
    (   Scope == uncovered
    ->  run_covered(Run, Covered),
        include(not_in_mask(Covered), All, Positives)
    ;   Positives = All
    ),
    length(Positives, Count).

continue(Seed, Search0, Run0, Run, Events) :-
    run_settings(Run0, Settings),
    setting(chunk, Settings, Chunk),
    search_tried(Search0, Tried0),
    search_on(Search0, Chunk, Search, Good),
    search_tried(Search, Tried1),
    Tried is Tried1-Tried0,
    foldl(keep, Good, kept(Run0, []), kept(Run1, Reversed)),
    (   search_over(Search, Why)
    ->  conclude(Seed, Why, Search, Run1, Run, Concluding)
    ;   set_search_of_run(searching(Seed, Search), Run1, Run),
        Concluding = []
    ),
    reverse(Reversed, News),
    append([tried(Tried)|News], Concluding, Events).

keep(Good, kept(Run0, Events0), kept(Run, Events)) :-
    run_pool(Run0, Pool0),
    pool_add(Good, Pool0, Pool, New),
    (   New == true
    ->  set_pool_of_run(Pool, Run0, Run),
        Good = good(Head, Body, Ps, Ns, _),
        Events = [good(Head-Body, Ps, Ns)|Events0]
    ;   Run = Run0,
        Events = Events0
    ).

conclude(Seed, Why, Search, Run0, Run, [searched(Seed, Why)|Events]) :-
    (   Why == nodes
    ->  run_stage(Run0, Stage0),
        stage_cut(Stage0, Stage),
        set_run_fields([search(none), cut(true), stage(Stage)], Run0, Run1)
    ;   set_search_of_run(none, Run0, Run1)
    ),
    run_settings(Run1, Settings),
    (   setting(strategy, Settings, cover)
    ->  accept_best(Search, Run1, Run2)
    ;   choose_theory(Run1, Run2)
    ),
    improvement(Run2, Run, Events).

%   The best clause of the search joins the theory.

accept_best(Search, Run0, Run) :-
    (   search_best(Search, Good)
    ->  Good = good(Head, Body, Ps, Ns, Size),
        copy_term(Head-Body, Clause),
        mask_of(Ps, P),
        mask_of(Ns, N),
        run_clauses(Run0, Clauses0),
        append(Clauses0, [pooled(P, N, Size, Clause)], Clauses),
        run_covered(Run0, Covered0),
        Covered is Covered0 \/ P,
        set_run_fields([clauses(Clauses), covered(Covered)], Run0, Run)
    ;   Run = Run0
    ).

%   A clause that calls its own predicate was tried with the examples as answers; it must also hold with the theory, and
%   what is not covered yet, in their place. That keeps out clauses which only explain each other.

guard(Run, Guard) :-
    run_task(Run, Task),
    (   task_recursive(Task)
    ->  Guard = mdie_cover:derivable(Run)
    ;   Guard = mdie_cover:anything
    ).

anything(_, _).

derivable(Run, Clause, Ps) :-
    run_task(Run, Task),
    run_settings(Run, Settings),
    setting(inferences, Settings, Inferences),
    run_clauses(Run, Pooled),
    run_covered(Run, Covered),
    task_ids(Task, Positives, _),
    findall(Atom-[],
            ( member(Id, Positives),
              not_in_mask(Covered, Id),
              \+ memberchk(Id, Ps),
              task_example(Task, Id, Atom)
            ),
            Facts),
    maplist(pooled_clause, Pooled, Clauses),
    append([Clauses, [Clause], Facts], Theory),
    theory_covers(Task, Inferences, Theory, Ps, Derived),
    Derived == Ps.

pooled_clause(pooled(_, _, _, Clause), Clause).

choose_theory(Run0, Run) :-
    run_pool(Run0, Pool),
    pool_select(Pool, Chosen, covered(P, _)),
    set_run_fields([clauses(Chosen), covered(P)], Run0, Run).

%   Tell of the theory if it explains more than the best so far, or as much in fewer literals.

improvement(Run0, Run, Events) :-
    run_clauses(Run0, Pooled),
    run_best(Run0, Best),
    (   Pooled \== [],
        theory_cover(Pooled, Run0, Ps, Ns),
        theory_value(Pooled, Ps, Ns, Value),
        Value @> Best
    ->  set_best_of_run(Value, Run0, Run),
        maplist(pooled_clause, Pooled, Clauses),
        Events = [theory(Clauses, Ps, Ns)]
    ;   Run = Run0,
        Events = []
    ).

theory_value(Pooled, Ps, Ns, theory(Gain, Shortness, Fewness)) :-
    length(Ps, P),
    length(Ns, N),
    Gain is P-N,
    foldl(add_size, Pooled, 0, Size),
    Shortness is -Size,
    length(Pooled, Count),
    Fewness is -Count.

add_size(pooled(_, _, Size, _), Sum0, Sum) :-
    Sum is Sum0+Size+1.

theory_cover(Pooled, Run, Ps, Ns) :-
    run_task(Run, Task),
    task_ids(Task, Positives, Negatives),
    (   task_recursive(Task)
    ->  run_settings(Run, Settings),
        setting(inferences, Settings, Inferences),
        maplist(pooled_clause, Pooled, Clauses),
        theory_covers(Task, Inferences, Clauses, Positives, Ps),
        theory_covers(Task, Inferences, Clauses, Negatives, Ns)
    ;   foldl(add_pooled, Pooled, masks(0, 0), masks(P, N)),
        include(in_mask(P), Positives, Ps),
        include(in_mask(N), Negatives, Ns)
    ).

add_pooled(pooled(P, N, _, _), masks(P0, N0), masks(P1, N1)) :-
    P1 is P0 \/ P,
    N1 is N0 \/ N.

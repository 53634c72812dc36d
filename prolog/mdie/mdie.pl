:- module(mdie,
          [ learn/3,                % +Task, -Theory, +Options
            learning/3,             % +Task, -Event, +Options
            bottom/4,               % +Task, +Example, -Clause, +Options
            print_theory/1          % +Theory
          ]).
:- use_module(cover, [events/3]).
:- use_module(saturation, [saturate/6, bottom_clause/2]).
:- use_module(settings, [settings/2]).
:- use_module(survey, [survey/3]).
:- use_module(task, [open_task/2, close_task/1, task_recursive/1]).
:- autoload(library(apply), [maplist/2, maplist/3]).
:- autoload(library(error), [must_be/2]).
:- autoload(library(lists), [last/2]).
:- autoload(library(listing), [portray_clause/1]).

/** <module> Learning clauses by mode-directed inverse entailment

An inductive learner in the manner of Progol and Aleph: a seed among the positive examples is saturated into a bottom
clause, the most specific clause that explains it within the modes; subsets of the bottom clause are searched best first for
one that covers many positives and few negatives; and the cover loop goes on until the positives are covered.

In `swipl -p hornbeam=DIR`, DIR being the folder that holds prolog/ and kb/ (see paths.pl):

    ?- use_module(hornbeam(prolog/mdie/mdie)).
    ?- [user].
    parent(ann, mary).  parent(ann, tom).  parent(tom, eve).  parent(tom, ian).
    female(ann).  female(mary).  female(eve).
    ^D
    ?- learn([ head(daughter(+person, +person)),
               body(parent(+person, -person)),  body(parent(-person, +person)),
               body(female(+person)),
               positive(daughter(mary, ann)),   positive(daughter(eve, tom)),
               negative(daughter(tom, ann)),    negative(daughter(eve, ann))
             ], Theory, []),
       print_theory(Theory).
    daughter(A, B) :-
        parent(B, A),
        female(A).

The declarations of a task are in task.pl, the modes in modes.pl, the settings with their defaults in settings.pl, and
the events in cover.pl. Modules named `mdie_...` are the parts.

@see Muggleton, Inverse entailment and Progol, New Generation Computing 13, 1995
@see Srinivasan, The Aleph Manual
*/

%!  learn(+Task:list, -Theory:list, +Options:list) is det.
%
%   Theory is the best theory found for the task: a list of clauses as terms `Head :- Body`, the empty list if none
%   covers an example. Options are the settings of settings.pl.
%
%   @error domain_error(mdie_declaration, D) if D is no declaration of a task
%   @error domain_error(mdie_setting, S) if S is no setting

learn(Task, Theory, Options) :-
    findall(Clauses, learning(Task, theory(Clauses, _, _), Options), Theories),
    (   last(Theories, Theory)
    ->  true
    ;   Theory = []
    ).

%!  learning(+Task:list, ?Event, +Options:list) is nondet.
%
%   Event is what happens in learning, on backtracking what happens next; see cover.pl for the events. Clauses are terms
%   `Head :- Body`. Cutting the choice point ends the learning.

learning(Declarations, Event, Options) :-
    settings(Options, Settings0),
    setup_call_cleanup(
        open_task(Declarations, Task),
        ( fitting(Task, Settings0, Settings),
          events(Task, Settings, Event0),
          event(Event0, Event)
        ),
        close_task(Task)).

%   The answers of a recursive call depend on the whole theory, so clauses of different seeds cannot be chosen from.

fitting(Task, Settings0, Settings) :-
    (   task_recursive(Task)
    ->  put_dict(strategy, Settings0, cover, Settings)
    ;   Settings = Settings0
    ).

event(good(Clause0, Ps, Ns), Event) =>
    written(Clause0, Clause),
    Event = good(Clause, Ps, Ns).
event(theory(Clauses0, Ps, Ns), Event) =>
    maplist(written, Clauses0, Clauses),
    Event = theory(Clauses, Ps, Ns).
event(Event0, Event) =>
    Event = Event0.

written(Head-[], Clause) =>
    Clause = Head.
written(Head-[Literal|Literals], Clause) =>
    conjunction(Literals, Literal, Body),
    Clause = (Head :- Body).

conjunction([], Literal, Literal).
conjunction([Next|Literals], Literal, (Literal, Body)) :-
    conjunction(Literals, Next, Body).

%!  bottom(+Task:list, +Example:positive_integer, -Clause, +Options:list) is semidet.
%
%   Clause is the bottom clause of the positive example with this number, counted from 1.

bottom(Declarations, Example, Clause, Options) :-
    must_be(positive_integer, Example),
    settings(Options, Settings),
    setup_call_cleanup(
        open_task(Declarations, Task),
        ( survey(Task, Settings, Survey),
          saturate(Task, Survey, Settings, both, Example, Bottom)
        ),
        close_task(Task)),
    bottom_clause(Bottom, Clause0),
    written(Clause0, Clause).

%!  print_theory(+Theory:list) is det.
%
%   Write the clauses to the current output.

print_theory(Theory) :-
    must_be(list, Theory),
    maplist(portray_clause, Theory).

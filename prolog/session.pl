:- module(session,
          [ explain/1,          % +Id
            explain/2,          % +Theory, +Id
            mine/0,
            mine/1,             % +File
            mine/2,             % ?Id, ?Answer
            wrong/0,
            wrong/1,            % ?Task
            score/0,
            score/1,            % ?Task
            compare/0,
            compare/1           % ?Task
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [include/3]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(listing), [listing/1, portray_clause/1]).

/** <module> A person with a dataset and a theory: the same words in every family

A theory of your own lives in the module `mine`. Load the file of a learner, or type rules:

    $ swipl DATASET/load.pl learned.pl        or    ?- mine('learned.pl').
    ?- [user].
    |: valid(Picture) :- contains(Picture, Object), extract_shape(Object, circle).

Then ask:

    ?- score.               how many samples it gets right, by task and split
    ?- wrong(Task).         which samples it gets wrong
    ?- compare(Task).       where it differs from the true theory
    ?- explain(Id).         why a label is what it is, by the true theory
    ?- explain(mine, Id).   why your theory answers as it does

This file knows no family. The dataset defines in `user`:

  - sample(Id, Task, Split, Label, Content)
  - judged(?Id, ?Expected): the samples whose label states an answer, and that answer
  - true_answer(+Id, -Answer): what the true theory derives for a sample
  - mine_answer(+Id, -Answer): what the theory in `mine` derives for it
  - explain_truth(+Id), explain_mine(+Id): print why
  - theory_predicates(-Indicators): the predicates of which a theory defines at least one
  - task_named(+Given, -Task), if tasks have more than one name

Mistakes are told in one line, and the goal fails.
*/

:- dynamic theory_file/1.

%!  explain(+Id) is semidet.
%
%   Prints why sample Id has its label, by the true theory.

explain(Id) :-
    explain(truth, Id).

%!  explain(+Theory, +Id) is semidet.
%
%   Prints why the true theory (`truth`) or the theory of your own (`mine`) answers as it does for sample Id.

explain(Theory, Id) :-
    plainly(explain_(Theory, Id)).

explain_(Theory, Id) :-
    known_sample(Id),
    (   Theory == truth
    ->  user:explain_truth(Id)
    ;   Theory == mine
    ->  have_theory,
        user:explain_mine(Id)
    ;   line("explain(~q, ~q): the first argument is truth or mine.", [Theory, Id])
    ).

%!  mine is semidet.
%
%   Lists the theory of your own.

mine :-
    plainly(mine_).

mine_ :-
    have_theory,
    findall(Module:Predicate, own_predicate(Module, Predicate), Found),
    forall(member(Module:Predicate, Found), listed(Module, Predicate)).

%   listing/1 of a predicate of user would list those of that name in all modules.
listed(user, Name/Arity) :-
    !,
    functor(Head, Name, Arity),
    forall(clause(user:Head, Body), portray_clause((Head :- Body))).
listed(Module, Predicate) :-
    listing(Module:Predicate).

%!  mine(+File) is semidet.
%
%   Loads the theory of File in place of the one before.

mine(File) :-
    plainly(load_theory(File)).

load_theory(File) :-
    (   catch(absolute_file_name(File, Path, [file_type(prolog), access(read)]), _, fail)
    ->  true
    ;   line("There is no file ~w.", [File])
    ),
    forall(retract(theory_file(Old)), unload_file(Old)),
    (   module_property(mine, file(Other))
    ->  unload_file(Other)
    ;   true
    ),
    forget_inherited,
    load_files(mine:Path, []),
    assertz(theory_file(Path)),
    abolish_all_tables.

%   A call in `mine` of a predicate of `user` links the two; a file could not define that predicate any more.

forget_inherited :-
    findall(Name/Arity,
            ( predicate_property(mine:Head, imported_from(user)),
              functor(Head, Name, Arity) ),
            Inherited),
    forall(member(Predicate, Inherited), abolish(mine:Predicate)).

%!  mine(?Id, ?Answer) is nondet.
%
%   Answer is what the theory of your own answers for sample Id.

mine(Id, Answer) :-
    plainly(have_theory),
    (   nonvar(Id) -> plainly(known_sample(Id)) ; true ),
    user:judged(Id, _),
    plainly(answer(Id, Answer)).

%!  wrong is semidet.
%!  wrong(?Task) is semidet.
%
%   Prints the samples (of Task) that the theory of your own gets wrong.

wrong :-
    wrong(_).

wrong(Task) :-
    plainly(wrong_(Task)).

wrong_(Given) :-
    have_theory,
    known_task(Given, Task),
    findall(Split-wrong(Id, Expected, Answer), wrong_sample(Task, Split, Id, Expected, Answer), Wrong),
    forall(member(Split-wrong(Id, Expected, Answer), Wrong),
           format("  ~w: ~q is ~q, mine says ~w~n", [Split, Id, Expected, Answer])),
    length(Wrong, Count),
    aggregate_all(count, judged_sample(Task, _, _, _), All),
    format("~d of ~d samples are wrong.~n", [Count, All]),
    (   Wrong = [_-wrong(First, _, _)|_]
    ->  format("Ask why:  ?- explain(mine, ~q).  ?- explain(~q).~n", [First, First])
    ;   true
    ).

wrong_sample(Task, Split, Id, Expected, Said) :-
    judged_sample(Task, Split, Id, Expected),
    said(Id, Said),
    Said \== Expected.

said(Id, Said) :-
    (   answer(Id, Answer)
    ->  Said = Answer
    ;   Said = nothing
    ).

%!  score is semidet.
%!  score(?Task) is semidet.
%
%   Prints how many samples (of Task) the theory of your own gets right, by task and split.

score :-
    score(_).

score(Task) :-
    plainly(score_(Task)).

score_(Given) :-
    have_theory,
    known_task(Given, Wanted),
    findall(Task-Split, judged_sample(Wanted, Task, Split, _, _), Places0),
    sort(Places0, Places),
    forall(member(Task-Split, Places), split_score(Task, Split)).

split_score(Task, Split) :-
    aggregate_all(count, judged_sample(Task, Split, _, _), All),
    aggregate_all(count, wrong_sample(Task, Split, _, _, _), Wrong),
    Right is All - Wrong,
    Share is Right / All,
    format("  ~w ~w~t~40|~d of ~d right (~3f)~n", [Task, Split, Right, All, Share]).

%!  compare is semidet.
%!  compare(?Task) is semidet.
%
%   Prints where the theory of your own and the true theory answer differently, whatever the labels say.

compare :-
    compare(_).

compare(Task) :-
    plainly(compare_(Task)).

compare_(Given) :-
    have_theory,
    known_task(Given, Task),
    findall(differs(Split, Id, True, Mine), differing(Task, Split, Id, True, Mine), Differing),
    aggregate_all(count, judged_sample(Task, _, _, _), All),
    length(Differing, Count),
    (   Count =:= 0
    ->  format("No difference in ~d samples. That proves nothing beyond them: see hornbeam diff.~n", [All])
    ;   forall(member(differs(Split, Id, True, Mine), Differing),
               format("  ~w: ~q: the true theory says ~q, mine says ~q~n", [Split, Id, True, Mine])),
        format("~d of ~d samples differ.~n", [Count, All])
    ).

differing(Task, Split, Id, True, Mine) :-
    judged_sample(Task, Split, Id, _),
    (   user:true_answer(Id, Answer)
    ->  True = Answer
    ;   True = nothing
    ),
    said(Id, Mine),
    True \== Mine.

%   Samples

judged_sample(Task, Split, Id, Expected) :-
    judged_sample(Task, _, Split, Id, Expected).

judged_sample(Wanted, Task, Split, Id, Expected) :-
    user:judged(Id, Expected),
    user:sample(Id, Task, Split, _, _),
    Wanted = Task.

known_sample(Id) :-
    (   nonvar(Id),
        user:sample(Id, _, _, _, _)
    ->  true
    ;   user:sample(First, _, _, _, _)
    ->  line("There is no sample ~q. The first is ~q.", [Id, First])
    ;   line("The dataset has no samples.", [])
    ).

known_task(Given, Task) :-
    (   var(Given)
    ->  Task = Given
    ;   predicate_property(user:task_named(_, _), defined),
        user:task_named(Given, Named)
    ->  Task = Named
    ;   user:sample(_, Given, _, _, _)
    ->  Task = Given
    ;   findall(Name, user:sample(_, Name, _, _, _), Names0),
        sort(Names0, Names),
        line("There is no task ~q. The tasks are: ~w.", [Given, Names])
    ).

%   The theory of one's own

%   A theory that does not end must not stop the others: a sample gets so many inferences. hornbeam/tasks/courtroom.py has
%   the same number.
most_inferences(5_000_000).

answer(Id, Answer) :-
    most_inferences(Most),
    call_with_inference_limit(once(user:mine_answer(Id, Answer0)), Most, Result),
    Result \== inference_limit_exceeded,
    Answer = Answer0.

have_theory :-
    (   own_predicate(_, _)
    ->  true
    ;   user:theory_predicates(Predicates),
        line("There is no theory of your own yet. Load one with mine(File), or type rules for ~w after [user].",
             [Predicates])
    ).

own_predicate(Module, Predicate) :-
    user:theory_predicates(Predicates),
    member(Module, [mine, user]),
    member(Predicate, Predicates),
    Predicate = Name/Arity,
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(Count)),
    Count > 0,
    \+ predicate_property(Module:Head, imported_from(_)).

%   One plain line for whatever goes wrong

line(Format, Arguments) :-
    throw(session_line(Format, Arguments)).

:- meta_predicate plainly(0).

plainly(Goal) :-
    catch(Goal, Problem, (told(Problem), fail)).

told(session_line(Format, Arguments)) =>
    format(Format, Arguments),
    nl.
told(error(existence_error(procedure, Missing), _)) =>
    strip_module(Missing, _, Predicate),
    format("~q is not defined, but a rule calls it.~n", [Predicate]).
told(Problem), Problem = error(_, _) =>
    '$messages':translate_message(Problem, Parts, []),
    with_output_to(string(Text), print_message_lines(current_output, '', Parts)),
    split_string(Text, "\n", " ", [Line|_]),
    format("~s~n", [Line]).
told(Problem) =>
    throw(Problem).

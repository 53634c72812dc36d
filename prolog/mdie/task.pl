:- module(mdie_task,
          [ open_task/2,            % +Declarations, -Task
            close_task/1,           % +Task
            task_head/2,            % +Task, ?Mode
            task_modes/2,           % +Task, -Modes
            task_ids/3,             % +Task, -Positives, -Negatives
            task_example/3,         % +Task, ?Id, ?Atom
            task_example_goal/4,    % +Task, ?Id, ?Atom, -Goal
            task_goal/3,            % +Task, +Atom, -Goal
            task_constants/3,       % +Task, +Type, -Constants
            task_allows/2,          % +Task, +Places
            task_recursive/1        % +Task
          ]).
:- use_module(modes, [head_mode/2, body_modes/4, mode_indicator/2]).
:- autoload(library(apply), [foldl/4, maplist/3]).
:- autoload(library(error), [must_be/2, domain_error/2, existence_error/2]).
:- autoload(library(gensym), [gensym/2]).
:- autoload(library(lists), [append/2, list_to_set/2, member/2, memberchk/2, reverse/2]).
:- autoload(library(option), [option/3]).

/** <module> A task: what is to be learned, from what, and in which language

A task is declared by a list of

  - `background(Module)`: the module in which body literals are called; `user` if not given
  - `head(Template)`: the mode of the predicate to learn, see modes.pl
  - `body(Template)`, `body(Template, Options)`: the mode of a body literal. Options are `recall(N)` and `negated(true)`
  - `constants(Type, List)`: what a `#(Type)` place may hold. Without it, what proofs give; where no proof tells, in
    negated literals and in calls that leave it open, the constants that other calls give for the type
  - `positive(Atom)`, `negative(Atom)`: ground examples.

Examples are numbered from 1, positives first, and kept as facts of a module of the task's own, so that two tasks do not
meet. One that is given twice counts twice. Where the predicate to learn is also a body mode, calls of it are answered by the positive examples.
*/

%!  open_task(+Declarations:list, -Task) is det.
%
%   Task must be closed with close_task/1.
%
%   @error domain_error(mdie_declaration, Declaration) if it is none of the above
%   @error existence_error(mdie_declaration, What) if there is no head or no positive example

open_task(Declarations, task(Module, Background, Heads, Modes, Positives, Negatives, Constants)) :-
    must_be(list, Declarations),
    foldl(declared, Declarations, parts([], [], [], [], [], user), Parts),
    Parts = parts(Heads0, Modes0, Atoms0, Refuted0, Constants, Background),
    reversed_set(Heads0, Heads),
    reversed_set(Modes0, ModeLists),
    append(ModeLists, Modes1),
    list_to_set(Modes1, Modes),
    reverse(Atoms0, Atoms),
    reverse(Refuted0, Refuted),
    required(head(_), Heads),
    required(positive(_), Atoms),
    one_target(Heads, Target),
    gensym(mdie_examples_, Module),
    number_examples(Atoms, Module, Target, 1, Next, Positives),
    number_examples(Refuted, Module, Target, Next, _, Negatives),
    Target = Name/Arity,
    dynamic(Module:Name/Arity),
    list_to_set(Atoms, Facts),
    forall(member(Fact, Facts), assertz(Module:Fact)).

declared(Declaration, _, _), var(Declaration) =>
    must_be(nonvar, Declaration).
declared(background(Module), Parts0, Parts) =>
    must_be(atom, Module),
    Parts0 = parts(H, B, P, N, C, _),
    Parts = parts(H, B, P, N, C, Module).
declared(head(Template), Parts0, Parts) =>
    head_mode(Template, Mode),
    Parts0 = parts(H, B, P, N, C, M),
    Parts = parts([Mode|H], B, P, N, C, M).
declared(body(Template), Parts0, Parts) =>
    declared(body(Template, []), Parts0, Parts).
declared(body(Template, Options), Parts0, Parts) =>
    option(recall(Recall), Options, default),
    option(negated(Negated), Options, false),
    must_be(boolean, Negated),
    (   Recall == default
    ->  true
    ;   must_be(positive_integer, Recall)
    ),
    body_modes(Template, Recall, Negated, Modes),
    Parts0 = parts(H, B, P, N, C, M),
    Parts = parts(H, [Modes|B], P, N, C, M).
declared(constants(Type, List), Parts0, Parts) =>
    must_be(atom, Type),
    must_be(list(ground), List),
    Parts0 = parts(H, B, P, N, C, M),
    Parts = parts(H, B, P, N, [Type-List|C], M).
declared(positive(Atom), Parts0, Parts) =>
    must_be(ground, Atom),
    Parts0 = parts(H, B, P, N, C, M),
    Parts = parts(H, B, [Atom|P], N, C, M).
declared(negative(Atom), Parts0, Parts) =>
    must_be(ground, Atom),
    Parts0 = parts(H, B, P, N, C, M),
    Parts = parts(H, B, P, [Atom|N], C, M).
declared(Declaration, _, _) =>
    domain_error(mdie_declaration, Declaration).

reversed_set(List0, Set) :-
    reverse(List0, List),
    list_to_set(List, Set).

required(What, []) =>
    existence_error(mdie_declaration, What).
required(_, _) =>
    true.

one_target(Heads, Target) :-
    maplist(mode_indicator, Heads, Indicators),
    list_to_set(Indicators, Targets),
    (   Targets = [Target]
    ->  true
    ;   domain_error(mdie_one_head_predicate, Targets)
    ).

number_examples([], _, _, Next, Next, []).
number_examples([Atom|Atoms], Module, Name/Arity, Id, Next, [Id|Ids]) :-
    (   functor(Atom, Name, Arity)
    ->  assertz(Module:'mdie example'(Id, Atom))
    ;   domain_error(mdie_example_of(Name/Arity), Atom)
    ),
    Id1 is Id+1,
    number_examples(Atoms, Module, Name/Arity, Id1, Next, Ids).

%!  close_task(+Task) is det.
%
%   Forget the examples of the task.

close_task(task(Module, _, Heads, _, _, _, _)) :-
    Heads = [Mode|_],
    mode_indicator(Mode, Name/Arity),
    functor(Head, Name, Arity),
    retractall(Module:'mdie example'(_, _)),
    retractall(Module:Head).

%!  task_head(+Task, ?Mode) is nondet.

task_head(task(_, _, Heads, _, _, _, _), Mode) :-
    member(Mode, Heads).

%!  task_modes(+Task, -Modes) is det.

task_modes(task(_, _, _, Modes, _, _, _), Modes).

%!  task_ids(+Task, -Positives:list(integer), -Negatives:list(integer)) is det.

task_ids(task(_, _, _, _, Positives, Negatives, _), Positives, Negatives).

%!  task_example(+Task, ?Id, ?Atom) is nondet.
%
%   Semidet if Id is bound.

task_example(task(Module, _, _, _, _, _, _), Id, Atom) :-
    Module:'mdie example'(Id, Atom).

%!  task_example_goal(+Task, ?Id, ?Atom, -Goal) is det.
%
%   Goal calls task_example/3 without a predicate in between.

task_example_goal(task(Module, _, _, _, _, _, _), Id, Atom, Module:'mdie example'(Id, Atom)).

%!  task_goal(+Task, +Atom, -Goal) is det.
%
%   Goal is how the literal Atom is called: in the background, or for the predicate to learn among the positives.

task_goal(task(Module, Background, [Mode|_], _, _, _, _), Atom, Goal) :-
    mode_indicator(Mode, Name/Arity),
    (   functor(Atom, Name, Arity)
    ->  Goal = Module:Atom
    ;   Goal = Background:Atom
    ).

%!  task_constants(+Task, +Type, -Constants) is semidet.
%
%   Constants were declared for the places of this Type.

task_constants(task(_, _, _, _, _, _, Constants), Type, List) :-
    findall(Each, member(Type-Each, Constants), [First|More]),
    append([First|More], List).

%!  task_allows(+Task, +Places:list) is semidet.
%
%   No constant of Places, pairs of a place and its ground argument, is other than those declared for its type.

task_allows(Task, Places) :-
    forall(member(constant(Type)-Constant, Places),
           (   task_constants(Task, Type, Constants)
           ->  memberchk(Constant, Constants)
           ;   true
           )).

%!  task_recursive(+Task) is semidet.
%
%   The predicate to learn may call itself.

task_recursive(task(_, _, [Head|_], Modes, _, _, _)) :-
    mode_indicator(Head, Target),
    (   member(Mode, Modes),
        mode_indicator(Mode, Target)
    ->  true
    ).

:- module(mdie_layers,
          [ head_terms/6,           % +Task, +Atom, -Head, -Bound, -Wanted, -Table
            true_literals/7         % +Task, +Settings, +Constants, +Signs, +Atom, +Table, -Found
          ]).
:- use_module(modes, [mode_goal/3, mode_recall/2, mode_sign/2]).
:- use_module(settings, [setting/3]).
:- use_module(task, [task_allows/2, task_constants/3, task_goal/3, task_head/2, task_modes/2]).
:- autoload(library(apply), [foldl/4, foldl/5, foldl/6, maplist/3, partition/4]).
:- autoload(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- autoload(library(lists), [member/2, memberchk/2, select/3]).
:- autoload(library(solution_sequences), [distinct/2, limit/2]).

/** <module> The literals that are true of an example, layer by layer

Layer 0 are the terms of the head; a call whose inputs are known adds what it finds as terms of the next layer. Each term
of a type stands for one variable.
*/

%!  true_literals(+Task, +Settings, +Constants, +Signs:oneof([positive,both]), +Atom, +Table, -Found:list) is det.
%
%   Found are the literals that the modes allow and that are true of the example Atom, whose terms are in Table, the last
%   found first. Each is found(Mode, Literal, Goal, Needs, Gives). Constants is a list of Type-Constants for places that
%   proofs leave open. Negated literals bind nothing, so they come last, and leave the room to the others.

true_literals(Task, Settings, Constants, Signs, Atom, Table, Found) :-
    task_modes(Task, Modes),
    partition(positive_mode, Modes, Positive, Negative),
    setting(depth, Settings, Depth),
    setting(max_bottom, Settings, Most),
    trie_new(Seen),
    Context = context(Task, Constants, Settings, Atom, Seen, Depth, Most),
    layers(1, Positive, Context, so_far(0, [], Table), SoFar1),
    (   Signs == both
    ->  layers(1, Negative, Context, SoFar1, SoFar)
    ;   SoFar = SoFar1
    ),
    trie_destroy(Seen),
    SoFar = so_far(_, Found, _).

positive_mode(Mode) :-
    mode_sign(Mode, positive).

%!  head_terms(+Task, +Atom, -Head, -Bound, -Wanted, -Table) is semidet.
%
%   Head is the example Atom with variables in the places of its mode. Bound and Wanted are masks of the variables in its input
%   and output places, and Table has its terms.
%
%   A table is table(Terms, Next, Available): Terms maps Type-Term to known(Number, Variable, Layer), and Available has
%   Type-available(Term, Number, Variable, Layer) for those that may be inputs, the last found first.

head_terms(Task, Atom, Head, Bound, Wanted, table(Terms, Next, Available)) :-
    empty_assoc(Empty),
    task_head(Task, Mode),
    mode_goal(Mode, Atom, Arguments),
    task_allows(Task, Arguments),
    !,
    functor(Atom, Name, Arity),
    foldl(head_argument, Arguments, Variables, head(0, 0, table(Empty, 0, [])), head(Bound, Wanted0, Table)),
    Wanted is Wanted0 /\ \Bound,
    Table = table(Terms, Next, Available),
    (   Arity == 0
    ->  Head = Name
    ;   compound_name_arguments(Head, Name, Variables)
    ).

head_argument(constant(_)-Term, Term, Masks, Masks).
head_argument(in(Type)-Term, Variable, head(Bound0, Wanted, Table0), head(Bound, Wanted, Table)) :-
    known_term(Type, Term, 0, known(Number, Variable, _), Table0, Table1),
    make_available(Type, Term, 0, Table1, Table),
    Bound is Bound0 \/ 1<<Number.
head_argument(out(Type)-Term, Variable, head(Bound, Wanted0, Table0), head(Bound, Wanted, Table)) :-
    known_term(Type, Term, 0, known(Number, Variable, _), Table0, Table),
    Wanted is Wanted0 \/ 1<<Number.

known_term(Type, Term, Layer, Known, Table0, Table) :-
    Table0 = table(Terms0, Next0, Available),
    (   get_assoc(Type-Term, Terms0, Known0)
    ->  Known = Known0,
        Table = Table0
    ;   Known = known(Next0, _, Layer),
        put_assoc(Type-Term, Terms0, Known, Terms),
        Next is Next0+1,
        Table = table(Terms, Next, Available)
    ).

make_available(Type, Term, Layer, table(Terms, Next, Available0), table(Terms, Next, Available)) :-
    (   member(Type-available(Term, _, _, _), Available0)
    ->  Available = Available0
    ;   get_assoc(Type-Term, Terms, known(Number, Variable, _)),
        Available = [Type-available(Term, Number, Variable, Layer)|Available0]
    ).

%   so_far(Count, Literals, Table): the literals that were found, the last first.

layers(Layer, _, context(_, _, _, _, _, Depth, _), SoFar, SoFar) :-
    Layer > Depth+1,
    !.
layers(Layer, Modes, Context, SoFar0, SoFar) :-
    SoFar0 = so_far(_, _, table(_, _, Available)),
    foldl(layer_mode(Layer, Context, Available), Modes, SoFar0, SoFar1),
    Layer1 is Layer+1,
    layers(Layer1, Modes, Context, SoFar1, SoFar).

%   Inputs are those that were available before the layer, so that the layer of a term is its distance.

layer_mode(Layer, Context, Available, Mode, SoFar0, SoFar) :-
    mode_goal(Mode, _, Places),
    inputs_of(Places, Available, Layer, Choices),
    room(Places, Context, SoFar0, Room),
    foldl(layer_call(Mode, Layer, Context, Room), Choices, SoFar0, SoFar).

%   Calls with several inputs grow with a power of the terms: they get a part of the room in each layer, lest they take
%   that of all others.

room(Places, context(_, _, _, _, _, _, Most), so_far(Count, _, _), Room) :-
    (   select(in(_)-_, Places, Others),
        memberchk(in(_)-_, Others)
    ->  Room is min(Most, Count + max(10, Most//20))
    ;   Room = Most
    ).

%   Choices are the ways to fill the places with inputs, of which one at least is new. They are found by their places in
%   Available, since collecting solutions would rename the variables.

inputs_of(Places, Available, Layer, Choices) :-
    Last is Layer-1,
    length(Available, Length),
    Terms =.. [available|Available],
    findall(Numbers, input_numbers(Places, Length, Terms, Last, Numbers), Lists),
    maplist(numbered_inputs(Terms), Lists, Choices).

input_numbers(Places, Length, Terms, Last, Numbers) :-
    input_numbers(Places, Length, Terms, none, Newest, Numbers),
    (   Newest == none
    ->  Last == 0
    ;   Newest == Last
    ).

input_numbers([], _, _, Newest, Newest, []).
input_numbers([Place-_|Places], Length, Terms, Newest0, Newest, [Number|Numbers]) :-
    (   Place = in(Type)
    ->  between(1, Length, Back),
        Number is Length+1-Back,
        arg(Number, Terms, Type-available(_, _, _, Layer)),
        newer(Newest0, Layer, Newest1)
    ;   Number = 0,
        Newest1 = Newest0
    ),
    input_numbers(Places, Length, Terms, Newest1, Newest, Numbers).

newer(none, Layer, Layer) :- !.
newer(Layer0, Layer, Newest) :-
    Newest is max(Layer0, Layer).

numbered_inputs(Terms, Numbers, Inputs) :-
    maplist(numbered_input(Terms), Numbers, Inputs).

numbered_input(_, 0, Input) =>
    Input = free.
numbered_input(Terms, Number, Input) =>
    arg(Number, Terms, _-Input).

layer_call(_, _, _, Room, _, SoFar0, SoFar) :-
    SoFar0 = so_far(Room, _, _),
    !,
    SoFar = SoFar0.
layer_call(Mode, Layer, Context, Room, Inputs, SoFar0, SoFar) :-
    answers(Mode, Context, Inputs, Answers),
    foldl(layer_answer(Mode, Layer, Context, Room, Inputs), Answers, SoFar0, SoFar).

answers(Mode, Context, Inputs, Answers) :-
    Context = context(Task, Constants, Settings, _, _, _, _),
    mode_goal(Mode, Atom, Places),
    maplist(set_input, Places, Inputs),
    task_goal(Task, Atom, Goal),
    mode_sign(Mode, Sign),
    setting(inferences, Settings, Inferences),
    (   Sign == positive
    ->  recall(Mode, Settings, Recall),
        bounded_answers(Atom, answer(Goal, Atom, Places, Task, Constants), Recall, Inferences, Answers)
    ;   findall(Atom,
                ( known_constants(Places, Task, Constants),
                  refuted(Goal, Inferences)
                ),
                Answers)
    ).

set_input(_-Term, available(Term, _, _, _)) :- !.
set_input(_, free).

recall(Mode, Settings, Recall) :-
    mode_recall(Mode, Recall0),
    (   Recall0 == default
    ->  setting(recall, Settings, Recall)
    ;   Recall = Recall0
    ).

%   A call that fails to end, or that raises, has no answers.

bounded_answers(Atom, Goal, Recall, Inferences, Answers) :-
    catch(call_with_inference_limit(
              findall(Atom, limit(Recall, distinct(Atom, Goal)), Answers0),
              Inferences, Result),
          error(_, _), Result = error),
    !,
    (   memberchk(Result, [inference_limit_exceeded, error])
    ->  Answers = []
    ;   Answers = Answers0
    ).

%   Proofs give constants, of which those count that are declared, where any are. Where a proof leaves them open, those
%   that are known of their types are tried.

answer(Goal, Atom, Places, Task, Known) :-
    call(Goal),
    (   ground(Atom)
    ->  task_allows(Task, Places)
    ;   known_constants(Places, Task, Known),
        ground(Atom),
        \+ \+ call(Goal)
    ).

refuted(Goal, Inferences) :-
    catch(call_with_inference_limit(\+ Goal, Inferences, Result), error(_, _), fail),
    Result \== inference_limit_exceeded,
    !.

%   Bind constants that are still open.

known_constants([], _, _).
known_constants([Place-Argument|Places], Task, Known) :-
    (   var(Argument),
        Place = constant(Type)
    ->  (   task_constants(Task, Type, Constants)
        ->  true
        ;   memberchk(Type-Constants, Known)
        ),
        member(Argument, Constants)
    ;   true
    ),
    known_constants(Places, Task, Known).

layer_answer(Mode, Layer, Context, Room, Inputs, Atom, SoFar0, SoFar) :-
    Context = context(Task, _, _, Seed, Seen, Depth, _),
    (   SoFar0 = so_far(Count0, Literals, Table0),
        Count0 < Room,
        Atom \== Seed,
        mode_goal(Mode, Atom, Places),
        foldl(argument(Layer, Depth), Places, Inputs, Arguments, filled(0, 0, Table0), filled(Needs, Gives, Table)),
        first_time(Seen, Mode, Places, Atom)
    ->  abstract_atom(Mode, Atom, Arguments, Abstract),
        literal_goal(Task, Abstract, Goal),
        Count is Count0+1,
        SoFar = so_far(Count, [found(Mode, Abstract, Goal, Needs, Gives)|Literals], Table)
    ;   SoFar = SoFar0
    ).

%   A term has one variable for each type, so the ground atom and the types of its places tell literals apart.

first_time(Seen, Mode, Places, Atom) :-
    mode_sign(Mode, Sign),
    maplist(place_kind, Places, Kinds),
    trie_insert(Seen, seen(Sign, Kinds, Atom)).

place_kind(in(Type)-_, Type).
place_kind(out(Type)-_, Type).
place_kind(constant(_)-_, #).

argument(_, _, in(_)-_, available(_, Number, Variable, _), Variable,
         filled(Needs0, Gives, Table), filled(Needs, Gives, Table)) :-
    Needs is Needs0 \/ 1<<Number.
argument(_, _, constant(_)-Term, free, Term, Filled, Filled).
argument(Layer, Depth, out(Type)-Term, free, Variable,
         filled(Needs, Gives0, Table0), filled(Needs, Gives, Table)) :-
    (   Layer > Depth
    ->  Table0 = table(Terms, _, _),
        get_assoc(Type-Term, Terms, known(Number, Variable, _)),
        Table = Table0
    ;   known_term(Type, Term, Layer, known(Number, Variable, _), Table0, Table1),
        make_available(Type, Term, Layer, Table1, Table)
    ),
    Gives is Gives0 \/ 1<<Number.

abstract_atom(Mode, Atom, Arguments, Literal) :-
    (   Arguments == []
    ->  Abstract = Atom
    ;   functor(Atom, Name, _),
        compound_name_arguments(Abstract, Name, Arguments)
    ),
    mode_sign(Mode, Sign),
    (   Sign == positive
    ->  Literal = Abstract
    ;   Literal = (\+ Abstract)
    ).

literal_goal(Task, \+ Atom, Goal) =>
    task_goal(Task, Atom, Goal0),
    Goal = (\+ Goal0).
literal_goal(Task, Atom, Goal) =>
    task_goal(Task, Atom, Goal).


:- module(mdie_saturation,
          [ saturate/6,             % +Task, +Survey, +Settings, +Signs, +Example, -Bottom
            survey/3,               % +Task, +Settings, -Survey
            bottom_clause/2,        % +Bottom, -Clause
            bottom_size/2           % +Bottom, -Size
          ]).
:- use_module(modes, [mode_goal/3, mode_recall/2, mode_sign/2]).
:- use_module(settings, [setting/3]).
:- use_module(task,
              [ task_head/2, task_modes/2, task_ids/3, task_example/3, task_goal/3, task_constants/3
              ]).
:- autoload(library(apply), [foldl/4, foldl/5, foldl/6, maplist/3, partition/4]).
:- autoload(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- autoload(library(lists), [append/3, member/2, memberchk/2, nth0/3, select/3]).
:- autoload(library(solution_sequences), [distinct/2, limit/2]).

/** <module> Saturation: the most specific clause that explains an example

The bottom clause of an example holds every literal that the modes allow and that is true of it, out to a number of
layers. Layer 0 are the terms of the head; a call whose inputs are known adds what it finds as terms of the next layer.
Each term stands for one variable, so that a clause is a subset of the bottom clause whose inputs are bound.

A variable may be `depth` calls away from the head. Literals that only test variables are added for the last layer, too.

    bottom(Head, Bound, Wanted, Literals)

Bound and Wanted are bit masks of variables: the inputs of the head, and its outputs, which a clause must bind. A literal
is

    literal(Number, Atom, Goal, Needs, Gives, Settled)

where Goal is how Atom is called, Needs and Gives are masks of the variables that must be bound before and that are bound
after, and Settled is `true` if its inputs have one value for each example: if such a test changes nothing now,
it never will.
*/

%!  saturate(+Task, +Survey, +Settings, +Signs:oneof([positive,both]), +Example:integer, -Bottom) is semidet.
%
%   Bottom is the bottom clause of the example, without negated literals if Signs is `positive`. Those bind nothing, so
%   they come last, and leave the room to the others. Fails if no head mode fits the example.

saturate(Task, Survey, Settings, Signs, Example, bottom(Head, Bound, Wanted, Literals)) :-
    task_example(Task, Example, Atom),
    head_terms(Task, Atom, Head, Bound, Wanted, Table0),
    task_modes(Task, Modes),
    partition(positive_mode, Modes, Positive, Negative),
    setting(depth, Settings, Depth),
    setting(max_bottom, Settings, Most),
    trie_new(Seen),
    Context = context(Task, Survey, Settings, Atom, Seen, Depth, Most),
    layers(1, Positive, Context, so_far(0, [], Table0), SoFar1),
    (   Signs == both
    ->  layers(1, Negative, Context, SoFar1, SoFar)
    ;   SoFar = SoFar1
    ),
    trie_destroy(Seen),
    SoFar = so_far(_, Reversed, _),
    settle(Reversed, Bound, Survey, Literals),
    !.

%   The table of terms: table(Terms, Next, Available) maps Type-Term to known(Number, Variable, Layer). Available holds
%   Type-known(...)-Term for those that may be inputs, the last found first.

head_terms(Task, Atom, Head, Bound, Wanted, table(Terms, Next, Available)) :-
    empty_assoc(Empty),
    task_head(Task, Mode),
    mode_goal(Mode, Atom, Arguments),
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
    Context = context(Task, Survey, Settings, _, _, _, _),
    mode_goal(Mode, Atom, Places),
    maplist(set_input, Places, Inputs),
    task_goal(Task, Atom, Goal),
    mode_sign(Mode, Sign),
    setting(inferences, Settings, Inferences),
    (   Sign == positive
    ->  recall(Mode, Settings, Recall),
        bounded_answers(Atom, answer(Goal, Atom, Places, Task, Survey), Recall, Inferences, Answers)
    ;   findall(Atom,
                ( known_constants(Places, Task, Survey),
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

%   Proofs give constants. Where one leaves them open, those that are known of their types are tried.

answer(Goal, Atom, Places, Task, Survey) :-
    call(Goal),
    (   ground(Atom)
    ->  true
    ;   known_constants(Places, Task, Survey),
        ground(Atom),
        \+ \+ call(Goal)
    ).

refuted(Goal, Inferences) :-
    catch(call_with_inference_limit(\+ Goal, Inferences, Result), error(_, _), fail),
    Result \== inference_limit_exceeded,
    !.

%   Bind constants that are still open.

known_constants([], _, _).
known_constants([Place-Argument|Places], Task, Survey) :-
    (   var(Argument),
        Place = constant(Type)
    ->  (   task_constants(Task, Type, Constants)
        ->  true
        ;   survey_constants(Survey, Type, Constants)
        ),
        member(Argument, Constants)
    ;   true
    ),
    known_constants(Places, Task, Survey).

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

%   Number the literals in the order in which they were found, and say which are settled: an input is, if
%   each call that gives it has at most one answer, and its own inputs are settled.

settle(Reversed, Bound, Survey, Literals) :-
    reverse_onto(Reversed, [], Found),
    unsettled(Found, Bound, Survey, 0, Unsettled),
    number_literals(Found, 1, Unsettled, Literals).

reverse_onto([], Found, Found).
reverse_onto([Literal|Reversed], Found0, Found) :-
    reverse_onto(Reversed, [Literal|Found0], Found).

unsettled(Found, Bound, Survey, Mask0, Mask) :-
    foldl(unsettle(Bound, Survey), Found, Mask0, Mask1),
    (   Mask1 =:= Mask0
    ->  Mask = Mask0
    ;   unsettled(Found, Bound, Survey, Mask1, Mask)
    ).

unsettle(Bound, Survey, found(Mode, _, _, Needs, Gives), Mask0, Mask) :-
    (   (   survey_branches(Survey, Mode)
        ;   Needs /\ Mask0 =\= 0
        )
    ->  Mask is Mask0 \/ (Gives /\ \Bound)
    ;   Mask = Mask0
    ).

number_literals([], _, _, []).
number_literals([found(_, Atom, Goal, Needs, Gives)|Found], Number, Unsettled, [Literal|Literals]) :-
    (   (Needs \/ Gives) /\ Unsettled =:= 0
    ->  Settled = true
    ;   Settled = false
    ),
    Literal = literal(Number, Atom, Goal, Needs, Gives, Settled),
    Number1 is Number+1,
    number_literals(Found, Number1, Unsettled, Literals).

%!  bottom_clause(+Bottom, -Clause) is det.
%
%   Clause is the bottom clause as a term Head-Body, Body being a list.

bottom_clause(bottom(Head, _, _, Literals), Head-Body) :-
    maplist(literal_atom, Literals, Body).

literal_atom(literal(_, Atom, _, _, _, _), Atom).

%!  bottom_size(+Bottom, -Size) is det.

bottom_size(bottom(_, _, _, Literals), Size) :-
    length(Literals, Size).

%!  survey(+Task, +Settings, -Survey) is det.
%
%   Survey tells of a sample of the examples, negatives too, which modes have more than one answer to a call, and which
%   constants each type has. It is `survey(Branching, Constants)`.

survey(Task, Settings, survey(Branching, Constants)) :-
    task_ids(Task, Positives, Negatives),
    sample(Positives, 8, Sample1),
    sample(Negatives, 8, Sample2),
    append(Sample1, Sample2, Sample),
    findall(Facts,
            ( member(Example, Sample),
              surveyed(Task, Settings, Example, Facts)
            ),
            FactLists),
    branching(FactLists, Branching),
    findall(Type-Constant,
            ( member(facts(_, Seen), FactLists),
              member(Type-Constant, Seen)
            ),
            Constants0),
    sort(Constants0, Constants1),
    pairs_by_type(Constants1, Constants).

sample(Ids, Most, Sample) :-
    length(Ids, Length),
    Step is max(1, (Length+Most-1)//Most),
    findall(Id, ( nth0(Place, Ids, Id), Place mod Step =:= 0 ), Sample).

surveyed(Task, Settings, Example, facts(Branching, Constants)) :-
    task_example(Task, Example, Atom),
    head_terms(Task, Atom, _, _, _, Table0),
    task_modes(Task, Modes0),
    partition(positive_mode, Modes0, Modes, _),
    setting(depth, Settings, Depth),
    setting(max_bottom, Settings, Most),
    trie_new(Seen),
    Context = context(Task, survey([], []), Settings, Atom, Seen, Depth, Most),
    layers(1, Modes, Context, so_far(0, [], Table0), so_far(_, Found, _)),
    trie_destroy(Seen),
    foldl(call_told, Found, [], Calls0),
    msort(Calls0, Calls),
    repeated(Calls, Branching),
    findall(Type-Constant,
            ( member(found(Mode, Literal, _, _, _), Found),
              mode_goal(Mode, Literal, Places),
              member(constant(Type)-Constant, Places)
            ),
            Constants0),
    sort(Constants0, Constants).

positive_mode(Mode) :-
    mode_sign(Mode, positive).

%   What a call is told: two literals that are told the same are two answers to one call.

call_told(found(Mode, Literal, _, _, Gives), Calls0, Calls) :-
    (   Gives =\= 0
    ->  mode_goal(Mode, Literal, Places),
        told(Places, Told),
        Calls = [Mode-Told|Calls0]
    ;   Calls = Calls0
    ).

told([], []).
told([out(_)-_|Places], Told) :-
    !,
    told(Places, Told).
told([_-Argument|Places], [Argument|Told]) :-
    told(Places, Told).

repeated([First, Second|Rest], Modes) :-
    First == Second,
    !,
    First = Mode-_,
    Modes = [Mode|More],
    repeated([Second|Rest], More).
repeated([_|Rest], Modes) :-
    repeated(Rest, Modes).
repeated([], []).

branching(FactLists, Branching) :-
    findall(Mode, ( member(facts(Modes, _), FactLists), member(Mode, Modes) ), Branching0),
    sort(Branching0, Branching).

pairs_by_type([], []).
pairs_by_type([Type-Constant|Pairs], [Type-[Constant|More]|Types]) :-
    same_type(Pairs, Type, More, Rest),
    pairs_by_type(Rest, Types).

same_type([Type-Constant|Pairs], Type, [Constant|More], Rest) :-
    !,
    same_type(Pairs, Type, More, Rest).
same_type(Pairs, _, [], Pairs).

survey_branches(survey(Branching, _), Mode) :-
    memberchk(Mode, Branching).

survey_constants(survey(_, Constants), Type, List) :-
    (   memberchk(Type-List0, Constants)
    ->  List = List0
    ;   List = []
    ).

:- module(models,
          [ derivable/4,            % +Theory, +Task, +World, ?Atom
            theory_rules/3,         % +Theory, +Task, -Rules; from theory_rules.pl
            proof_of/5,             % +Theory, +Task, +World, +Atom, -Proof
            nearest_rule/6          % +Theory, +Task, +World, +Atom, -Rule, -Failing
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, member/2, select/3]).
:- use_module(join_order, [ordered/4, ranges/4, unbound/3]).
:- use_module(theory_rules, [atom_of/2, components/2, in_component/2, is_test/1, stratified/2, theory_rules/3, true_fact_atom/2]).

/** <module> What rules derive from the facts of a world

    ?- derivable(truth, 'RDG-S-3-0', train, p3(X, Y)).
    ?- derivable(mine, 'RDG-S-3-0', eval, p3(c1, c7)).

A world is the support facts of a task: `train` or `eval`. A theory is `truth` or `mine`, see theory_rules.pl. Rules are datalog
with stratified negation and comparisons. A variable that no atom of the body binds ranges over all constants; one that stands in
one negation only means "there is none".

All that follows is worked out when the first fact is asked for: bottom-up, one component of predicates that call each other
after the other, recursive ones round by round from the facts that are new (semi-naive). The facts are rows of dynamic
predicates, one for each arity, because these are indexed on every argument. Tables are searched from the left only: a join on a
second argument would be quadratic. A theory is known by a hash of its rules, so that one which changes is worked out again.
*/

:- dynamic
    model/6,            % Theory, Task, World, Hash, Model, State: whole or failed
    place/3,            % Model, Task, World
    relation/3,         % Model, Name/Arity, Key
    constant/2,         % Model, Constant
    last_key/1,
    row1/2, row2/3, row3/4, row4/5, row5/6, row6/7, rows/2.

%!  derivable(+Theory, +Task, +World, ?Atom) is nondet.
%
%   Atom is a fact of World, or follows from its facts by the rules of Theory.
%
%   @error existence_error(procedure, Predicate) if a rule calls what neither the rules nor the dataset have.
%   @error domain_error(stratified_rule, Rule) if a predicate depends on its own negation.
%   @error resource_error(facts_that_follow) if they were too many when they were asked for before.

derivable(Theory, Task, World, Atom) :-
    model_of(Theory, Task, World, Model),
    row_of(Model, Atom, Row),
    there(Row).

model_of(Theory, Task, World, Model) :-
    theory_hash(Theory, Task, Hash),
    (   model(Theory, Task, World, Hash, Known, State)
    ->  (   State == whole
        ->  Model = Known
        ;   throw(error(resource_error(facts_that_follow), _))
        )
    ;   make_model(Theory, Task, World, Hash, Model)
    ).

%   The true rules do not change.

theory_hash(truth, _, truth).
theory_hash(mine, Task, Hash) :-
    theory_rules(mine, Task, Rules),
    variant_sha1(Rules, Hash).

%   Making a model

make_model(Theory, Task, World, Hash, Model) :-
    theory_rules(Theory, Task, Rules),
    forget_older(Theory, Task, World, Hash),
    next_key(Model),
    assertz(place(Model, Task, World)),
    catch(fill(Model, Task, World, Rules), Problem, true),
    (   var(Problem)
    ->  assertz(model(Theory, Task, World, Hash, Model, whole))
    ;   forget(Model),
        (   limit(Problem)
        ->  % Asked of the next sample, it would take as long again.
            assertz(model(Theory, Task, World, Hash, Model, failed))
        ;   true
        ),
        throw(Problem)
    ).

limit(Problem) :-
    Problem \= error(_, _).
limit(error(resource_error(_), _)).

%   Of one's own theory the models of earlier rules are of no use.

forget_older(Theory, Task, World, _) :-
    forall(retract(model(Theory, Task, World, _, Model, _)), forget(Model)).

forget(Model) :-
    forall(retract(relation(Model, _/Arity, Key)), forget_rows(Arity, Key)),
    retractall(constant(Model, _)),
    retractall(place(Model, _, _)).

forget_rows(Arity, Key) :-
    forall(delta_key(Key, _, Other), ( blank(Arity, Other, Row1), remove(Row1) )),
    blank(Arity, Key, Row),
    remove(Row).

next_key(Key) :-
    (   retract(last_key(Last))
    ->  true
    ;   Last = 0
    ),
    Key is Last + 3,
    assertz(last_key(Key)).

%   The facts that are new of a relation stand in two relations beside it, in turn.

delta_key(Key, 1, Delta) :- Delta is Key + 1.
delta_key(Key, 2, Delta) :- Delta is Key + 2.

fill(Model, Task, World, Rules) :-
    forall(( user:given(World, Task, Atom), row_of(Model, Atom, Row), new(Row) ), true),
    constants(Model, Rules),
    components(Rules, Components),
    maplist(compiled_component(Model), Components, Compiled),
    forall(member(component(Recursive, Group), Compiled), closed(Recursive, Group)).

%   All constants, where a rule has a variable that ranges over them.

constants(Model, Rules) :-
    (   member(rule(Head, Literals), Rules),
        unbound(Head, Literals, [_|_])
    ->  forall(constant_of(Model, Rules, Constant),
               (   constant(Model, Constant)
               ->  true
               ;   assertz(constant(Model, Constant))
               ))
    ;   true
    ).

constant_of(Model, _, Constant) :-
    relation(Model, _/Arity, Key),
    blank(Arity, Key, Row),
    there(Row),
    row_arguments(Row, Arguments),
    member(Constant, Arguments).
constant_of(_, Rules, Constant) :-
    member(rule(Head, Literals), Rules),
    (   Atom = Head
    ;   member(Literal, Literals),
        atom_of(Literal, Atom)
    ),
    compound(Atom),
    arg(_, Atom, Constant),
    ground(Constant).

%   Compiled rules: compiled(HeadRow, Steps, Variants); a variant starts with one of the recursive atoms

compiled_component(Model, Rules, component(Recursive, Compiled)) :-
    findall(Name/Arity, ( member(rule(Head, _), Rules), functor(Head, Name, Arity) ), Own),
    (   member(rule(_, Literals), Rules),
        member(Literal, Literals),
        in_component(Literal, Own)
    ->  Recursive = true
    ;   Recursive = false
    ),
    maplist(stratified(Own), Rules),
    maplist(compiled(Model, Own), Rules, Compiled).

compiled(Model, Own, rule(Head, Literals), compiled(Row, Steps, Variants)) :-
    row_of(Model, Head, Row),
    ranges(Model, Head, Literals, Ranges),
    ordered(Literals, Ranges, [], Ordered),
    maplist(step(Model), Ordered, Steps),
    findall(variant(Row, [delta(First)|Others]),
            ( select(Literal, Literals, Rest),
              Literal \= (\+ _),
              in_component(Literal, Own),
              row_of(Model, Literal, First),
              term_variables(Literal, Bound),
              ordered(Rest, Ranges, Bound, Ordered1),
              maplist(step(Model), Ordered1, Others)
            ),
            Variants).

step(_, Range, Range) :-
    Range = constant(_, _),
    !.
step(Model, \+ Literal, absent(Step)) :-
    !,
    step(Model, Literal, Step).
step(_, Test, test(Test)) :-
    is_test(Test),
    !.
step(Model, Literal, Row) :-
    true_fact_atom(Literal, Atom),
    !,
    place(Model, Task, World),
    model_of(truth, Task, World, Truth),
    row_of(Truth, Atom, Row).
step(Model, Atom, Row) :-
    row_of(Model, Atom, Row).

%   Closing a component under its rules

closed(false, Rules) :-
    forall(( member(compiled(Head, Steps, _), Rules), solve(Steps), new(Head) ), true).
closed(true, Rules) :-
    forall(( member(compiled(Head, Steps, _), Rules), solve(Steps), new(Head) ), mark(1, Head)),
    findall(Variant, ( member(compiled(_, _, Variants), Rules), member(Variant, Variants) ), Variants),
    rounds(1, Variants).

rounds(Side, Variants) :-
    Next is 3 - Side,
    forall(( member(variant(Head, [delta(First)|Steps]), Variants),
             delta(Side, First, Row),
             there(Row),
             solve(Steps),
             new(Head)
           ),
           mark(Next, Head)),
    forall(( member(variant(_, [delta(First)|_]), Variants), delta(Side, First, Row) ),
           ( general(Row, Open), remove(Open) )),
    (   member(variant(_, [delta(First)|_]), Variants),
        delta(Next, First, Row),
        general(Row, Open),
        there(Open)
    ->  rounds(Next, Variants)
    ;   true
    ).

mark(Side, Head) :-
    delta(Side, Head, Row),
    new(Row),
    !.
mark(_, _).

delta(Side, Row, Delta) :-
    Row =.. [Name, Key|Arguments],
    delta_key(Key, Side, Other),
    Delta =.. [Name, Other|Arguments].

solve([]).
solve([Step|Steps]) :-
    there(Step),
    solve(Steps).

%   Rows

row_of(Model, Atom, Row) :-
    functor(Atom, Name, Arity),
    key_of(Model, Name/Arity, Key),
    Atom =.. [_|Arguments],
    row(Arity, Key, Arguments, Row).

key_of(Model, Predicate, Key) :-
    (   relation(Model, Predicate, Known)
    ->  Key = Known
    ;   next_key(Key),
        assertz(relation(Model, Predicate, Key))
    ).

row(1, Key, [A], row1(Key, A)) :- !.
row(2, Key, [A, B], row2(Key, A, B)) :- !.
row(3, Key, [A, B, C], row3(Key, A, B, C)) :- !.
row(4, Key, [A, B, C, D], row4(Key, A, B, C, D)) :- !.
row(5, Key, [A, B, C, D, E], row5(Key, A, B, C, D, E)) :- !.
row(6, Key, [A, B, C, D, E, F], row6(Key, A, B, C, D, E, F)) :- !.
row(_, Key, Arguments, rows(Key, Arguments)).

blank(Arity, Key, Row) :-
    length(Arguments, Arity),
    row(Arity, Key, Arguments, Row).

general(Row, General) :-
    Row =.. [Name, Key|Arguments],
    length(Arguments, Count),
    length(Open, Count),
    General =.. [Name, Key|Open].

row_arguments(rows(_, Arguments), Arguments) :- !.
row_arguments(Row, Arguments) :-
    Row =.. [_, _|Arguments].

there(row1(K, A)) :- row1(K, A).
there(row2(K, A, B)) :- row2(K, A, B).
there(row3(K, A, B, C)) :- row3(K, A, B, C).
there(row4(K, A, B, C, D)) :- row4(K, A, B, C, D).
there(row5(K, A, B, C, D, E)) :- row5(K, A, B, C, D, E).
there(row6(K, A, B, C, D, E, F)) :- row6(K, A, B, C, D, E, F).
there(rows(K, Arguments)) :- rows(K, Arguments).
there(constant(Model, Constant)) :- constant(Model, Constant).
there(absent(Step)) :- \+ there(Step).
there(test(Test)) :- holds(Test).

holds(X = X).
holds(X \= Y) :- X \= Y.
holds(X == Y) :- X == Y.
holds(X \== Y) :- X \== Y.
holds(dif(X, Y)) :- X \== Y.
holds(X < Y) :- X < Y.
holds(X > Y) :- X > Y.
holds(X =< Y) :- X =< Y.
holds(X >= Y) :- X >= Y.
holds(X =:= Y) :- X =:= Y.
holds(X =\= Y) :- X =\= Y.
holds(X is Y) :- X is Y.

%!  new(+Row) is semidet.
%
%   Adds Row; fails where it is there.

new(row1(K, A)) :- \+ row1(K, A), assertz(row1(K, A)).
new(row2(K, A, B)) :- \+ row2(K, A, B), assertz(row2(K, A, B)).
new(row3(K, A, B, C)) :- \+ row3(K, A, B, C), assertz(row3(K, A, B, C)).
new(row4(K, A, B, C, D)) :- \+ row4(K, A, B, C, D), assertz(row4(K, A, B, C, D)).
new(row5(K, A, B, C, D, E)) :- \+ row5(K, A, B, C, D, E), assertz(row5(K, A, B, C, D, E)).
new(row6(K, A, B, C, D, E, F)) :- \+ row6(K, A, B, C, D, E, F), assertz(row6(K, A, B, C, D, E, F)).
new(rows(K, Arguments)) :- \+ rows(K, Arguments), assertz(rows(K, Arguments)).

remove(row1(K, A)) :- retractall(row1(K, A)).
remove(row2(K, A, B)) :- retractall(row2(K, A, B)).
remove(row3(K, A, B, C)) :- retractall(row3(K, A, B, C)).
remove(row4(K, A, B, C, D)) :- retractall(row4(K, A, B, C, D)).
remove(row5(K, A, B, C, D, E)) :- retractall(row5(K, A, B, C, D, E)).
remove(row6(K, A, B, C, D, E, F)) :- retractall(row6(K, A, B, C, D, E, F)).
remove(rows(K, Arguments)) :- retractall(rows(K, Arguments)).

%!  proof_of(+Theory, +Task, +World, +Atom, -Proof) is semidet.
%
%   Proof is one of the shallowest: given(Atom), test(Literal), or because(Atom, (Head :- Body), Proofs).

proof_of(Theory, Task, World, Atom, Proof) :-
    derivable(Theory, Task, World, Atom),
    !,
    theory_rules(Theory, Task, Rules),
    between(0, 1000, Depth),
    proof(Depth, Theory-Task-World, Rules, Atom, Proof),
    !.

proof(_, _-Task-World, _, Atom, given(Atom)) :-
    user:given(World, Task, Atom),
    !.
proof(Depth, Place, Rules, Atom, because(Atom, Rule, Proofs)) :-
    Depth > 0,
    Depth1 is Depth - 1,
    member(Rule0, Rules),
    copy_term(Rule0, Rule),
    copy_term(Rule, rule(Atom, Literals)),
    ground_in(Place, Atom, Literals),
    proofs(Literals, Depth1, Place, Rules, Proofs).

proofs([], _, _, _, []).
proofs([Literal|Literals], Depth, Place, Rules, [Proof|Proofs]) :-
    (   Literal \= (\+ _),
        atom_of(Literal, Atom)
    ->  proof(Depth, Place, Rules, Atom, Proof)
    ;   true_fact_atom(Literal, Atom)
    ->  Proof = true_fact(Atom)
    ;   Proof = test(Literal)
    ),
    proofs(Literals, Depth, Place, Rules, Proofs).

%   The literals hold together.

ground_in(Theory-Task-World, Atom, Literals) :-
    steps(Theory-Task-World, Atom, Literals, Steps),
    solve(Steps).

steps(Theory-Task-World, Atom, Literals, Steps) :-
    model_of(Theory, Task, World, Model),
    ranges(Model, Atom, Literals, Ranges),
    ordered(Literals, Ranges, [], Ordered),
    maplist(step(Model), Ordered, Steps).

%!  nearest_rule(+Theory, +Task, +World, +Atom, -Rule, -Failing) is semidet.
%
%   Of the rules for Atom's predicate Rule is one that comes furthest: all literals hold before Failing. Fails where no rule
%   has a head like Atom.

nearest_rule(Theory, Task, World, Atom, Rule, Failing) :-
    theory_rules(Theory, Task, Rules),
    findall(Share-(Rule0-Literal),
            ( member(Rule0, Rules),
              copy_term(Rule0, rule(Atom, Literals)),
              ordered(Literals, [], [], Ordered),
              furthest(Ordered, Theory-Task-World, Atom, Literal, Share)
            ),
            Found),
    keysort(Found, Sorted),
    Sorted = [_-(Rule-Failing)|_].

%   The longest part from the left that holds, and what comes behind it; the share that is left decides.

furthest(Ordered, Place, Atom, Literal, Left) :-
    length(Ordered, Count),
    between(1, Count, Least),
    Held is Count - Least,
    length(Prefix, Held),
    append(Prefix, [Literal|_], Ordered),
    ground_in(Place, Atom, Prefix),
    !,
    Left is Least / Count.

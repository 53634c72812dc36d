% Asking a dataset of rules and facts. Plain SWI-Prolog: load.pl includes this file beside the facts.
%
%   sample(Id, Task, Split, Label, Fact)   a fact and what is known of it (facts.pl)
%   derived(Id, Depth, Rule, Premises)     the last step of its smallest proof (facts.pl)
%   rule(Task, Number, (Head :- Body))     the true theory (rules.pl)

:- use_module(library(lists)).
:- use_module(library(apply)).

%!  why(+Fact, -Proof) is nondet.
%
%   Proof says why Fact is in the dataset. Fact is an id, or Task:Atom. Proof is `because(Atom, Rule, Proofs)` where a
%   rule derives it, and else its label around it: support(Atom), missing(Atom) or noise(Atom).

why(Task:Atom, Proof) :-
    !,
    sample(Id, Task, _, Label, Atom),
    proof(Id, Label, Atom, Proof).
why(Id, Proof) :-
    sample(Id, _, _, Label, Atom),
    proof(Id, Label, Atom, Proof).

proof(Id, _, Atom, because(Atom, Rule, Proofs)) :-
    derived(Id, _, Rule, Premises),
    !,
    maplist(premise_proof, Premises, Proofs).
proof(_, Label, Atom, Proof) :-
    Proof =.. [Label, Atom].

premise_proof(Id, Proof) :-
    once(why(Id, Proof)).

%!  why(+Fact) is nondet.
%
%   Prints the proof of Fact as a tree.

why(Fact) :-
    why(Fact, Proof),
    print_proof(Proof, 0).

print_proof(because(Atom, Rule, Proofs), Indent) :-
    !,
    format('~*c~w   by rule ~w~n', [Indent, 0' , Atom, Rule]),
    Deeper is Indent + 3,
    forall(member(Proof, Proofs), print_proof(Proof, Deeper)).
print_proof(Given, Indent) :-
    Given =.. [Label, Atom],
    format('~*c~w   (~w)~n', [Indent, 0' , Atom, Label]).

%!  true_answer(+Id, -Answer) is semidet.
%
%   Answer is `derived` if the fact of sample Id follows from the rules and the support of its world, else `underived`. The
%   sample's own label is not looked at, unless it is support itself.

true_answer(Id, Answer) :-
    sample(Id, Task, Split, _, Atom),
    !,
    split_world(Split, World),
    (   support(Task, World, Atom)
    ->  Answer = derived
    ;   last_step(Task, World, Atom, _, _)
    ->  Answer = derived
    ;   Answer = underived
    ).

%!  judged(?Id, ?Expected) is nondet.
%
%   The label of sample Id states that its fact is Expected: `derived` or `underived`. Support states neither.

judged(Id, Expected) :-
    sample(Id, _, _, Label, _),
    stated(Label, Expected).

stated(consequence, derived).
stated(removed, derived).
stated(noise, underived).

%!  explain_truth(+Id) is semidet.
%
%   Prints the proof of the fact of sample Id as a tree, or that it does not follow.

explain_truth(Id) :-
    sample(Id, Task, Split, Label, Atom),
    !,
    split_world(Split, World),
    (   derived(Id, _, _, _)
    ->  once(why(Id))
    ;   support(Task, World, Atom)
    ->  format('~w   (~w)~n', [Atom, Label])
    ;   last_step(Task, World, Atom, Rule, Body)
    ->  format('~w   by rule ~w, because ~w~n', [Atom, Rule, Body])
    ;   format('~w   does not follow from the rules and the support of its world (~w)~n', [Atom, Label])
    ).

%   A table for the fact that is asked about would cost more than it saves; what its proof needs is tabled.

last_step(Task, World, Atom, Rule, Body) :-
    rule(Task, Rule, (Atom :- Body)),
    all_follow(Body, Task, World).

%!  follows(?Task, ?World, ?Atom) is nondet.
%
%   Atom is true in a world of Task, by the rules and by nothing else: World is `train` or `eval`.

follows(Task, World, Atom) :-
    ground(Task-World-Atom),
    !,
    (   support(Task, World, Atom)
    ->  true
    ;   derivable(Task, World, Atom)
    ).
follows(Task, World, Atom) :-
    support(Task, World, Atom).
follows(Task, World, Atom) :-
    world(Task, World),
    derivable(Task, World, Atom),
    \+ support(Task, World, Atom).

%   Tabled, so that recursive rules end, and only for what has rules at all.

:- table by_rules/3.

derivable(Task, World, Atom) :-
    \+ \+ rule(Task, _, (Atom :- _)),
    by_rules(Task, World, Atom).

by_rules(Task, World, Head) :-
    rule(Task, _, (Head :- Body)),
    all_follow(Body, Task, World).

all_follow((A, B), Task, World) :-
    !,
    all_follow(A, Task, World),
    all_follow(B, Task, World).
all_follow(\+ Atom, Task, World) :-
    !,
    \+ follows(Task, World, Atom).
all_follow(Atom, Task, World) :-
    follows(Task, World, Atom).

%!  given(?World, ?Task, ?Atom) is nondet.
%
%   Atom is support: true without a rule, whether a learner sees it or not.

given(train, Task, Atom) :-
    sample(_, Task, train, support, Atom).
given(train, Task, Atom) :-
    sample(_, Task, valid, missing, Atom).
given(eval, Task, Atom) :-
    sample(_, Task, test, support, Atom).

split_world(train, train).
split_world(valid, train).
split_world(test, eval).

world(Task, World) :-
    component(Task, 1, _, _, _),
    member(World, [train, eval]).

%   given/3 with an index on arguments: support_fact(Task, World, Predicate, First, Second, Last, Atom), filled at the first
%   question about a world. Without it a join would look at all samples for each fact.

:- dynamic support_fact/7, world_indexed/2.

support(Task, World, Atom) :-
    (   ground(Task-World)
    ->  true
    ;   world(Task, World)
    ),
    index_world(Task, World),
    (   var(Atom)
    ->  true
    ;   argument_keys(Atom, Predicate, First, Second, Last)
    ),
    support_fact(Task, World, Predicate, First, Second, Last, Atom).

argument_keys(Atom, Predicate, First, Second, Last) :-
    functor(Atom, Predicate, Arity),
    (   Arity =:= 0
    ->  true
    ;   Place is min(2, Arity),
        arg(1, Atom, First),
        arg(Place, Atom, Second),
        arg(Arity, Atom, Last)
    ).

index_world(Task, World) :-
    world_indexed(Task, World),
    !.
index_world(Task, World) :-
    assertz(world_indexed(Task, World)),
    forall(( given(World, Task, Atom), argument_keys(Atom, Predicate, First, Second, Last) ),
           assertz(support_fact(Task, World, Predicate, First, Second, Last, Atom))).

%!  labels(?Task, -Counts) is nondet.
%
%   Counts are pairs Split/Label-Number of Task.

labels(Task, Counts) :-
    component(Task, 1, _, _, _),
    findall(Split/Label, sample(_, Task, Split, Label, _), All),
    msort(All, Sorted),
    runs(Sorted, Counts).

runs([], []).
runs([Key|Keys], [Key-Count|Counts]) :-
    run(Keys, Key, 1, Count, Rest),
    runs(Rest, Counts).

run([Next|Keys], Key, Count0, Count, Rest) :-
    Next == Key,
    !,
    Count1 is Count0 + 1,
    run(Keys, Key, Count1, Count, Rest).
run(Rest, _, Count, Count, Rest).

%!  depths(?Task, -Counts) is nondet.
%
%   Counts are pairs Depth-Number of the smallest proofs of Task's consequences.

depths(Task, Counts) :-
    component(Task, 1, _, _, _),
    findall(Depth, (sample(Id, Task, _, _, _), derived(Id, Depth, _, _)), All),
    msort(All, Sorted),
    runs(Sorted, Counts).

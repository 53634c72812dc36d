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

%!  follows(+Task, +World, ?Atom) is nondet.
%
%   Atom is true in a world of Task, by the rules and by nothing else: World is `train` or `eval`. Tabled, so that
%   recursive rules end.

:- table follows/3.

follows(Task, World, Atom) :-
    given(World, Task, Atom).
follows(Task, World, Head) :-
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

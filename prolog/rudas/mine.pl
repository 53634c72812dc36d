% Rules of one's own against the facts of a dataset. Plain SWI-Prolog: included by load.pl behind dataset.pl.
%
% Rules for the predicates of the dataset live in the module `mine`, or are typed after [user]. See prolog/session.pl for
% what to ask, and prolog/models.pl for what follows from rules.

%!  theory_predicates(-Indicators:list) is det.
%
%   The predicates of all tasks. Rules define some of them; the others have facts only.

:- table theory_predicates/1.

theory_predicates(Indicators) :-
    findall(Name/Arity, ( dataset_atom(Atom), functor(Atom, Name, Arity) ), Indicators0),
    sort(Indicators0, Indicators).

dataset_atom(Atom) :-
    sample(_, _, _, _, Atom).
dataset_atom(Atom) :-
    rule(_, _, (Head :- Body)),
    (   Atom = Head
    ;   body_atom(Body, Atom)
    ).

body_atom((A, B), Atom) :-
    !,
    (   body_atom(A, Atom)
    ;   body_atom(B, Atom)
    ).
body_atom(\+ A, Atom) :-
    !,
    body_atom(A, Atom).
body_atom(Atom, Atom).

%!  mine_answer(+Id, -Answer) is semidet.
%
%   Answer is `derived` if the fact of sample Id follows from the support of its world by one's own rules, else `underived`.

mine_answer(Id, Answer) :-
    sample(Id, Task, Split, _, Atom),
    !,
    split_world(Split, World),
    (   derivable(mine, Task, World, Atom)
    ->  Answer = derived
    ;   Answer = underived
    ).

%!  explain_mine(+Id) is semidet.
%
%   Prints the proof of the fact of sample Id by one's own rules, or which rule comes nearest.

explain_mine(Id) :-
    sample(Id, Task, Split, _, Atom),
    !,
    split_world(Split, World),
    (   proof_of(mine, Task, World, Atom, Proof)
    ->  print_own_proof(Proof, 0)
    ;   nearest_rule(mine, Task, World, Atom, Rule, Failing)
    ->  format('~q is not derived. Nearest is the rule~n   ', [Atom]),
        print_rule(Rule),
        numbervars(Failing, 0, _),
        format('but nothing makes ~@ true there.~n', [print_plain(Failing)])
    ;   functor(Atom, Name, Arity),
        format('~q is not derived: no rule of your own concludes ~q.~n', [Atom, Name/Arity])
    ).

print_own_proof(given(Atom), Indent) :-
    format('~*c~q   (support)~n', [Indent, 0' , Atom]).
print_own_proof(true_fact(Atom), Indent) :-
    format('~*c~q   (true in this world)~n', [Indent, 0' , Atom]).
print_own_proof(test(Literal), Indent) :-
    format('~*c~@   (holds)~n', [Indent, 0' , print_plain(Literal)]).
print_own_proof(because(Atom, Rule, Proofs), Indent) :-
    format('~*c~q   by ', [Indent, 0' , Atom]),
    print_rule(Rule),
    Deeper is Indent + 3,
    forall(member(Proof, Proofs), print_own_proof(Proof, Deeper)).

print_rule(Rule) :-
    \+ \+ ( numbervars(Rule, 0, _),
            Rule = rule(Head, Literals),
            print_plain(Head),
            print_literals(Literals, ' :- ')
          ).

print_literals([], _) :-
    format('.~n').
print_literals([Literal|Literals], Before) :-
    format('~w', [Before]),
    print_plain(Literal),
    print_literals(Literals, ', ').

print_plain(Term) :-
    print(Term).

%!  choose_world(+Task, +World) is semidet.
%
%   Lets fact/N and the rules of learned files speak of World (train or eval) of Task. At first it is the training world of the
%   first task.

:- dynamic chosen_world/2.

choose_world(Task, World) :-
    sample(_, Task, _, _, _),
    !,
    memberchk(World, [train, eval]),
    retractall(chosen_world(_, _)),
    assertz(chosen_world(Task, World)),
    abolish_all_tables.

this_world(Task, World) :-
    chosen_world(Task, World),
    !.
this_world(Task, train) :-
    sample(_, Task, _, _, _),
    !.

%!  fact(?Predicate, ?A, ...) is nondet.
%
%   Predicate(A, ...) is support of the world that was chosen by choose_world/2. Learned files define what they call by it, so that
%   they run as they stand: ?- mine:p3(X, Y).

fact(P, A) :- fact_of(P, [A]).
fact(P, A, B) :- fact_of(P, [A, B]).
fact(P, A, B, C) :- fact_of(P, [A, B, C]).
fact(P, A, B, C, D) :- fact_of(P, [A, B, C, D]).
fact(P, A, B, C, D, E) :- fact_of(P, [A, B, C, D, E]).
fact(P, A, B, C, D, E, F) :- fact_of(P, [A, B, C, D, E, F]).

%!  true_fact(?Predicate, ?A, ...) is nondet.
%
%   The same for all that is true in that world: support and what follows by the true rules. A rule that was learned for one
%   predicate, with the facts of the others as background, is about these.

true_fact(P, A) :- true_fact_of(P, [A]).
true_fact(P, A, B) :- true_fact_of(P, [A, B]).
true_fact(P, A, B, C) :- true_fact_of(P, [A, B, C]).
true_fact(P, A, B, C, D) :- true_fact_of(P, [A, B, C, D]).
true_fact(P, A, B, C, D, E) :- true_fact_of(P, [A, B, C, D, E]).
true_fact(P, A, B, C, D, E, F) :- true_fact_of(P, [A, B, C, D, E, F]).

true_fact_of(P, Arguments) :-
    theory_predicates(Known),
    length(Arguments, Arity),
    member(P/Arity, Known),
    Atom =.. [P|Arguments],
    this_world(Task, World),
    derivable(truth, Task, World, Atom).

fact_of(P, Arguments) :-
    (   atom(P)
    ->  Atom =.. [P|Arguments]
    ;   true
    ),
    this_world(Task, World),
    given(World, Task, Atom),
    Atom =.. [P|Arguments].

:- module(kandy_proofs,
          [ proof/3,                    % +Module, +Goal, -Proof
            proofs/3,                   % +Body, +Module, -Proofs
            definition/3,               % +Module, +Goal, -Definition
            cut_in/3                    % +Body, -Before, -After
          ]).

:- use_module(library(lists), [append/3]).

/** <module> Proofs: an interpreter that keeps what it did

A proof is one of

  - by(Goal, Proofs)
    by a clause, whose body Proofs prove
  - given(Goal)
    Goal is true; it is built in, of a library, or of the basic vocabulary
  - absent(Goal)
    Goal has no proof
  - every(Condition, Cases)
    forall/2: for each solution of Condition the proofs of both sides
*/

%!  proof(+Module:atom, +Goal:callable, -Proof) is nondet.
%
%   Proof proves Goal in Module.

proof(Module, Goal, Proof) :-
    proofs(Goal, Module, [Proof]).

%!  proofs(+Body:callable, +Module:atom, -Proofs:list) is nondet.
%
%   Proofs prove the goals of Body, in their order.  A cut at the top of Body
%   counts as true: whoever calls a clause cares for it (see cut_in/3).

proofs(Body, Module, Proofs) :-
    control(Body, Module, Steps),
    !,
    steps(Steps, Proofs).
proofs(Goal, Module, [Proof]) :-
    (   definition(Module, Goal, Definition)
    ->  Proof = by(Goal, Parts),
        findall(Clause, clause(Definition:Goal, _, Clause), Clauses),
        by_clauses(Clauses, Goal, Definition, Parts)
    ;   Proof = given(Goal),
        call(Module:Goal)
    ).

%   control(+Body, +Module, -Steps): Body is a control structure, and Steps is
%   how its proofs are found.
control(true, _, done([])).
control(!, _, done([])).
control(Module:Goal, _, goal(Goal, Module)).
control((A, B), Module, both(A, B, Module)).
control((If -> Then ; Else), Module, choose(once, If, Then, Else, Module)).
control((If *-> Then ; Else), Module, choose(all, If, Then, Else, Module)).
control((A ; B), Module, either(A, B, Module)).
control((If -> Then), Module, choose(once, If, Then, fail, Module)).
control((If *-> Then), Module, both(If, Then, Module)).
control(\+ Goal, Module, none(Goal, Module)).
control(not(Goal), Module, none(Goal, Module)).
control(call(Goal), Module, goal(Goal, Module)).
control(once(Goal), Module, choose(once, Goal, true, fail, Module)).
control(ignore(Goal), Module, choose(once, Goal, true, true, Module)).
control(forall(If, Then), Module, every(If, Then, Module)).

steps(done(Proofs), Proofs).
steps(goal(Goal, Module), Proofs) :-
    proofs(Goal, Module, Proofs).
steps(both(A, B, Module), Proofs) :-
    proofs(A, Module, ProofsA),
    proofs(B, Module, ProofsB),
    append(ProofsA, ProofsB, Proofs).
steps(either(A, B, Module), Proofs) :-
    (   proofs(A, Module, Proofs)
    ;   proofs(B, Module, Proofs)
    ).
steps(choose(once, If, Then, Else, Module), Proofs) :-
    (   proofs(If, Module, ProofsIf)
    ->  proofs(Then, Module, ProofsThen),
        append(ProofsIf, ProofsThen, Proofs)
    ;   proofs(Else, Module, Proofs)
    ).
steps(choose(all, If, Then, Else, Module), Proofs) :-
    (   proofs(If, Module, ProofsIf)
    *-> proofs(Then, Module, ProofsThen),
        append(ProofsIf, ProofsThen, Proofs)
    ;   proofs(Else, Module, Proofs)
    ).
steps(none(Goal, Module), [absent(Goal)]) :-
    \+ call(Module:Goal).
steps(every(If, Then, Module), [every(If, Cases)]) :-
    forall(Module:If, Module:Then),
    findall(Case,
            ( proofs(If, Module, ProofsIf),
              once(proofs(Then, Module, ProofsThen)),
              append(ProofsIf, ProofsThen, Case)
            ),
            Cases).

by_clauses([Clause|Clauses], Goal, Module, Proofs) :-
    (   \+ clause(Module:Goal, _, Clause)
    ->  by_clauses(Clauses, Goal, Module, Proofs)
    ;   clause(Module:Goal, Body, Clause),
        cut_in(Body, Before, After)
    ->  (   proofs(Before, Module, ProofsBefore)
        ->  after_cut(After, Module, ProofsAfter),
            append(ProofsBefore, ProofsAfter, Proofs)
        ;   by_clauses(Clauses, Goal, Module, Proofs)
        )
    ;   by_clause(Clause, Goal, Module, Proofs)
    ;   by_clauses(Clauses, Goal, Module, Proofs)
    ).

by_clause(Clause, Goal, Module, Proofs) :-
    clause(Module:Goal, Body, Clause),
    proofs(Body, Module, Proofs).

after_cut(Body, Module, Proofs) :-
    cut_in(Body, Before, After),
    !,
    once(proofs(Before, Module, ProofsBefore)),
    after_cut(After, Module, ProofsAfter),
    append(ProofsBefore, ProofsAfter, Proofs).
after_cut(Body, Module, Proofs) :-
    proofs(Body, Module, Proofs).

%!  cut_in(+Body, -Before, -After) is semidet.
%
%   Body is Before, a cut, and After.

cut_in(!, true, true).
cut_in((A, B), Before, After) :-
    (   A == !
    ->  Before = true,
        After = B
    ;   cut_in(B, BeforeB, After),
        Before = (A, BeforeB)
    ).

%!  definition(+Module:atom, +Goal:callable, -Definition:atom) is semidet.
%
%   Goal is defined in the module Definition by clauses worth looking into.

definition(Module, Goal, Definition) :-
    predicate_property(Module:Goal, implementation_module(Definition)),
    module_property(Definition, class(user)),
    predicate_property(Definition:Goal, number_of_clauses(_)),
    \+ basic(Definition, Goal),
    \+ ( clause(Definition:Goal, Body),
         hidden_cut(Body)
       ).

%   A cut inside a branch reaches out of it; such a predicate is called, not
%   interpreted.
hidden_cut(Body) :-
    branch(Body, Branch),
    reaches_cut(Branch),
    !.

branch((A, B), Branch) :-
    ( branch(A, Branch) ; branch(B, Branch) ).
branch((A ; B), Branch) :-
    ( Branch = A ; Branch = B ).
branch((_ -> B), B).
branch((_ *-> B), B).

reaches_cut(Body) :-
    Body == !.
reaches_cut(Body) :-
    compound(Body),
    ( Body = (A, B) ; Body = (A ; B) ; Body = (_ -> B), A = B ; Body = (_ *-> B), A = B ),
    ( reaches_cut(A) ; reaches_cut(B) ),
    !.

%   What the vocabulary says of single nodes and lists explains itself.
basic(kandy_attributes, _).
basic(kandy_compositions, _).
basic(kandy_domain, _).
basic(kandy_scenes, _).
basic(kandy_sequences, _).
basic(kandy_natural, Goal) :-
    structural(Goal).
basic(kandy_pointer, Goal) :-
    structural(Goal).

structural(extract_operator(_, _)).
structural(extract_children(_, _)).
structural(extract_op_and_chld(_, _, _)).
structural(contains(_, _)).
structural(recursive_contains(_, _)).
structural(recursive_contains2(_, _, _)).
structural(contains_composition(_, _)).
structural(contains_composition_depth(_, _, _)).
structural(named_object(_)).

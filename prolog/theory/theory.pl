:- module(hornbeam_theory, []).
:- reexport(reading).
:- reexport(subsumption).
:- reexport(herbrand).
:- reexport(proofs).
:- reexport(hornbeam(prolog/purity), [impure_call/2]).

/** <module> Evaluation of learned theories

Theories are lists of clauses. From the folder of this file:

    $ swipl -p hornbeam=../.. theory.pl
    ?- read_theory_file('true.pl', T), read_theory_file('learned.pl', L), read_theory_file('facts.pl', F),
       herbrand_scores(T, L, F, Scores).
    ?- clause_relation((p(X) :- q(X)), (p(X) :- q(X), r(X)), Relation).
    ?- proof([(p(X) :- q(X))], [q(a)], p(a), Proof).
    ?- explain_missing(T, L, F, [p(a)], 1000000, Why).
*/

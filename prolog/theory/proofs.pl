:- module(hornbeam_theory_proofs,
          [ proof/4,                % +Clauses, +Facts, +Atom, -Proof
            explain_extra/6,        % +True, +Learned, +Facts, +Atoms, +Limit, -Explanations
            explain_missing/6       % +True, +Learned, +Facts, +Atoms, +Limit, -Explanations
          ]).
:- use_module(reading, [theory_clause/3]).
:- use_module(herbrand, [with_model/4, given_in/2, holds_in/2, literal_in/2]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(error), [must_be/2]).
:- autoload(library(lists), [nth1/3, member/2]).
:- autoload(library(pairs), [pairs_values/2]).

/** <module> Why a theory derives an atom, which rule is to blame, and where a rule breaks

    ?- proof([(p(X,Z) :- e(X,Y), e(Y,Z))], [e(a,b), e(b,c)], p(a,c), Proof).
    Proof = rule(1, p(a, c), [fact(e(a, b)), fact(e(b, c))]).

A proof is `rule(Number, Atom, Proofs)`, `fact(Atom)` for a given fact, or `test(Literal)` for a negation or comparison that
holds. Numbers count the clauses from 1. Proofs are as shallow as can be: the model, worked out by tabling, says which
literals are true, and the depth grows until a proof fits.
*/

%!  proof(+Clauses, +Facts, +Atom, -Proof) is semidet.

proof(Clauses, Facts, Atom, Proof) :-
    must_be(callable, Atom),
    numbered(Clauses, Numbered),
    with_model(Clauses, Facts, Model, shallowest(Model, Numbered, Atom, Proof)).

%   Each clause beside its number, with variables of its own.

numbered(Clauses, Numbered) :-
    findall(Number-(Head :- Literals),
            ( nth1(Number, Clauses, Clause),
              theory_clause(Clause, Head, Literals)
            ),
            Numbered).

shallowest(Model, Numbered, Atom, Proof) :-
    once(holds_in(Model, Atom)),
    between(0, inf, Depth),
    prove(Depth, Model, Numbered, Atom, Proof),
    !.

prove(_, Model, _, Atom, fact(Atom)) :-
    given_in(Model, Atom).
prove(Depth, Model, Numbered, Atom, rule(Number, Atom, Proofs)) :-
    Depth > 0,
    Depth1 is Depth-1,
    member(Number-Clause0, Numbered),
    copy_term(Clause0, (Atom :- Literals)),
    true_together(Literals, Model),
    prove_all(Literals, Depth1, Model, Numbered, Proofs).

true_together(Literals, Model) :-
    ordered(Literals, Ordered),
    all_true(Ordered, Model).

all_true([], _).
all_true([Literal|Literals], Model) :-
    true_in_order(Literal, Model),
    all_true(Literals, Model).

%   In the standard order of terms. Tables answer in the order of a hash, which differs from process to process: the same
%   question would get another proof.

true_in_order(Literal, Model) :-
    (   ground(Literal)
    ->  once(literal_in(Model, Literal))
    ;   findall(Literal, literal_in(Model, Literal), Answers0),
        sort(Answers0, Answers),
        member(Literal, Answers)
    ).

%   What tests its variables comes after what binds them.

ordered(Literals, Ordered) :-
    findall(Rank-N, ( nth1(N, Literals, Literal), rank(Literal, Rank) ), Ranks),
    msort(Ranks, Sorted),
    pairs_values(Sorted, Numbers),
    maplist(literal_at(Literals), Numbers, Ordered).

literal_at(Literals, Number, Literal) :-
    nth1(Number, Literals, Literal).

rank(Literal, Rank) :-
    (   premise(Literal)
    ->  Rank = 0
    ;   ( Literal = (_ = _) ; Literal = (_ is _) )
    ->  Rank = 1
    ;   Rank = 2
    ).

premise(Literal) :-
    functor(Literal, Name, Arity),
    \+ test_predicate(Name/Arity).

test_predicate((\+)/1).
test_predicate(not/1).
test_predicate(dif/2).
test_predicate(Name/2) :-
    member(Name, [=, \=, ==, \==, <, >, =<, >=, =:=, =\=, is]),
    !.

prove_all([], _, _, _, []).
prove_all([Literal|Literals], Depth, Model, Numbered, [Proof|Proofs]) :-
    (   premise(Literal)
    ->  prove(Depth, Model, Numbered, Literal, Proof)
    ;   Proof = test(Literal)
    ),
    prove_all(Literals, Depth, Model, Numbered, Proofs).

%!  explain_extra(+True, +Learned, +Facts, +Atoms, +Limit, -Explanations) is det.
%
%   For each of Atoms, which Learned derives and True does not, `extra(Proof, Number, Atom1)`: its proof, and the learned clause
%   to blame: it concludes Atom1 wrongly from premises that are all true. `none` where Limit inferences do not suffice.

explain_extra(True, Learned, Facts, Atoms, Limit, Explanations) :-
    numbered(Learned, Numbered),
    with_model(True, Facts, Model1,
               with_model(Learned, Facts, Model2,
                          maplist(within(Limit, extra(Model1, Model2, Numbered)), Atoms, Explanations))).

:- meta_predicate within(+, 2, +, -).

within(Limit, Goal, Atom, Explanation) :-
    (   call_with_inference_limit(once(call(Goal, Atom, Found)), Limit, Result),
        Result \== inference_limit_exceeded
    ->  Explanation = Found
    ;   Explanation = none
    ).

extra(Model1, Model2, Numbered, Atom, extra(Proof, Number, Wrong)) :-
    shallowest(Model2, Numbered, Atom, Proof),
    unsound_step(Proof, Model1, Number, Wrong).

%   The step at which a proof leaves the model: its premises hold there, its conclusion does not.

unsound_step(rule(Number, Atom, Proofs), Model, Guilty, Wrong) :-
    \+ holds_in(Model, Atom),
    (   member(Proof, Proofs),
        unsound_step(Proof, Model, Guilty0, Wrong0)
    ->  Guilty = Guilty0,
        Wrong = Wrong0
    ;   Guilty = Number,
        Wrong = Atom
    ).

%!  explain_missing(+True, +Learned, +Facts, +Atoms, +Limit, -Explanations) is det.
%
%   For each of Atoms, which True derives and Learned does not, `missing(Proof, Number, Atom1, Broken)`: its proof by True, and
%   the true clause whose conclusion Atom1 Learned misses though it has the premises. Broken lists, best first, the learned
%   clauses that might have concluded Atom1 as `broken(Number, Held, Literal)`: the literals that hold, and the one at
%   which the clause breaks.

explain_missing(True, Learned, Facts, Atoms, Limit, Explanations) :-
    numbered(True, Numbered1),
    numbered(Learned, Numbered2),
    with_model(True, Facts, Model1,
               with_model(Learned, Facts, Model2,
                          maplist(within(Limit, missing(Model1, Model2, Numbered1, Numbered2)),
                                  Atoms, Explanations))).

missing(Model1, Model2, Numbered1, Numbered2, Atom, missing(Proof, Number, Lost, Broken)) :-
    shallowest(Model1, Numbered1, Atom, Proof),
    unsound_step(Proof, Model2, Number, Lost),
    findall(Count-broken(Clause, Held, Literal), broken(Model2, Numbered2, Lost, Clause, Held, Literal, Count), Found0),
    sort(1, @>=, Found0, Found),
    pairs_values(Found, Broken).

broken(Model, Numbered, Atom, Number, Held, Broken, Count) :-
    member(Number-Clause0, Numbered),
    copy_term(Clause0, (Atom :- Literals)),
    ordered(Literals, Ordered),
    furthest(Ordered, Model, Held, Broken),
    length(Held, Count).

%   The longest part of a body that holds, with the literal behind it as it stands then.

furthest(Literals, Model, Held, Broken) :-
    length(Literals, Length),
    between(1, Length, Back),
    Size is Length-Back,
    length(Held, Size),
    append_one(Held, Broken, Literals),
    all_true(Held, Model),
    !.

append_one([], Broken, [Broken|_]).
append_one([Literal|Held], Broken, [Literal|Literals]) :-
    append_one(Held, Broken, Literals).

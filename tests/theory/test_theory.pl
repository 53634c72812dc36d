:- module(test_theory, []).
:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(hornbeam(prolog/theory/theory)).
:- use_module(rules).

:- begin_tests(theory_reading).

test(clauses_and_places, Items == [clause(1, 0, 16, p(a), [q(b), r(c)], []), clause(3, 19, 24, s(d), [], [])]) :-
    read_theory("p(a):-q(b),r(c). \n\ns(d).", Items).
test(reading_goes_on_behind_an_error, Kinds == [rejected, clause]) :-
    read_theory("p(X :- q.\nr(a).\n", Items),
    findall(Kind, ( member(Item, Items), functor(Item, Kind, _) ), Kinds).
test(variable_names, Names == ['X', '_Y']) :-
    read_theory("p(X, _Y, _).", [clause(_, _, _, _, [], Bindings)]),
    findall(Name, member(Name=_, Bindings), Names).
test(own_operators, Head == a) :-
    read_theory(":- op(700, xfx, ~~>).\na :- b ~~> c.\n", [_, clause(_, _, _, Head, [Literal], _)]),
    Literal =.. [~~>, b, c].
test(no_text, error(type_error(_, _))) :-
    read_theory(f(x), _).

:- end_tests(theory_reading).

:- begin_tests(theory_subsumption).

test(general, Relation == general) :-
    clause_relation((p(X) :- q(X, Y), r(Y)), (p(A) :- q(A, _)), Relation).
test(specific, Relation == specific) :-
    clause_relation((p(A) :- q(A, _)), (p(X) :- q(X, Y), r(Y)), Relation).
test(variant, Relation == variant) :-
    clause_relation((p(X) :- q(X, Y), r(Y)), (p(A) :- r(B), q(A, B)), Relation).
test(equivalent, Relation == equivalent) :-
    clause_relation((p(X) :- q(X, _)), (p(A) :- q(A, _), q(A, _)), Relation).
test(different, Relation == different) :-
    clause_relation((p(X) :- q(X, _)), (p(A) :- q(_, A)), Relation).
test(clauses_stay_as_they_are, true(var(X))) :-
    subsumes_clause((p(X) :- q(X)), (p(a) :- q(a), r(b))).
test(tautology) :-
    tautology((p(X) :- q(X), p(X))).
test(no_tautology, fail) :-
    tautology((p(X) :- p(_), q(X))).

:- end_tests(theory_subsumption).

path([(p(X, Y) :- e(X, Y)), (p(X1, Z1) :- p(X1, Y1), e(Y1, Z1))]).

:- begin_tests(theory_herbrand).

test(left_recursion, Model == [e(a, b), e(b, a), p(a, a), p(a, b), p(b, a), p(b, b)]) :-
    test_theory:path(Clauses),
    herbrand_model(Clauses, [e(a, b), e(b, a)], Model).
test(free_head_variable, Model == [q(a), r(b), p(a, a), p(a, b)]) :-
    herbrand_model([(p(X, _) :- q(X))], [q(a), r(b)], Model).
test(negation_after_binding, Model == [p(b), q(a), q(b), r(a)]) :-
    herbrand_model([(p(X) :- \+ r(X), q(X))], [q(a), q(b), r(a)], Model).
test(built_ins_are_out_of_reach, error(domain_error(datalog_literal, call(_)))) :-
    herbrand_model([(p(X) :- call(X))], [], _).
test(names_of_built_ins_are_predicates, Model == [halt(a), write(a)]) :-
    herbrand_model([(write(X) :- halt(X))], [halt(a)], Model).
test(scores, [TP, FP, FN] == [3, 3, 3]) :-
    test_theory:path(Clauses),
    herbrand_scores(Clauses, [(p(X, Y) :- e(Y, X)), (p(X1, Y1) :- e(X1, Y1))], [e(a, b), e(b, c), e(c, d)], Scores),
    maplist([Key, Value]>>get_dict(Key, Scores, Value), [tp, fp, fn], [TP, FP, FN]).
test(agreement_on_nothing, H =:= 1.0) :-
    herbrand_scores([], [], [q(a)], Scores),
    get_dict(h_score, Scores, H).

:- end_tests(theory_herbrand).

:- begin_tests(theory_proofs).

test(shallowest, Proof == rule(2, p(a, c), [rule(1, p(a, b), [fact(e(a, b))]), fact(e(b, c))])) :-
    test_theory:path(Clauses),
    proof(Clauses, [e(a, b), e(b, c), e(b, a)], p(a, c), Proof).
test(no_proof, fail) :-
    test_theory:path(Clauses),
    proof(Clauses, [e(a, b)], p(b, a), _).
test(the_same_proof_in_every_process, Premises == [fact(q(a, b)), fact(r(b))]) :-
    numlist(1, 50, Numbers),
    findall(q(a, C), ( member(N, Numbers), atom_concat(z, N, C) ), Others),
    findall(r(C), member(q(a, C), Others), Rest),
    append([Others, [q(a, b), r(b)], Rest], Facts),
    proof([(s(X) :- t(X)), (t(X) :- q(X, Y), r(Y))], Facts, s(a), rule(1, s(a), [rule(2, t(a), Premises)])).
test(guilty_rule, Found == [extra(rule(1, p(b, a), [fact(e(a, b))]), 1, p(b, a))]) :-
    test_theory:path(Clauses),
    explain_extra(Clauses, [(p(X, Y) :- e(Y, X))], [e(a, b)], [p(b, a)], 100000, Found).
test(broken_premise, Broken == [broken(1, [e(a, b)], f(b))]) :-
    explain_missing([(p(X, Y) :- e(X, Y))], [(p(X1, Y1) :- e(X1, Y1), f(Y1))], [e(a, b)], [p(a, b)], 100000, [Found]),
    Found = missing(_, 1, p(a, b), Broken).
test(limit, Found == [none]) :-
    test_theory:path(Clauses),
    findall(e(N, M), ( between(1, 200, N), M is N+1 ), Facts),
    explain_extra([], Clauses, Facts, [p(1, 200)], 1000, Found).

:- end_tests(theory_proofs).

:- begin_tests(theory_rules).

test(example_5_3, Distance =:= 9 rdiv 16) :-
    rule_distance((p1(A, B) :- p2(A, A), p3(B, B), p4(A, B)), (p1(X, X) :- p2(_, X), p2(X, X)), Distance).
test(same, Score =:= 1) :-
    r_score([(p(X) :- q(X, Y), r(Y))], [(p(A) :- r(B), q(A, B)), s(c)], Score).
test(no_rule, Score =:= 0) :-
    r_score([(p(X) :- q(X))], [(s(X) :- q(X))], Score).
test(constants, Distance =:= 1 rdiv 8) :-
    rule_distance((p(X) :- q(X, a)), (p(Y) :- q(Y, b)), Distance).

:- end_tests(theory_rules).

:- module(test_rudas_models, []).
:- use_module(library(plunit)).

% The parts of a dataset that prolog/rudas/models.pl asks for, all in user.

user:rule(t, 1, (path(X,Y) :- edge(X,Y))).
user:rule(t, 2, (path(X,Z) :- path(X,Y), edge(Y,Z))).
user:rule(t, 3, (apart(X,Y) :- node(X), node(Y), \+ path(X,Y))).
user:given(train, t, edge(a,b)).
user:given(train, t, edge(b,c)).
user:given(train, t, node(a)).
user:given(train, t, node(c)).
user:given(eval, t, edge(c,a)).
user:theory_predicates([apart/2, edge/2, node/1, path/2]).

:- use_module(hornbeam(prolog/rudas/models)).

:- dynamic mine:path/2, mine:apart/2, mine:helper/2, mine:node/1.

theory(Clauses) :-
    forall(member(Name/Arity, [path/2, apart/2, helper/2, node/1]),
           ( functor(Head, Name, Arity), retractall(mine:Head) )),
    forall(member(Clause, Clauses), assertz(mine:Clause)).

mine_path(World, Pairs) :-
    findall(X-Y, derivable(mine, t, World, path(X,Y)), Pairs0),
    sort(Pairs0, Pairs).

:- begin_tests(rudas_models).

test(truth_with_recursion, true(Pairs == [a-b, a-c, b-c])) :-
    findall(X-Y, derivable(truth, t, train, path(X,Y)), Pairs0),
    sort(Pairs0, Pairs).
test(truth_with_negation, set(X-Y == [a-a, c-a, c-c])) :-
    derivable(truth, t, train, apart(X,Y)).
test(worlds_are_apart, set(X-Y == [c-a])) :-
    derivable(truth, t, eval, path(X,Y)).
test(left_recursion_through_a_helper, true(Pairs == [a-b, a-c, b-c])) :-
    theory([(path(X,Y) :- helper(X,Y)), (helper(X,Y) :- edge(X,Y)), (helper(X,Z) :- path(X,Y), helper(Y,Z))]),
    mine_path(train, Pairs).
test(a_theory_that_changes_is_worked_out_again, true(Before-After == [a-b, b-c]-[b-a, c-b])) :-
    theory([(path(X,Y) :- edge(X,Y))]),
    mine_path(train, Before),
    theory([(path(X,Y) :- edge(Y,X))]),
    mine_path(train, After).
test(comparisons_wait_for_their_variables, true(Pairs == [a-a, c-c])) :-
    theory([(path(X,Y) :- X == Y, node(X), node(Y))]),
    mine_path(train, Pairs).
test(a_variable_that_nothing_binds_ranges_over_all_constants, true(Pairs == [a-a, a-b, a-c, c-a, c-b, c-c])) :-
    theory([(path(X,_) :- node(X))]),
    mine_path(train, Pairs).
test(a_variable_of_one_negation_means_there_is_none, true(Pairs == [c-c])) :-
    theory([(path(X,X) :- node(X), \+ edge(X,_))]),
    mine_path(train, Pairs).
test(each_branch_of_a_disjunction_counts, true(Pairs == [a-a, a-b, b-c, c-c])) :-
    theory([(path(X,Y) :- ( edge(X,Y) ; node(X), X = Y ))]),
    mine_path(train, Pairs).
test(definitions_add_the_true_facts, true(Pairs == [a-b, a-c, b-c])) :-
    theory([(path(X,Y) :- true_fact(path,X,Y))]),
    mine_path(train, Pairs).
test(an_undefined_predicate_is_an_error, error(existence_error(procedure, nowhere/1))) :-
    theory([(path(X,X) :- nowhere(X))]),
    mine_path(train, _).
test(negation_in_a_cycle_is_an_error, error(domain_error(stratified_rule, _))) :-
    theory([(path(X,X) :- node(X), \+ apart(X,X)), (apart(X,X) :- node(X), \+ path(X,X))]),
    mine_path(train, _).
test(what_does_not_end_in_time_is_known_the_next_time, error(resource_error(facts_that_follow))) :-
    length(Others, 14),
    findall(node(_), member(_, Others), [First|Rest]),
    foldl([Literal, Body0, (Body0, Literal)]>>true, Rest, First, Body),
    theory([(path(X,X) :- node(X), Body)]),
    call_with_inference_limit(mine_path(train, _), 20 000, Result),
    assertion(Result == inference_limit_exceeded),
    mine_path(train, _).
test(proof, true(Proof = because(path(a,c), _, [because(path(a,b), _, [given(edge(a,b))]), given(edge(b,c))]))) :-
    proof_of(truth, t, train, path(a,c), Proof).
test(no_proof, fail) :-
    proof_of(truth, t, train, path(c,a), _).
test(the_nearest_rule_and_the_literal_that_fails, true(Failing == edge(b,a))) :-
    theory([(path(X,Y) :- edge(X,Z), edge(Z,Y)), (path(X,Y) :- node(X), node(Y), edge(X,Y), edge(Y,X))]),
    nearest_rule(mine, t, train, path(a,a), rule(path(_,_), [edge(_,_), edge(_,_)]), Failing).

:- end_tests(rudas_models).

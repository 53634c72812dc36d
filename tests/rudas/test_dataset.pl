:- module(test_rudas_dataset, []).
:- use_module(library(plunit)).
:- dynamic sample/5, derived/4, rule/3, component/5.
:- include(hornbeam(prolog/rudas/dataset)).

component(t, 1, chain, 1, path).
rule(t, 1, (path(X,Y) :- edge(X,Y))).
rule(t, 2, (path(X,Z) :- path(X,Y), edge(Y,Z))).
rule(t, 3, (apart(X,Y) :- node(X), node(Y), \+ path(X,Y))).
sample(s1, t, train, support,     edge(a,b)).
sample(s2, t, valid, missing,     edge(b,c)).
sample(s3, t, train, consequence, path(a,b)).
sample(s4, t, valid, removed,     path(a,c)).
sample(s5, t, train, noise,       edge(c,a)).
sample(s6, t, train, support,     node(a)).
sample(s7, t, train, support,     node(c)).
sample(e1, t, test,  support,     edge(c,a)).
sample(e2, t, test,  consequence, path(c,a)).
derived(s3, 1, 1, [s1]).
derived(s4, 2, 2, [s3, s2]).

:- begin_tests(rudas_dataset).

test(why_by_id, true(Proof == because(path(a,c), 2, [because(path(a,b), 1, [support(edge(a,b))]), missing(edge(b,c))]))) :-
    once(why(s4, Proof)).
test(why_by_fact, true(Proof == because(path(a,b), 1, [support(edge(a,b))]))) :-
    once(why(t:path(a,b), Proof)).
test(why_of_noise, true(Proof == noise(edge(c,a)))) :-
    once(why(s5, Proof)).
test(why_of_nothing, fail) :-
    why(s99, _).
test(printed, true(Text == "path(a,c)   by rule 2\n   path(a,b)   by rule 1\n      edge(a,b)   (support)\n   edge(b,c)   (missing)\n")) :-
    with_output_to(string(Text), once(why(s4))).
test(every_label_that_states_an_answer_is_derived, all(Id-Answer == [s3-derived, s4-derived, s5-underived, e2-derived])) :-
    judged(Id, Expected),
    true_answer(Id, Answer),
    Answer == Expected.
test(support_is_true_and_not_judged, true(Answers == [derived, derived])) :-
    maplist(true_answer, [s1, s2], Answers),
    \+ judged(s1, _),
    \+ judged(s2, _).
test(true_answer_of_nothing, fail) :-
    true_answer(s99, _).
test(explained_by_its_proof, true(Text == "path(a,b)   by rule 1\n   edge(a,b)   (support)\n")) :-
    with_output_to(string(Text), explain_truth(s3)).
test(explained_as_false,
     true(Text == "edge(c,a)   does not follow from the rules and the support of its world (noise)\n")) :-
    with_output_to(string(Text), explain_truth(s5)).
test(explained_without_a_stored_proof, true(Text == "path(c,a)   by rule 1, because edge(c,a)\n")) :-
    with_output_to(string(Text), explain_truth(e2)).
test(explanation_of_nothing, fail) :-
    explain_truth(s99).
test(follows_by_hidden_support_and_not_by_noise, set(Y == [b, c])) :-
    follows(t, train, path(a, Y)).
test(follows_with_negation, set(X-Y == [a-a, c-a, c-c])) :-
    follows(t, train, apart(X, Y)).
test(worlds_are_apart, set(X-Y == [c-a])) :-
    follows(t, eval, path(X, Y)).
test(labels, true(Counts == [test/consequence-1, test/support-1, train/consequence-1, train/noise-1, train/support-3, valid/missing-1, valid/removed-1])) :-
    once(labels(t, Counts)).
test(depths, true(Counts == [1-1, 2-1])) :-
    once(depths(t, Counts)).

:- end_tests(rudas_dataset).

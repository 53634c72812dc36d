:- module(test_rudas_dataset, []).
:- use_module(library(plunit)).
:- prolog_load_context(directory, Here),
   atom_concat(Here, '/../..', Root),
   asserta(user:file_search_path(hornbeam_root, Root)).
:- dynamic sample/5, derived/4, rule/3, component/5.
:- include(hornbeam_root('prolog/rudas/dataset')).

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
test(follows_by_hidden_support_and_not_by_noise, set(Y == [b, c])) :-
    follows(t, train, path(a, Y)).
test(follows_with_negation, set(X-Y == [a-a, c-a, c-c])) :-
    follows(t, train, apart(X, Y)).
test(worlds_are_apart, set(X-Y == [c-a])) :-
    follows(t, eval, path(X, Y)).
test(labels, true(Counts == [test/support-1, train/consequence-1, train/noise-1, train/support-3, valid/missing-1, valid/removed-1])) :-
    once(labels(t, Counts)).
test(depths, true(Counts == [1-1, 2-1])) :-
    once(depths(t, Counts)).

:- end_tests(rudas_dataset).

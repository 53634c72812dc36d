:- module(test_rudas_proving, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/rudas/proving)).

% The module that stands for a dataset: dataset.pl as it is shipped.
:- dynamic proof_world:sample/5, proof_world:derived/4, proof_world:rule/3, proof_world:component/5, proof_world:property/3.
:- load_files(proof_world:hornbeam(prolog/rudas/dataset), [if(true)]).

rules("component(t, 1, chain, 1, path).\n\c
       rule(t, 1, (path(X,Y) :- edge(X,Y))).\n\c
       rule(t, 2, (path(X,Z) :- path(X,Y), edge(Y,Z))).\n").

codes([train, support, edge, 2, a, b,  valid, missing, edge, 2, b, c,  valid, removed, path, 2, a, c,
       train, noise, edge, 2, c, a,  test, support, edge, 2, c, a,  test, consequence, path, 2, c, a]).

:- begin_tests(rudas_proving).

test(all_labels_are_derived, true(Judged-Wrong == 3-[])) :-
    rules(Rules),
    codes(Codes),
    prove_samples(proof_world, t, Rules, Codes, Judged, Wrong).

test(wrong_labels_are_named, true(Judged-Wrong == 3-[[1, derived, underived], [2, underived, derived]])) :-
    rules(Rules),
    Codes = [train, support, edge, 2, a, b,  train, consequence, path, 2, b, a,  train, noise, path, 2, a, b,
             test, consequence, path, 2, a, b],
    prove_samples(proof_world, t, Rules, Codes, Judged, Wrong0),
    exclude(==([3, derived, underived]), Wrong0, Wrong).

test(nothing_of_a_shard_is_left, true(Left == [])) :-
    rules(Rules),
    codes(Codes),
    prove_samples(proof_world, t, Rules, Codes, _, _),
    findall(Id, proof_world:sample(Id, _, _, _, _), Left),
    \+ proof_world:rule(_, _, _),
    \+ proof_world:follows(t, train, path(a, c)).

test(codes_must_be_a_list, error(type_error(list, none))) :-
    prove_samples(proof_world, t, "", none, _, _).

:- end_tests(rudas_proving).

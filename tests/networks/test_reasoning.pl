:- module(test_networks_reasoning, []).
:- use_module(library(plunit)).
:- prolog_load_context(directory, Here),
   atom_concat(Here, '/../../prolog/networks/reasoning', File),
   use_module(File).

/** <module> A learned theory in plain swipl */

:- dynamic
    kin:compose/3, kin:relation/1,
    order:reading/1, order:relation/1, order:identity/1, order:converse/2, order:compose/3, order:answers/1.

kin:compose(father, mother, grandmother).
kin:compose(brother, grandmother, grandmother).

order:reading(sets).
order:answers(one).
order:relation(before).
order:relation(same).
order:relation(after).
order:identity(same).
order:converse(before, after).
order:converse(after, before).
order:converse(same, same).
order:compose(before, before, before).
order:compose(after, after, after).
order:compose(same, R, R) :- member(R, [before, same, after]).
order:compose(R, same, R) :- member(R, [before, after]).
order:compose(before, after, R) :- member(R, [before, same, after]).
order:compose(after, before, R) :- member(R, [before, same, after]).

answered(Module, Edges, Query, Relations-By) :-
    theory_table(Module, Table),
    network_answer(Table, Edges, Query, Relations, By).

:- begin_tests(networks_reasoning).

test(bracketing, Answer == [grandmother]-closure) :-
    answered(kin, [edge(0, [brother], 1), edge(1, [father], 2), edge(2, [mother], 3)], 0-3, Answer).
test(nothing_follows, Answer == [father]-first_of_all) :-
    answered(kin, [edge(0, [mother], 1), edge(1, [father], 2)], 0-2, Answer).
test(backwards, Answer == [before]-closure) :-
    answered(order, [edge(b, [after], a), edge(b, [before], c)], a-c, Answer).
test(intersection, Answer == [same]-closure) :-
    answered(order, [edge(a, [before, same], b), edge(a, [same], c), edge(c, [same, after], b)], a-b, Answer).
test(several, Answer == [before]-first_of_all) :-
    answered(order, [edge(a, [before], b), edge(b, [after], c)], a-c, Answer).
test(contradiction, Answer == [before]-most_votes) :-
    answered(order, [ edge(a, [before], b), edge(b, [before], d), edge(a, [after], c), edge(c, [after], d),
                      edge(a, [before], d) ], a-d, Answer).
test(unknown_relation, error(existence_error(relation, aunt), _)) :-
    answered(kin, [edge(0, [aunt], 1)], 0-1, _).
test(no_theory, error(existence_error(theory, nowhere), _)) :-
    theory_table(nowhere, _).

:- end_tests(networks_reasoning).

:- module(test_star_theory, []).
:- use_module(library(plunit)).
:- use_module('../../kb/star/rcc8').
:- dynamic sample/5, edge/4.
:- discontiguous sample/5, edge/4.
:- include('../../kb/star/theory').
:- include('../../prolog/star/deciding').

% Two paths, both needed.
sample(two, t, test, 'EC', query(0, 3)).
edge(two, 0, 1, ['EC']).
edge(two, 1, 3, ['TPPI']).
edge(two, 0, 2, ['TPPI']).
edge(two, 2, 3, ['EC']).

% A third path that says nothing new.
sample(idle, t, test, 'EC', query(0, 4)).
edge(idle, 0, 1, ['EC']).
edge(idle, 1, 4, ['TPPI']).
edge(idle, 0, 2, ['TPPI']).
edge(idle, 2, 4, ['EC']).
edge(idle, 0, 3, ['DC']).
edge(idle, 3, 4, ['DC']).

% Against the direction of an edge: no path along the edges, still an answer.
sample(against, t, test, 'NTPP', query(0, 2)).
edge(against, 0, 1, ['NTPP']).
edge(against, 2, 1, ['EQ']).

% Disjunctive: search is needed to see that EQ cannot be.
sample(wide, t, test, 'NTPP', query(0, 2)).
edge(wide, 0, 1, ['TPP', 'NTPP']).
edge(wide, 1, 2, ['NTPP']).

sample(never, t, test, inconsistent, query(0, 2)).
edge(never, 0, 1, ['NTPP']).
edge(never, 1, 2, ['NTPP']).
edge(never, 2, 0, ['TPP', 'PO']).
edge(never, 2, 3, ['DC']).

:- begin_tests(star_theory).

test(paths_say_disjunctions, all(Rs == [['DC', 'EC'], ['EC', 'PO', 'TPPI', 'NTPPI']])) :-
    path_relations(two, _, Rs).

test(their_intersection_is_the_answer, true(Rs == ['EC'])) :-
    intersection(two, Rs).

test(every_label_follows, [forall(sample(Id, _, _, Label, _)), true(Found == Label)]) :-
    answer(Id, Found).

test(every_edge_of_two_needed_paths_is_in_the_explanation, true(N == 4)) :-
    needed_edges(two, Edges),
    length(Edges, N).

test(an_idle_path_is_not_in_the_explanation,
     true(Edges == [edge(0, 1, ['EC']), edge(0, 2, ['TPPI']), edge(1, 4, ['TPPI']), edge(2, 4, ['EC'])])) :-
    needed_edges(idle, Edges).

test(edges_against_the_path_explain_too, true(N == 2)) :-
    needed_edges(against, Edges),
    length(Edges, N).

test(a_contradiction_is_explained_by_the_edges_in_it,
     true(Edges == [edge(0, 1, ['NTPP']), edge(1, 2, ['NTPP']), edge(2, 0, ['TPP', 'PO'])])) :-
    needed_edges(never, Edges).

:- end_tests(star_theory).

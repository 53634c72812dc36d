:- module(test_star_theory, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(kb/star/rcc8)).
:- dynamic sample/5, edge/4.
:- discontiguous sample/5, edge/4.
:- include(hornbeam(kb/star/theory)).
:- include(hornbeam(prolog/star/deciding)).

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

test(true_answer_and_label_agree, [forall(judged(Id, Expected)), true(Answer == Expected)]) :-
    true_answer(Id, Answer).

test(true_answer_of_nothing, fail) :-
    true_answer(nothing, _).

test(many_networks_in_one_call, true(Labels == ['EC', 'NTPP', inconsistent, 'DC|EC|PO|TPP|NTPP|TPPI|NTPPI|EQ'])) :-
    network_answers([0, 3, 4, 4, 0, 1, 'EC', 1, 3, 'TPPI', 0, 2, 'TPPI', 2, 3, 'EC',
                     0, 2, 3, 2, 0, 1, 'TPP|NTPP', 1, 2, 'NTPP',
                     0, 2, 4, 4, 0, 1, 'NTPP', 1, 2, 'NTPP', 2, 0, 'TPP|PO', 2, 3, 'DC',
                     0, 2, 3, 1, 1, 2, 'EC'], Labels).

test(explained_in_words,
     true(Text == "two: from 0 to 3 holds EC. It follows from these 4 edges, and none of them can be left out:\n  \c
                   0 EC 1\n  0 TPPI 2\n  1 TPPI 3\n  2 EC 3\n  \c
                   The path 0 - 1 - 3 leaves DC or EC.\n  \c
                   The path 0 - 2 - 3 leaves EC or PO or TPPI or NTPPI.\n")) :-
    with_output_to(string(Text), explain_truth(two)).

test(a_contradiction_in_words, true(First == "never: the network is inconsistent. These 3 edges cannot hold together, \c
                                              and none of them can be left out:")) :-
    with_output_to(string(Text), explain_truth(never)),
    split_string(Text, "\n", "", [First|_]).

test(explanation_of_nothing, fail) :-
    explain_truth(nothing).

%   A network in which every two of five nodes are joined: elimination is not exact there by its shape.

five(Masks, Arcs) :-
    findall(U-V, ( between(1, 4, U), U1 is U + 1, between(U1, 5, V), U-V \== 1-5 ), Pairs),
    findall(arc(U, V, Mask, Back), ( nth1(I, Pairs, U-V), nth1(I, Masks, Mask), conversed(Mask, Back) ), Arcs).

drawn_mask(Mask) :-
    random_between(1, 255, A),
    random_between(1, 255, B),
    Mask is max(1, A /\ B).

%   All relations of all edges tried one by one, each network decided by the closure of the complete graph.

tried(Arcs, Mask) :-
    findall(Bit, ( bit_of(255, Bit), \+ \+ one_by_one(Arcs, [arc(1, 5, Bit, 0)]) ), Bits),
    foldl(joined_bit, Bits, 0, Mask).

one_by_one([], Fixed) :-
    consistent(5, Fixed).
one_by_one([arc(U, V, Mask, _)|Arcs], Fixed) :-
    bit_of(Mask, Bit),
    consistent(5, [arc(U, V, Bit, 0)|Fixed]),
    one_by_one(Arcs, [arc(U, V, Bit, 0)|Fixed]).

test(search_finds_exactly_what_trying_every_relation_finds,
     [setup(set_random(seed(17))), forall(between(1, 25, _)), true(Found == Tried)]) :-
    findall(Mask, ( between(1, 9, _), drawn_mask(Mask) ), Masks),
    five(Masks, Arcs),
    decided(5, Arcs, 1, 5, Found),
    tried(Arcs, Tried).

test(single_relations_are_decided_like_by_trying,
     [setup(set_random(seed(4))), forall(between(1, 25, _)), true(Found == Tried)]) :-
    findall(Mask, ( between(1, 9, _), random_between(0, 7, I), Mask is 1 << I ), Masks),
    five(Masks, Arcs),
    decided(5, Arcs, 1, 5, Found),
    tried(Arcs, Tried).

test(pieces_are_closed_and_make_the_label, forall(between(1, 255, Mask))) :-
    pieces(Mask, Pieces),
    closed_masks(Closed),
    foldl([P, S0, S]>>(S is S0 + P), Pieces, 0, Mask),
    forall(member(P, Pieces), ord_memberchk(P, Closed)).

:- end_tests(star_theory).

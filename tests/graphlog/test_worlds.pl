% Tests of prolog/graphlog/worlds.pl, prolog/graphlog/reasoning.pl and kb/graphlog/laws.pl.

:- module(test_graphlog_worlds, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/graphlog/worlds)).
:- use_module(hornbeam(kb/graphlog/laws)).

:- begin_tests(laws).

% Relations 0 and 1 are symmetric, 2 and 3 swap.
partners(partners(0,1,3,2)).

test(forward_if_its_body_is_later, Rule == [0,1,0,2]) :-
    partners(P),
    kept_rule(P, [1,0,2], Rule).
test(backward_if_its_body_is_earlier, Rule == [1,1,0,3]) :-
    partners(P),
    kept_rule(P, [0,1,2], Rule).
test(head_in_body, fail) :-
    partners(P),
    kept_rule(P, [0,1,1], _).
test(there_and_back, fail) :-
    partners(P),
    kept_rule(P, [2,3,0], _).
test(a_symmetric_relation_twice, fail) :-
    partners(P),
    kept_rule(P, [0,0,1], _).

:- end_tests(laws).

:- begin_tests(worlds).

% c <- a b, d <- c b; x <- y z says the same backwards as zz <- .. only if the world reads backwards.
world(Backwards) :-
    set_world(w, [[a,b,c], [c,b,d], [b,b,e], [a,e,f]], [[a,a1],[a1,a],[b,b1],[b1,b],[c,c1],[c1,c]], Backwards).

test(chain, ByRules-ByTheory == [c]-[c]) :-
    world(false),
    chain_verdict(w, [a,b], ByRules, ByTheory).
test(two_bracketings, ByRules == [d,f]) :-
    world(false),
    chain_verdict(w, [a,b,b], ByRules, _).
test(nothing_follows, ByRules-ByTheory == []-[]) :-
    world(false),
    chain_verdict(w, [b,a], ByRules, ByTheory).
test(backwards_only_if_the_world_reads_so, ByRules-ByTheory == []-[c1]) :-
    world(true),
    chain_verdict(w, [b1,a1], ByRules, ByTheory).
test(triples_with_one_relation, Chains == [[a,a,b],[a,b,b]]) :-
    set_world(t, [[a,b,c], [a,c,d], [c,b,e]], [], false),
    proven_triples(t, Chains).
test(certificate, Text-Numbers-Depth == 'd(c(a,b),b)'-[1,0]-2) :-
    world(false),
    chain_certificate(w, [a,b,b], d, Text, Numbers, Depth).
test(no_certificate, fail) :-
    world(false),
    chain_certificate(w, [a,b], d, _, _, _).
test(graphs, Relations == [[c],[],[d,f]]) :-
    world(false),
    graphs_relations(w, [ [[[0,1,a],[1,2,b]], 0, 2],
                          [[[0,1,a],[2,1,b]], 0, 2],
                          [[[0,1,a],[1,2,b],[2,3,b]], 0, 3]
                        ], Relations).
test(graph_with_an_edge_read_backwards, Relations == [[c]]) :-
    world(true),
    graphs_relations(w, [[[[1,0,a1],[1,2,b]], 0, 2]], Relations).
test(graph_with_a_cycle, Relations == [[c]]) :-
    world(false),
    graphs_relations(w, [[[[0,1,a],[1,2,b],[2,0,a],[2,2,a]], 0, 2]], Relations).
test(graphs_leave_nothing_behind, Relations == [[]]) :-
    world(false),
    graphs_relations(w, [[[[0,1,a],[1,2,b]], 0, 2]], _),
    graphs_relations(w, [[[], 0, 2]], Relations).
test(a_world_is_replaced, ByRules == [g]) :-
    world(false),
    chain_verdict(w, [a,b], _, _),
    set_world(w, [[a,b,g]], [], false),
    chain_verdict(w, [a,b], ByRules, _).
test(worlds_are_apart, ByRules == []) :-
    world(false),
    set_world(v, [[x,y,z]], [], false),
    chain_verdict(v, [a,b], ByRules, _).
test(rules_are_lists_of_atoms, error(type_error(_, _))) :-
    set_world(w, [[a,1,c]], [], false).
test(backwards_is_a_boolean, error(type_error(_, _))) :-
    set_world(w, [], [], maybe).
test(labels_in_no_rule_are_relations_of_their_own, Relations == [[x],[]]) :-
    world(false),
    graphs_relations(w, [[[[0,1,x],[1,2,a]], 0, 1], [[[0,1,x],[1,2,a]], 0, 2]], Relations).
test(an_edge_back_is_a_relation_where_the_world_reads_so, Forwards-Backwards == [[]]-[[a]]) :-
    world(false),
    graphs_relations(w, [[[[1,0,a1]], 0, 1]], Forwards),
    world(true),
    graphs_relations(w, [[[[1,0,a1]], 0, 1]], Backwards).
test(a_walk_may_pass_a_node_twice, Relations == [[g]]) :-
    set_world(l, [[a,a,a2], [a2,b,g]], [], false),
    graphs_relations(l, [[[[0,0,a],[0,1,b]], 0, 1], [[[0,0,a],[0,0,b],[0,1,b]], 0, 1]], [[b,g]|Found]),
    findall([R], member([b,R], Found), Relations).
test(a_proof_to_read, Lines == ['c(5,7): rule 0, c(X,Z) if a(X,Y) and b(Y,Z)', '  a(5,6): an edge', '  b(6,7): an edge']) :-
    set_world(p, [[a,b,c]], [], false),
    chain_proof_lines(p, [a,b], c, [5,6,7], Lines).
test(nothing_to_read_where_there_is_no_proof, fail) :-
    set_world(p, [[a,b,c]], [], false),
    chain_proof_lines(p, [b,a], c, [5,6,7], _).
test(inverses, Inverses == [[0,0,0,1],[0,1,0,0],[1,0,2,1],[1,1,2,0],[2,0,1,1],[2,1,1,0]]) :-
    inverse_labels([0,2,1], Inverses).
test(survivors, Rules == [[0,1,0,2],[1,1,0,3]]) :-
    surviving_rules([0,1,3,2], [[1,0,2],[0,1,1],[0,1,2]], Rules).

:- end_tests(worlds).

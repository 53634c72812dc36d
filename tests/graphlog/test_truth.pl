% Tests of what a dataset of rows derives, prolog/graphlog/reasoning.pl and rows.pl, and of prolog/graphlog/proving.pl over
% a module in which they stand.

:- module(test_graphlog_truth, []).
:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(hornbeam(prolog/graphlog/proving)).

:- dynamic sample/5, world/1, rule/5, inverse/3, reads_backwards/1.
:- include(hornbeam(prolog/graphlog/rows)).
:- include(hornbeam(prolog/graphlog/reasoning)).

printed(Goal, Lines) :-
    with_output_to(string(Text), Goal),
    split_string(Text, "\n", "", Lines0),
    once(append(Lines, [""], Lines0)).

tell :-
    forall(member(Clause, [ world(w), rule(w,0,a,b,c), rule(w,1,c,b,d), rule(w,2,b,b,e), rule(w,3,a,e,f),
                            world(v), rule(v,0,a,b,c), inverse(v,a,a1), inverse(v,a1,a), reads_backwards(v) ]),
           assertz(Clause)),
    forall(row(Id, World, X, Y, Edges),
           assertz(sample(Id, World, test, unknown, graph(X,Y,Edges,[])))).

row(one,     w, 0, 2, [e(0,a,1), e(1,b,2), e(1,a,3)]).
row(none,    w, 0, 2, [e(0,b,1), e(1,a,2)]).
row(several, w, 0, 3, [e(0,a,1), e(1,b,2), e(2,b,3)]).
row(back,    v, 0, 2, [e(1,a1,0), e(1,b,2)]).
row(forth,   w, 0, 2, [e(1,a1,0), e(1,b,2)]).

forget :-
    retractall(sample(_, _, _, _, _)), retractall(world(_)), retractall(rule(_, _, _, _, _)),
    retractall(inverse(_, _, _)), retractall(reads_backwards(_)),
    abolish_module_tables(test_graphlog_truth).

:- begin_tests(graphlog_truth, [setup(tell), cleanup(forget)]).

test(what_follows_alone, Relation == c) :-
    true_answer(one, Relation).
test(nothing_follows, fail) :-
    true_answer(none, _).
test(several_follow, fail) :-
    true_answer(several, _).
test(all_that_follow, Relations == [d,f]) :-
    row_relations(several, Relations).
test(read_backwards, Relation == c) :-
    true_answer(back, Relation).
test(read_backwards_only_where_the_world_does, fail) :-
    true_answer(forth, _).
test(a_row_that_is_not_there, fail) :-
    true_answer(nowhere, _).
test(judged, all(Id == [one,none,several,back,forth])) :-
    judged(Id, unknown).
test(linked_has_every_pair, set(L-X-Y == [a-0-1, b-1-2, a-1-3, c-0-2])) :-
    linked(one, w, X, L, Y).

test(a_proof, Lines == ["c(0,2) follows by the rules of w, and no other relation does.",
                        "  c(0,2): rule 0, c(X,Z) if a(X,Y) and b(Y,Z)",
                        "    a(0,1): an edge",
                        "    b(1,2): an edge"]) :-
    printed(explain_truth(one), Lines).
test(no_proof, Lines == ["No relation of node 0 to node 2 follows from the graph by the rules of w."]) :-
    printed(explain_truth(none), Lines).
test(a_proof_of_each, Lines == ["The row has no single answer: 2 relations of node 0 to node 3 follow (d, f).",
                                "  d(0,3): rule 1, d(X,Z) if c(X,Y) and b(Y,Z)",
                                "    c(0,2): rule 0, c(X,Z) if a(X,Y) and b(Y,Z)",
                                "      a(0,1): an edge",
                                "      b(1,2): an edge",
                                "    b(2,3): an edge",
                                "  f(0,3): rule 3, f(X,Z) if a(X,Y) and e(Y,Z)",
                                "    a(0,1): an edge",
                                "    e(1,3): rule 2, e(X,Z) if b(X,Y) and b(Y,Z)",
                                "      b(1,2): an edge",
                                "      b(2,3): an edge"]) :-
    printed(explain_truth(several), Lines).
test(a_proof_that_reads_backwards, Lines == ["c(0,2) follows by the rules of v, and no other relation does.",
                                             "  c follows only with an edge or a rule that is read backwards."]) :-
    printed(explain_truth(back), Lines).
test(what_is_not_there_is_not_explained, fail) :-
    explain_truth(nowhere).

:- end_tests(graphlog_truth).

:- begin_tests(graphlog_proving).

test(in_bulk, Answers == [c,[],[d,f]]) :-
    Text = "world(u). rule(u,0,a,b,c). rule(u,1,c,b,d). rule(u,2,b,b,e). rule(u,3,a,e,f).",
    proven_relations(test_graphlog_truth, [u,Text],
                     [[one,0,2,0,a,1,1,b,2], [two,0,2,0,b,1,1,a,2], [three,0,3,0,a,1,1,b,2,2,b,3]], Answers).
test(nothing_stays_told) :-
    proven_relations(test_graphlog_truth, [u,"rule(u,0,a,b,c)."], [[one,0,2,0,a,1,1,b,2]], [c]),
    \+ sample(_, _, _, _, _),
    \+ rule(_, _, _, _, _),
    proven_relations(test_graphlog_truth, [u,"rule(u,0,a,b,d)."], [[one,0,2,0,a,1,1,b,2]], [d]).
test(lists_only, error(type_error(list, nonsense))) :-
    proven_relations(test_graphlog_truth, [u,""], nonsense, _).

:- end_tests(graphlog_proving).

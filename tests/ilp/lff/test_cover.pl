:- module(test_lff_cover, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/lff/cover)).
:- use_module(hornbeam(prolog/lff/programs)).

/** <module> What rules and programs cover */

lff_data:positive(0, v(a, _)).
lff_data:positive(1, v(b, _)).
lff_data:negative(0, v(c, _)).
lff_data:negative(1, v(e, _)).
lff_data:head(0, v(A, _), target(A)).
lff_data:literal(0, v(A, B), edge(A, B)).
lff_data:literal(1, v(_, B), good(B)).
lff_data:literal(2, v(_, B), target(B)).
lff_data:literal(3, v(A, _), good(A)).
lff_data:literal(4, v(A, _), A > 1).
lff_data:literal(5, v(A, B), same(A, B)).

:- dynamic lff_program:target/1.
lff_program:edge(a, b).
lff_program:edge(b, e).
lff_program:edge(c, d).
lff_program:good(e).
lff_program:same(X, X).
lff_program:(whole(X) :- integer(X)).
lff_program:(linked(X, Y) :- edge(X, Z), edge(Z, Y)).
lff_program:(endless(s(X)) :- endless(X)).
lff_program:endless(z).
lff_program:(graph(G) :- vertices_edges_to_ugraph([a], [a-b], G)).

task(task(lff_data, lff_program)).

:- begin_tests(cover).

test(positives_in_order, Numbers == [0, 1]) :-
    task(Task),
    positives(Task, [0], all, 1000, Numbers).
test(positives_among_some, Numbers == [1]) :-
    task(Task),
    positives(Task, [0], [1], 1000, Numbers).
test(negatives, Numbers == [0]) :-
    task(Task),
    negatives(Task, [0], all, 1000, Numbers).
test(first_negative, Numbers == [0, none]) :-
    task(Task),
    some_negative(Task, [0], 1000, First),
    some_negative(Task, [0, 1], 1000, Second),
    Numbers = [First, Second].
test(an_error_covers_nothing, Numbers == []) :-
    task(Task),
    positives(Task, [4], all, 1000, Numbers).
test(too_few_inferences, Numbers == limit) :-
    task(Task),
    positives(Task, [0, 1], all, 3, Numbers).
test(implied_on_negatives, Answers == [yes, no]) :-
    task(Task),
    implied(Task, [0], 0, 1000, First),
    implied(Task, [0], 1, 1000, Second),
    Answers = [First, Second].
test(no_answer_for_any_head, Answers == [no, yes]) :-
    task(Task),
    unanswerable(Task, [0, 1], 1000, First),
    unanswerable(Task, [0, 3], 1000, Second),
    Answers = [First, Second].

:- end_tests(cover).

:- begin_tests(rows).

test(facts, Rows == [[a, b], [b, e], [c, d]]) :-
    rows(lff_program, edge, 2, 10000, 10, Rows).
test(rules_over_facts, Rows == [[a, e]]) :-
    rows(lff_program, linked, 2, 10000, 10, Rows).
test(a_test_has_no_table, Rows == none) :-
    rows(lff_program, whole, 1, 10000, 10, Rows).
test(no_end, Rows == none) :-
    rows(lff_program, endless, 1, 10000, 10, Rows).
test(too_many, Rows == none) :-
    rows(lff_program, edge, 2, 10000, 2, Rows).

:- end_tests(rows).

:- begin_tests(programs).

test(verdicts, Verdicts == [solution, incomplete, inconsistent]) :-
    task(Task),
    verdicts(Task, false,
             [ [[0, 0, 1], [0, 0, 2]], [[0, 0, 1]], [[0, 0]] ], 500, Verdicts).
test(a_loop_on_a_negative_is_open, Verdicts == [open]) :-
    task(Task),
    verdicts(Task, false, [[[0, 0, 1], [0, 0, 2], [0, 5, 2]]], 200, Verdicts).
test(counts, Positive-Negative == [2, 1]-[1, 0]) :-
    task(Task),
    counts(Task, [[[0, 0]], [[0, 0, 1]]], 500, Positive, Negative).
test(libraries_are_there_before_a_limit_counts, [setup(warm_up(lff_program))]) :-
    call_with_inference_limit(lff_program:graph(_), 5000, Outcome),
    Outcome \== inference_limit_exceeded.
test(nothing_is_left_behind, [fail]) :-
    task(Task),
    verdicts(Task, false, [[[0, 0]]], 500, _),
    clause(lff_program:target(_), _).

:- end_tests(programs).

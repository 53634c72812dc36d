:- module(test_kandy_session, []).

:- use_module(library(plunit)).
:- use_module('../../../kb/kandy/natural/full', []).
:- use_module('../../../kb/kandy/tasks/easy_00_triangle', []).
:- use_module('../../../prolog/kandy/session',
              [ encode_scenes/1, explain/2, rule/1, score/1, wrong/1, wrong/4 ]).

% A dataset of one task, as load.pl makes it in module user.

:- dynamic user:sample/5, user:task/4, user:valid/1.

dataset :-
    clear,
    assertz(user:task(0, t00_triangle, easy_00_triangle, "a triangle")),
    assertz(user:sample(s0, t00_triangle, train, 1, in([triangle_red_small]))),
    assertz(user:sample(s1, t00_triangle, train, 0, in([circle_red_small]))),
    assertz(user:sample(s2, t00_triangle, test, 0, in([stack([triangle_red_small])]))).

clear :-
    retractall(user:sample(_, _, _, _, _)),
    retractall(user:task(_, _, _, _)),
    retractall(user:valid(_)).

%   A rule of a person's own: any triangle, at any depth.
own_rule :-
    assertz((user:valid(Node) :- kandy_natural_full:recursive_contains(Node, Object),
                                 kandy_natural_full:extract_shape(Object, triangle))).

printed(Goal, Text) :-
    with_output_to(string(Text), Goal).

:- begin_tests(kandy_session, [setup(dataset), cleanup(clear)]).

test(no_rule_of_ones_own, error(existence_error(procedure, valid/1))) :-
    wrong(0).
test(wrong_samples, [setup(own_rule), cleanup(retractall(user:valid(_))), all(Split-Id-Label == [test-s2-0])]) :-
    wrong(0, Split, Id, Label).
test(a_task_has_three_names, [ setup(own_rule), cleanup(retractall(user:valid(_))),
                               forall(member(Task, [0, t00_triangle, easy_00_triangle])) ]) :-
    printed(wrong(Task), Text),
    once(sub_string(Text, _, _, _, "test: s2 is not valid, valid/1 holds")),
    once(sub_string(Text, _, _, _, "1 of 3 samples of t00_triangle are wrong.")).
test(score, [setup(own_rule), cleanup(retractall(user:valid(_)))]) :-
    printed(score(0), Text),
    Text == "  train   2 of 2 right (1.000)\n  test    0 of 1 right (0.000)\n".
test(explain_mine, [setup(own_rule), cleanup(retractall(user:valid(_)))]) :-
    printed(explain(mine, s2), Text),
    once(sub_string(Text, _, _, _, "valid(Picture) holds:")).
test(explain_the_truth) :-
    printed(explain(0, s2), Text),
    once(sub_string(Text, _, _, _, "- extract_shape(A, triangle)")).
test(explain_a_tree) :-
    printed(explain(0, in([triangle_blue_small])), Text),
    once(sub_string(Text, _, _, _, "+ extract_shape(triangle_blue_small, triangle)")).
test(no_such_sample, error(existence_error(sample, s9))) :-
    explain(0, s9).
test(no_such_task, error(domain_error(kandy_task, nine))) :-
    rule(nine).
test(the_true_rule) :-
    printed(rule(0), Text),
    once(sub_string(Text, _, _, _, "extract_shape(Object, triangle)")).
test(pointer_encoding, all(Operator-Children == [in-[circle_red_small]])) :-
    printed(encode_scenes(0), _),
    kandy_scenes:sample_is(s1, Node),
    kandy_scenes:defined_as(Node, Operator, Children).

:- end_tests(kandy_session).

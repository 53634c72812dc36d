:- module(test_kandy_session, []).

:- use_module(library(plunit)).
:- use_module(hornbeam(kb/kandy/natural/full), []).
:- use_module(hornbeam(kb/kandy/tasks/easy_00_triangle), []).
:- use_module(hornbeam(prolog/kandy/session),
              [ encode_scenes/1, explain_mine/1, explain_truth/1, judged/2, mine_answer/2, rule/1,
                task_named/2, theory_predicates/1, true_answer/2
              ]).

% A dataset of one task with a rule and one without, as load.pl makes it in module user.

:- dynamic user:sample/5, user:task/4, user:true_rule/2, user:valid/1, mine:valid/1.

dataset :-
    clear,
    assertz(user:task(0, t00_triangle, easy_00_triangle, "a triangle")),
    assertz(user:task(1, t01_anything, none, "anything")),
    assertz((user:true_rule(t00_triangle, Tree) :- once(kandy_easy_00_triangle:valid(Tree)))),
    assertz(user:sample(s0, t00_triangle, train, 1, in([triangle_red_small]))),
    assertz(user:sample(s1, t00_triangle, train, 0, in([circle_red_small]))),
    assertz(user:sample(s2, t00_triangle, test, 0, in([stack([triangle_red_small])]))),
    assertz(user:sample(s3, t01_anything, test, none, in([circle_red_small]))).

clear :-
    retractall(user:sample(_, _, _, _, _)),
    retractall(user:task(_, _, _, _)),
    retractall(user:true_rule(_, _)),
    retractall(mine:valid(_)).

%   A rule of a person's own: any triangle, at any depth.
own_rule :-
    assertz((mine:valid(Node) :- kandy_natural_full:recursive_contains(Node, Object),
                                 kandy_natural_full:extract_shape(Object, triangle))).

printed(Goal, Text) :-
    with_output_to(string(Text), Goal).

:- begin_tests(kandy_session, [setup(dataset), cleanup(clear)]).

test(the_truth_answers, all(Id-Answer == [s0-1, s1-0, s2-0])) :-
    member(Id, [s0, s1, s2]),
    true_answer(Id, Answer).
test(a_task_without_a_rule_has_no_true_answer, fail) :-
    true_answer(s3, _).
test(a_label_that_is_none_is_not_judged, all(Id-Expected == [s0-1, s1-0, s2-0])) :-
    judged(Id, Expected).
test(own_answers, [setup(own_rule), cleanup(retractall(mine:valid(_))), all(Id-Answer == [s0-1, s1-0, s2-1])]) :-
    member(Id, [s0, s1, s2]),
    mine_answer(Id, Answer).
test(a_theory_is_valid_1) :-
    theory_predicates([valid/1]).
test(a_task_has_three_names, [forall(member(Task, [0, t00_triangle, easy_00_triangle])), Name == t00_triangle]) :-
    task_named(Task, Name).
test(no_such_task, fail) :-
    task_named(nine, _).
test(explain_mine, [setup(own_rule), cleanup(retractall(mine:valid(_)))]) :-
    printed(explain_mine(s2), Text),
    once(sub_string(Text, _, _, _, "valid(Picture) holds:")).
test(explain_the_truth) :-
    printed(explain_truth(s2), Text),
    once(sub_string(Text, _, _, _, "- extract_shape(A, triangle)")).
test(explain_where_there_is_no_rule) :-
    printed(explain_truth(s3), "Task t01_anything has no rule.\n").
test(the_true_rule) :-
    printed(rule(0), Text),
    once(sub_string(Text, _, _, _, "extract_shape(Object, triangle)")).
test(the_rule_of_no_task_is_one_line) :-
    printed(\+ rule(nine), Text),
    Text == "There is no task nine. The tasks are: [t00_triangle,t01_anything].\n".
test(pointer_encoding, all(Operator-Children == [in-[circle_red_small]])) :-
    printed(encode_scenes(0), _),
    kandy_scenes:sample_is(s1, Node),
    kandy_scenes:defined_as(Node, Operator, Children).

:- end_tests(kandy_session).

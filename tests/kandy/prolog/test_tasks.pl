:- module(test_kandy_tasks, []).

:- use_module(library(plunit)).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [member/2]).
:- use_module(task_cases, [case/3]).
:- use_module(hornbeam(prolog/kandy/labels), [holds/2, labels/4, pointer_labels/4]).
:- use_module(hornbeam(prolog/kandy/rules), [rule_module/3]).
:- use_module(hornbeam(kb/kandy/tasks), [task/4]).

:- begin_tests(kandy_tasks).

test(twenty_easy_and_eighteen_hard, Counts == [20, 18]) :-
    findall(Count,
            ( member(Curriculum, [easy, hard]),
              aggregate_all(count, task(_, Curriculum, _, _), Count)
            ),
            Counts).

test(indices_count_up, [forall(member(Curriculum-Last, [easy-19, hard-17])), Indices == Expected]) :-
    findall(Index, task(_, Curriculum, Index, _), Indices),
    numlist(0, Last, Expected).

test(each_task_has_three_of_each, [forall(task(Rule, _, _, _))]) :-
    forall(member(Label, [0, 1]),
           ( aggregate_all(count, case(Rule, Label, _), Count),
             Count >= 3
           )).

test(each_case_has_a_task, [forall(case(Rule, _, _))]) :-
    once(task(Rule, _, _, _)).

test(natural, [forall(case(Rule, Label, Tree)), Labels == [Label]]) :-
    labels(Rule, [Tree], 100_000, Labels).

test(pointer, [forall(case(Rule, Label, Tree)), Labels == [Label]]) :-
    pointer_labels(Rule, [Tree], 100_000, Labels).

test(a_batch_is_labelled_in_order, [forall(task(Rule, _, _, _)), Labels-Pointers == Expected-Expected]) :-
    findall(Tree, case(_, _, Tree), Trees),
    labels(Rule, Trees, 100_000, Labels),
    pointer_labels(Rule, Trees, 100_000, Pointers),
    findall(Label, ( member(Tree, Trees), ( holds(Rule, Tree) -> Label = 1 ; Label = 0 ) ), Expected).

test(rules_are_apart, [forall(task(Rule, _, _, _))]) :-
    rule_module(Rule, natural, Natural),
    rule_module(Rule, pointer, Pointer),
    Natural \== Pointer,
    module_property(Natural, exports([valid/1])).

:- end_tests(kandy_tasks).

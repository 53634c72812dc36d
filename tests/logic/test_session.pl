:- module(test_session, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/session)).

/** <module> The words that every dataset has, over a dataset of four numbers */

:- dynamic user:even/1.

user:sample(one,   parity, train, no,  1).
user:sample(two,   parity, train, yes, 2).
user:sample(three, parity, test,  no,  3).
user:sample(noted, notes,  test,  none, 4).

user:judged(Id, Label) :- user:sample(Id, _, _, Label, _), Label \== none.

user:true_answer(Id, Answer) :-
    user:sample(Id, _, _, _, Number),
    (   Number mod 2 =:= 0 -> Answer = yes ; Answer = no ).

user:mine_answer(Id, Answer) :-
    user:sample(Id, _, _, _, Number),
    (   mine:even(Number) -> Answer = yes ; Answer = no ).

user:theory_predicates([even/1]).
user:explain_truth(Id) :- format("the truth of ~w~n", [Id]).
user:explain_mine(Id) :- format("mine of ~w~n", [Id]).

said(Goal, Text) :-
    with_output_to(string(Text), ignore(Goal)).

typed(Clauses) :-
    retractall(user:even(_)),
    forall(member(Clause, Clauses), assertz(user:Clause)).

:- begin_tests(session).

test(a_wrong_id_is_one_plain_line, true(Text == "There is no sample four. The first is one.\n")) :-
    said(explain(four), Text).
test(a_wrong_id_fails, fail) :-
    said_and_fails(explain(four)).
test(no_theory_is_one_plain_line, [setup(typed([])), true(sub_string(Text, 0, _, _, "There is no theory"))]) :-
    said(score, Text).
test(an_unknown_task_names_the_tasks, [setup(typed([even(2)])), true(Text == "There is no task odd. The tasks are: [notes,parity].\n")]) :-
    said(wrong(odd), Text).
test(an_undefined_predicate_is_named,
     [setup(typed([(even(N) :- halves(N))])), true(Text == "halves/1 is not defined, but a rule calls it.\n")]) :-
    said(score, Text).
test(explains_the_truth, true(Text == "the truth of two\n")) :-
    said(explain(two), Text).
test(explains_mine, [setup(typed([even(2)])), true(Text == "mine of two\n")]) :-
    said(explain(mine, two), Text).
test(typed_rules_are_mine, [setup(typed([even(2)])), all(Id-Answer == [one-no, two-yes, three-no])]) :-
    mine(Id, Answer).
test(a_right_theory_has_nothing_wrong, [setup(typed([even(2)])), true(Text == "0 of 3 samples are wrong.\n")]) :-
    said(wrong(parity), Text).
test(wrong_names_the_samples, [setup(typed([even(2), even(3)])), true(sub_string(Text, _, _, _, "test: three is no, mine says yes"))]) :-
    said(wrong, Text).
test(score_counts_by_split,
     [setup(typed([even(2), even(3)])), true((sub_string(Text, _, _, _, "2 of 2 right"), sub_string(Text, _, _, _, "0 of 1 right")))]) :-
    said(score(parity), Text).
test(compare_finds_what_differs,
     [setup(typed([even(3)])), true(sub_string(Text, _, _, _, "2 of 3 samples differ."))]) :-
    said(compare, Text).
test(compare_does_not_call_agreement_a_proof,
     [setup(typed([even(2)])), true(sub_string(Text, 0, _, _, "No difference in 3 samples."))]) :-
    said(compare, Text).
test(a_rule_that_does_not_end_answers_nothing,
     [setup(typed([(even(N) :- even(N))])), true(sub_string(Text, _, _, _, "mine says nothing"))]) :-
    said(wrong, Text).
test(a_file_is_loaded_in_place_of_the_last, true(Texts == ["1 of 3 samples are wrong.", "0 of 3 samples are wrong."])) :-
    typed([]),
    tmp_file_stream(First, FirstOut, [extension(pl)]),
    format(FirstOut, ":- module(mine, []).~neven(7).~n", []), close(FirstOut),
    tmp_file_stream(Second, SecondOut, [extension(pl)]),
    format(SecondOut, ":- module(mine, []).~neven(2).~n", []), close(SecondOut),
    findall(Last,
            ( member(File, [First, Second]),
              mine(File),
              said(wrong, Text),
              split_string(Text, "\n", "", Lines),
              member(Last, Lines), sub_string(Last, _, _, 0, "samples are wrong.") ),
            Texts),
    unload_file(Second).
test(a_missing_file_is_one_plain_line, true(Text == "There is no file nowhere.pl.\n")) :-
    said(mine('nowhere.pl'), Text).

said_and_fails(Goal) :-
    with_output_to(string(_), Goal).

:- end_tests(session).

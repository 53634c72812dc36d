% Tests of what a dataset of stories derives: prolog/clutrr/background.pl, reasoning.pl and english.pl over the base
% theory, and prolog/clutrr/proving.pl over a module in which they stand.

:- module(test_truth, []).
:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(error)).
:- use_module(hornbeam(prolog/clutrr/theory), []).
:- use_module(hornbeam(prolog/clutrr/proving)).

:- dynamic sample/5, story/2, fact/4, noise/5, person/3, family/2.
:- include(hornbeam(prolog/clutrr/background)).

% In a dataset there is one theory, whatever its name.
theory_relation(_, R, Male, Female, Generation) :- clutrr_theory:theory_relation([base], R, Male, Female, Generation).
theory_inverse(_, R, Inverse) :- clutrr_theory:theory_inverse([base], R, Inverse).
theory_rule(_, R, S, T) :- clutrr_theory:theory_rule([base], R, S, T).

tell(Id, X-Y, Facts, Women) :-
    assertz(sample(Id, '1.2', test, unknown, query(X,Y))),
    forall(member(Word-A-B, Facts), assertz(fact(Id, Word, A, B))),
    findall(P, ( member(_-A-B, Facts), member(P, [A,B]) ), Named),
    sort(Named, Persons),
    forall(member(P, Persons),
           ( memberchk(P, Women) -> assertz(person(Id, P, female)) ; assertz(person(Id, P, male)) )).

forget :-
    retractall(sample(_, _, _, _, _)),
    retractall(fact(_, _, _, _)),
    retractall(person(_, _, _)),
    abolish_module_tables(test_truth).

printed(Goal, Lines) :-
    with_output_to(string(Text), Goal),
    split_string(Text, "\n", "", Lines0),
    once(append(Lines, [""], Lines0)).

:- begin_tests(clutrr_truth, [setup(stories), cleanup(forget)]).

stories :-
    tell(grandmother, ann-cora, [mother-ann-bea, mother-bea-cora], [ann,bea,cora]),
    tell(grandfather, ann-carl, [mother-ann-bea, father-bea-carl], [ann,bea]),
    tell(turned, carl-ann, [mother-ann-bea, father-bea-carl], [ann,bea]),
    % A child's grandparent may be a parent or a parent-in-law.
    tell(open, ann-dan, [son-ann-bob, grandfather-bob-dan], [ann]),
    tell(apart, ann-dan, [son-ann-bob, brother-carl-dan], [ann]),
    % No family has these.
    tell(two, ann-carl, [mother-ann-bea, father-bea-carl, brother-ann-dan, father-dan-carl], [ann,bea]),
    tell(noisy, ann-cora, [mother-ann-bea, mother-bea-cora, sister-ann-dora, grandmother-dora-cora, son-cora-edd],
         [ann,bea,cora,dora]).

test(the_gender_of_the_second_person_gives_the_word, Word == grandmother) :-
    true_answer(grandmother, Word).
test(another_gender_another_word, Word == grandfather) :-
    true_answer(grandfather, Word).
test(facts_are_read_in_both_directions, Word == granddaughter) :-
    true_answer(turned, Word).
test(noise_changes_nothing, Word == grandmother) :-
    true_answer(noisy, Word).
test(nothing_follows, fail) :-
    true_answer(open, _).
test(nothing_joins_the_two, fail) :-
    true_answer(apart, _).
test(several_words_are_no_answer, fail) :-
    true_answer(two, _).
test(all_words_that_follow, Words == ['brother-in-law',father,grandfather]) :-
    answer_words(two, Words).
test(a_story_that_is_not_there, fail) :-
    true_answer(nobody, _).
test(the_label_is_not_looked_at, Word == grandmother) :-
    sample(grandmother, _, _, unknown, _),
    true_answer(grandmother, Word).
test(judged_states_the_label, all(Id == [grandmother,grandfather,turned,open,apart,two,noisy])) :-
    judged(Id, unknown).

test(an_explanation_is_a_proof, Lines == ["1. bea is the mother of ann. The story says so.",
                                          "2. cora is the mother of bea. The story says so.",
                                          "3. So cora is the grandmother of ann, by 1 and 2: \c
                                              the mother of a mother is a grandmother."]) :-
    printed(explain_truth(grandmother), Lines).
test(nothing_is_explained, Lines == ["Nothing follows from the story about what dan is to ann."]) :-
    printed(explain_truth(open), Lines).
test(each_of_several_is_proven, [First,Last] ==
         ["The story has no single answer: 3 follow (brother-in-law, father, grandfather).",
          "3. So carl is the grandfather of ann, by 1 and 2: the father of a mother is a grandfather."]) :-
    printed(explain_truth(two), Lines),
    Lines = [First|_],
    last(Lines, Last).
test(what_is_not_there_is_not_explained, fail) :-
    explain_truth(nobody).
test(any_two_persons_are_explained, Lines == ["1. ann is the daughter of bea. The story says that bea is the mother of ann."]) :-
    printed(once(explain_kin(grandmother, bea-ann)), Lines).

test(all_that_follows, set(Word-X-Y == [mother-ann-bea, daughter-bea-ann, mother-bea-cora, daughter-cora-bea,
                                        grandmother-ann-cora, granddaughter-cora-ann])) :-
    kin(grandmother, Word, X, Y).
test(every_relation_has_a_proof) :-
    findall(R-X-Y, related(theory, noisy, R, X, Y), All),
    All = [_|_],
    forall(member(R-X-Y, All), shortest_proof(theory, noisy, R, X, Y, _)).

:- end_tests(clutrr_truth).

% The closure against its plain definition, on families of every relation of the base.
:- begin_tests(clutrr_closure, [cleanup(forget)]).

:- table plainly/4.

plainly(Id, R, X, Y) :- said(theory, Id, R, X, Y).
plainly(Id, R, X, Z) :-
    plainly(Id, First, X, Y),
    theory_rule(theory, First, Second, R),
    plainly(Id, Second, Y, Z),
    X \== Z.

story(chain,  [mother-a-b, brother-b-c, son-c-d, wife-d-e, father-e-f, sister-f-g]).
story(star,   [mother-a-b, father-a-c, brother-a-d, wife-a-e, son-a-f, father-e-g, daughter-d-h]).
story(circle, [wife-a-b, son-b-c, father-c-a, mother-a-d, husband-d-e]).
story(apart,  [mother-a-b, son-c-d, sister-d-e]).
story(false,  [mother-a-b, wife-b-a, son-a-b, brother-b-c]).

test(every_relation_once_and_no_other, [forall(story(Id, Facts)), true(Found == Expected)]) :-
    tell(Id, a-b, Facts, []),
    findall(R-X-Y, plainly(Id, R, X, Y), All),
    sort(All, Expected),
    Expected = [_|_],
    findall(R-X-Y, related(theory, Id, R, X, Y), Unsorted),
    msort(Unsorted, Found).

:- end_tests(clutrr_closure).

:- begin_tests(clutrr_proving).

test(in_bulk, Answers == [grandmother,[],['brother-in-law',father,grandfather]]) :-
    proven_answers(test_truth,
                   [ [one, ann, cora, [mother,ann,bea, mother,bea,cora], [ann,female, bea,female, cora,female]],
                     [two, ann, dan, [son,ann,bob, grandfather,bob,dan], [ann,female, bob,male, dan,male]],
                     [three, ann, carl, [mother,ann,bea, father,bea,carl, father,ann,carl], [ann,female, bea,female, carl,male]]
                   ], Answers).
test(nothing_stays_told) :-
    proven_answers(test_truth, [[one, ann, bea, [mother,ann,bea], [ann,female, bea,female]]], _),
    \+ sample(_, _, _, _, _),
    \+ fact(_, _, _, _),
    \+ person(_, _, _).
test(nothing_stays_told_of_a_shard_that_is_broken) :-
    \+ proven_answers(test_truth, [[one, ann, bea, [mother,ann,bea], [ann,female]], [two]], _),
    \+ sample(_, _, _, _, _),
    \+ fact(_, _, _, _).
test(lists_only, error(type_error(list, nonsense))) :-
    proven_answers(test_truth, nonsense, _).

:- end_tests(clutrr_proving).

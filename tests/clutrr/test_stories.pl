:- module(test_stories, []).
:- use_module(library(plunit)).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [member/2, same_length/2]).

:- use_module(hornbeam(prolog/clutrr/reading)).
:- use_module(hornbeam(prolog/clutrr/theory)).
:- use_module(hornbeam(kb/clutrr/phrasings)).
:- use_module(hornbeam(kb/clutrr/names)).

:- begin_tests(clutrr_phrasings).

test(eight_or_more_of_each_relation, [forall(theory_relation([base], Relation, _, _, _))]) :-
    aggregate_all(count, phrasing(Relation, _), Count),
    Count >= 8.
test(eight_or_more_of_chains, [forall(member(Size, [2,3]))]) :-
    aggregate_all(count, phrasing(chain(Size), _), Count),
    Count >= 8.
test(no_text_twice) :-
    findall(Text, phrasing(_, Text), Texts),
    sort(Texts, Distinct),
    same_length(Texts, Distinct).
test(three_hundred_names) :-
    aggregate_all(count, name(_, _), Count),
    Count >= 300.
test(a_name_has_one_gender) :-
    \+ ( name(male, Name), name(female, Name) ).

:- end_tests(clutrr_phrasings).

:- begin_tests(clutrr_story).

test(one_fact, all(Facts == [[fact(father,'Ann','Bob')]])) :-
    story_facts([base], "[Ann] asked her father [Bob] for help with a broken bicycle.", Facts).
test(names_without_brackets, all(Facts == [[fact(uncle,'Ann','Carl')]])) :-
    story_facts([base], "Ann's uncle Carl runs a small bookshop.", Facts).
test(placeholders, all(Facts == [[fact(aunt,'@ent3','@ent4'), fact(son,'@ent4','@ent5')]])) :-
    story_facts([base], "@ent3 has an aunt, @ent4. @ent4 has a son, @ent5.", Facts).
test(wrong_article, fail) :-
    story_facts([base], "@ent3 has a aunt, @ent4. @ent4 has a son, @ent5.", _).
test(wrong_pronoun_for_the_name, fail) :-
    story_facts([base], "[Ann] asked his father [Bob] for help with a broken bicycle.", _).
test(pronouns_that_contradict_each_other, fail) :-
    story_facts([base], "@e1 looks just like her father @e2. @e1 bought a kite for his son @e3.", _).
test(word_and_pronoun_disagree, fail) :-
    story_facts([base], "@e1 cheered loudest when @e2 scored. She is her son.", _).
test(phrasing_of_another_relation, fail) :-
    story_facts([base], "[Ann] asked her brother [Bob] for help with a broken bicycle.", _).
test(a_word_of_an_absent_pack, fail) :-
    story_facts([base], "[Ann] had coffee with her cousin [Carl].", _).
test(a_word_of_a_pack, all(Facts == [[fact(cousin,'Ann','Carl')]])) :-
    story_facts([base,cousins], "[Ann] had coffee with her cousin [Carl].", Facts).
test(in_bulk, Readings == [[[8,[[father,'Ann','Bob']]]], unreadable(0), unreadable(8)]) :-
    Known = '[Ann] looks just like her father [Bob].',
    atom_concat(Known, ' Once upon a time.', Longer),
    stories_parts([base], [Known, 'Once upon a time.', Longer], Readings).
test(text_only, error(type_error(string, 7))) :-
    story_facts([base], 7, _).

:- end_tests(clutrr_story).

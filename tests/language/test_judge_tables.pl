:- module(test_judge_tables, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/judge/tables)).

:- begin_tests(judge_tables, [setup(forget_lines)]).


fact(compose(_, _, _)).

facts(Line, Facts) :- line_facts(fact, Line, Facts).

test(a_fact, Facts == [compose(a, b, c)]) :- facts("compose(a, b, c).", Facts).
test(two_facts_in_a_line, Facts == [compose(a, b, c), compose(b, a, c)]) :- facts("compose(a, b, c). compose(b, a, c).", Facts).
test(a_comment_says_nothing, Facts == []) :- facts("% compose(a, b, c).", Facts).
test(another_predicate, fail) :- facts("converse(a, b).", _).
test(a_rule, fail) :- facts("compose(a, b, c) :- halt.", _).
test(half_a_clause, fail) :- facts("compose(a, b,", _).
test(a_comment_that_goes_on, fail) :- facts("compose(a, b, c). /* and", _).
test(a_quote_that_goes_on, fail) :- facts("compose('a, b, c).", _).
test(the_end_of_the_text, fail) :- facts("compose(a, b, c). end_of_file.", _).
test(an_escape, fail) :- facts("compose('\\x61\\', b, c).", _).
test(lines_are_kept_in_order, Facts == [compose(b, b, b), compose(a, a, a)]) :-
    keep_line([compose(a, a, a)], First),
    keep_line([compose(b, b, b)], Second),
    kept_facts([Second, First], Facts).
test(forgotten_lines_are_unknown, fail) :-
    keep_line([compose(a, a, a)], Number),
    forget_lines,
    kept_facts([Number], _).

:- end_tests(judge_tables).

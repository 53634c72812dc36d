:- module(test_judge_tables, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/judge/tables)).
:- use_module(hornbeam(prolog/networks/reasoning), [facts_table/2]).

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

test(plain_lines, Facts == [compose(a, b, c), compose(b, 'C d', c)]) :-
    plain_facts(fact, ["compose(a, b, c).", "compose(b,'C d',c)."], Facts).
test(a_plain_line_of_another_predicate, fail) :- plain_facts(fact, ["compose(a, b, c).", "converse(a, b)."], _).
test(a_line_with_two_facts_is_not_plain, fail) :- plain_facts(fact, ["compose(a, b, c). compose(b, b, b).", ""], _).
test(a_fact_over_two_lines_is_not_plain, fail) :- plain_facts(fact, ["compose(a, b,", "c)."], _).
test(a_fact_that_ends_in_the_next_line_is_not_plain, fail) :-
    plain_facts(fact, ["compose(a, b, c)", ". compose(a, b, c).", "compose(a, b, c)."], _).
test(no_plain_fact, fail) :- plain_facts(fact, ["compose(a, b, c) :- ,."], _).

%   A table is the same, however it is made.

lines(Facts, Numbers) :- forall(member(Fact, Facts), keep_line([Fact], _)), findall(N, between_lines(Facts, N), Numbers).

between_lines(Facts, Number) :- length(Facts, Count), Last is Count-1, between(0, Last, Number).

test(a_table_of_kept_lines, [forall(member(Names, [[p, g], [g, p], [p]])), Table == Expected]) :-
    forget_lines,
    number_relations(Names),
    Facts = [reading(function), relation(p), relation(g), converse(p, g), compose(p, p, g), compose(g, p, p), compose(p, p, p)],
    lines(Facts, Numbers),
    kept_table(facts_table, Numbers, Table),
    facts_table(Facts, Expected).

test(a_table_without_relations, [forall(member(First, [answers(one), reading(sets)])), Table == Expected]) :-
    forget_lines,
    number_relations([p, g]),
    Facts = [First, compose(p, p, g), compose(p, p, p)],
    lines(Facts, Numbers),
    kept_table(facts_table, Numbers, Table),
    facts_table(Facts, Expected).

:- end_tests(judge_tables).

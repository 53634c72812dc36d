:- module(test_networks_reasoning, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/networks/reasoning)).

/** <module> A learned theory in plain swipl */

theory(kin, [compose(father, mother, grandmother), compose(brother, grandmother, grandmother)]).
theory(order, [reading(sets), answers(one), relation(before), relation(same), relation(after), identity(same),
               converse(before, after), converse(after, before), converse(same, same)|Cells]) :-
    findall(compose(R, S, T), ( composition(R, S, Ts), member(T, Ts) ), Cells).

composition(before, before, [before]).
composition(after, after, [after]).
composition(same, R, [R]) :- member(R, [before, same, after]).
composition(R, same, [R]) :- member(R, [before, after]).
composition(before, after, [before, same, after]).
composition(after, before, [before, same, after]).

table_of(Name, Table) :-
    theory(Name, Facts),
    facts_table(Facts, Table).

answered(Name, Edges, Query, Relations-By) :-
    table_of(Name, Table),
    network_answer(Table, Edges, Query, Relations, By).

:- begin_tests(networks_reasoning).

test(bracketing, Answer == [grandmother]-closure) :-
    answered(kin, [edge(0, [brother], 1), edge(1, [father], 2), edge(2, [mother], 3)], 0-3, Answer).
test(nothing_follows, Answer == [father]-first_of_all) :-
    answered(kin, [edge(0, [mother], 1), edge(1, [father], 2)], 0-2, Answer).
test(backwards, Answer == [before]-closure) :-
    answered(order, [edge(b, [after], a), edge(b, [before], c)], a-c, Answer).
test(intersection, Answer == [same]-closure) :-
    answered(order, [edge(a, [before, same], b), edge(a, [same], c), edge(c, [same, after], b)], a-b, Answer).
test(several, Answer == [before]-first_of_all) :-
    answered(order, [edge(a, [before], b), edge(b, [after], c)], a-c, Answer).
test(contradiction, Answer == [before]-most_votes) :-
    answered(order, [ edge(a, [before], b), edge(b, [before], d), edge(a, [after], c), edge(c, [after], d),
                      edge(a, [before], d) ], a-d, Answer).
test(unknown_relation, error(existence_error(relation, aunt), _)) :-
    answered(kin, [edge(0, [aunt], 1)], 0-1, _).
test(no_theory, error(existence_error(theory, []), _)) :-
    facts_table([], _).
test(the_same_node, Answer == [father]-first_of_all) :-
    answered(kin, [edge(0, [father], 1), edge(1, [mother], 0)], 0-0, Answer).
test(proof, Lines == ["0 -father-> 1 is an edge.", "1 -mother-> Eve is an edge.",
                      "So 0 -grandmother-> Eve, by compose(father,mother,grandmother).",
                      "0 to Eve: grandmother, by these compositions."]) :-
    table_of(kin, Table),
    network_lines(Table, [edge(0, [father], 1), edge(1, [mother], 2-'Eve')], 0-(2-'Eve'), Lines).
test(cuts, Lines == ["a to c through b: before then same|after gives anything; with what was known: before.",
                     "a to c: before, by these compositions."]) :-
    table_of(order, Table),
    network_lines(Table, [edge(a, [before], b), edge(b, [same, after], c), edge(a, [before], c)], a-c, Lines).

:- end_tests(networks_reasoning).

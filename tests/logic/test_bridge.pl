:- module(test_bridge, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/bridge)).

query(Goal, Mode, Limits, Reply) :-
    serve(query, -(user, Goal, [], Mode, Limits, trusted), Reply).

:- begin_tests(bridge, [cleanup(serve(unload, scratch, _))]).

test(all_answers, true(Reply == -(ok, -(['X'], [[1], [2]])))) :-
    query('member(X, [1, 2])', all, [], Reply).
test(no_answer, true(Reply == -(ok, -([], [])))) :-
    query('fail', all, [], Reply).
test(underscored_variables_are_not_reported, true(Reply == -(ok, -(['X'], [[1]])))) :-
    query('_Y = 1, X = _Y', once, [], Reply).
test(given_values, true(Reply == -(ok, -(['X', 'Y'], [[a, a]])))) :-
    serve(query, -(user, 'X = Y', [-('Y', a)], once, [], trusted), Reply).
test(syntax_error, true(Kind == syntax)) :-
    query('foo(', once, [], -(error, Kind, _, _, _, _, _)).
test(unknown_predicate_names_no_module_of_ours, true(Message == 'Unknown procedure: no_such_thing/0')) :-
    query(no_such_thing, once, [], -(error, unknown, Message, _, _, _, _)).
test(inference_limit, true(Kind == inferences)) :-
    query('repeat, fail', ask, [-(inferences, 10000)], -(error, Kind, _, _, _, _, _)).
test(time_limit, true(Kind == time)) :-
    query('repeat, fail', ask, [-(seconds, 0.1)], -(error, Kind, _, _, _, _, _)).
test(stack_limit, true(Kind == stack)) :-
    query('length(_, 10000000)', ask, [-(stack, 4000000)], -(error, Kind, _, _, _, _, _)).
test(the_stack_limit_is_put_back, true(Before == After)) :-
    current_prolog_flag(stack_limit, Before),
    query('length(_, 10000000)', ask, [-(stack, 4000000)], _),
    current_prolog_flag(stack_limit, After).
test(answer_limit, true(Rows == [[1], [2]])) :-
    query('between(1, inf, X)', all, [-(answers, 2)], -(ok, -(_, Rows))).
test(rows, true(Reply == -(ok, [0, 1]))) :-
    serve(many, -(user, 'X > 1', ['X'], [1, 2], [], ask, [], trusted), Reply).
test(a_bad_row_costs_its_own_result, true(Kinds == [1, error, 0.5])) :-
    serve(many, -(user, 'Y is 1 / X', ['X'], [1, 0, 2], ['Y'], once, [-(inferences, 1000)], trusted), -(ok, Results)),
    findall(Kind, ( member(Result, Results), ( compound(Result) -> arg(1, Result, Kind) ; Kind = Result ) ), Kinds).
test(a_row_without_an_answer, true(Reply == -(ok, [-(no)]))) :-
    serve(many, -(user, 'member(Y, X)', ['X'], [[]], ['Y'], once, [], trusted), Reply).
test(no_row_clause_is_left_behind, fail) :-
    serve(many, -(user, 'X > 1', ['X'], [a], [], ask, [], trusted), _),
    clause(hornbeam_bridge:row_goal(_, _), _).
test(sandboxed_goal_is_refused, true(Kind == sandbox)) :-
    serve(query, -(user, 'shell(ls)', [], ask, [], sandboxed), -(error, Kind, _, _, _, _, _)).
test(load_and_unload, true(Kind == unknown)) :-
    serve(load, -(scratch, -(text, 'a.pl', "p(1)."), true), -(ok, scratch)),
    serve(query, -(scratch, 'p(X)', [], all, [], trusted), -(ok, -(_, [[1]]))),
    serve(unload, scratch, -(ok, [])),
    serve(query, -(scratch, 'p(X)', [], all, [], trusted), -(error, Kind, _, _, _, _, _)).

:- end_tests(bridge).

:- module(test_outside, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/admission), [admit/4]).
:- use_module(hornbeam(prolog/depth), [too_deep/3]).
:- use_module(hornbeam(prolog/limits), [call_limited/2, limit_met/2]).
:- use_module(hornbeam(prolog/outside), [load_outside_text/3]).
:- use_module(hornbeam(prolog/purity), [called/2, impure_call/2]).

refused(Term) :-
    catch(admit(Term, outside, none, _), hornbeam_refused(_, _), true).

:- begin_tests(admission).

test(a_fact, true(Load == [p(a)])) :-
    admit(p(a), outside, none, Load).
test(a_grammar_rule_is_translated, true(Load =@= [(p(X, Y) :- q(X, Y))])) :-
    admit((p --> q), outside, none, Load).
test(declarations, true(Load == [(:- dynamic(p/1)), (:- table((q/1)))])) :-
    admit((:- dynamic(p/1), table(q/1)), outside, none, Load).
test(the_banner_of_a_dataset_is_dropped, true(Load == [])) :-
    admit((:- initialization(help_dataset)), user, -('/data', '/data'), Load).
test(refused, forall(member(Term, [ _, 3, "text", [a], (:- _), (:- shell(ls)), (:- dynamic(_)), (:- table(p(po(q)))),
                                    (_ :- true), m:p, (m:p :- q), portray(_), (portray(_) :- true), (:- m:dynamic(p/1)),
                                    (:- use_module(library(_))), (:- use_module(_)), (:- op(700, xfx, m:o)) ]))) :-
    refused(Term).

:- end_tests(admission).

:- begin_tests(outside, [cleanup(abolish(outside:p/1))]).

test(text_is_loaded, all(X == [1, 2])) :-
    load_outside_text(outside:test_outside_text, "p(1).\np(2).\n", []),
    outside:p(X).

:- end_tests(outside).

:- begin_tests(limits).

test(a_limit_is_sealed, true(Kind == inferences)) :-
    catch(call_limited(catch(( repeat, fail ), _, true), [-(inferences, 1000)]), Ball, true),
    limit_met(Ball, Kind).
test(a_forged_limit_has_no_seal, fail) :-
    limit_met(hornbeam_limit(seal, time, 1), _).
test(a_goal_within_its_limit) :-
    call_limited(true, [-(inferences, 1), -(seconds, 10)]).
test(a_goal_that_fails_within_its_limit, fail) :-
    call_limited(fail, [-(inferences, 10), -(seconds, 10)]).

:- end_tests(limits).

:- begin_tests(depth).

deep(0, a) :- !.
deep(N, f(Term)) :- N1 is N-1, deep(N1, Term).

test(deep, true(Levels == 200)) :-
    deep(300, Term),
    too_deep(Term, 1000, Levels).
test(not_deep, fail) :-
    deep(150, Term),
    too_deep(Term, 1000, _).
test(long_is_not_deep, fail) :-
    length(List, 1000),
    too_deep(List, 2000, _).

:- end_tests(depth).

:- begin_tests(purity).

test(called_through_closures, all(Goal =@= [maplist(p(a), _), p(a, _)])) :-
    called(maplist(p(a), _), Goal).
test(impure, [ forall(member(Body-Predicate,
                             [ assertz(p)-(assertz/1), (q, \+ nb_getval(k, _))-(nb_getval/2),
                               maplist([X]>>retract(X), _)-(retract/1), (X is 1 + random(3))-(random/1) ])),
               true(Found == Predicate) ]) :-
    impure_call(Body, Found).
test(pure, fail) :-
    impure_call(( member(X, [1]), X > 0, findall(Y, p(Y), _) ), _).

:- end_tests(purity).

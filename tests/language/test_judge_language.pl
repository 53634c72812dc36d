:- module(test_judge_language, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/judge/language)).

:- begin_tests(judge_language, [setup(words)]).

words :-
    set_language([ [head, rule, good, 1], [head, fact, table, 2], [body, part, 2], [body, colour, 2], [more, round, 1],
                   [constant, red], [constant, 2], [secret, label, 2] ],
                 [forall, arithmetic, lists, clauses(4)]).

refused(Text, Kind) :-
    catch(read_program(Text, _), hornbeam_unfit(_, Kind, Message), true),
    atom(Message).

test(clauses, Clauses-Size == [(good(X) :- part(X, Y), colour(Y, red))]-3) :-
    read_program("good(X) :- part(X, Y), colour(Y, red).", program(Clauses, [], Size)),
    Clauses = [(good(X) :- _)|_],
    Clauses = [(_ :- part(_, Y), _)].
test(own_predicates_get_names_of_their_own, Name == 'helper own') :-
    read_program("good(X) :- own(X). own(X) :- part(X, _).", program([(good(_) :- Goal)|_], _, _)),
    functor(Goal, Name, 1).
test(a_known_predicate_may_be_defined_anew, Name == 'helper round') :-
    read_program("good(X) :- round(X). round(X) :- part(X, _).", program([(good(_) :- Goal)|_], _, _)),
    functor(Goal, Name, 1).
test(recursion_is_tabled, Tabled == [good/1]) :-
    read_program("good(X) :- part(X, Y), good(Y). good(X) :- colour(X, red).", program(_, Tabled, _)).
test(recursion_over_lists_is_not, Tabled == []) :-
    read_program("good(X) :- all([X]). all([]). all([_|T]) :- all(T).", program(_, Tabled, _)).
test(facts_of_a_table, Count == 2) :-
    read_program("table(red, red). table(red, 2).", program(Clauses, _, _)),
    length(Clauses, Count).
test(directive, Kind == directive) :- refused(":- halt.", Kind).
test(background, Kind == background) :- refused("part(X, X). good(X) :- part(X, X).", Kind).
test(label, Kind == label) :- refused("good(X) :- label(X, 1).", Kind).
test(label_of_another_arity, Kind == label) :- refused("good(X) :- label(X).", Kind).
test(constant, Kind == constant) :- refused("good(X) :- colour(X, blue).", Kind).
test(number, Kind == constant) :- refused("good(X) :- colour(X, 3).", Kind).
test(built_term, Kind == term) :- refused("good(X) :- colour(X, f(red)).", Kind).
test(string, Kind == string) :- refused("good(X) :- colour(X, \"red\").", Kind).
test(cut, Kind == cut) :- refused("good(X) :- part(X, _), !.", Kind).
test(state, Kind == state) :- refused("good(X) :- assertz(seen(X)).", Kind).
test(power, Kind == arithmetic) :- refused("good(X) :- X is 2 ** 9.", Kind).
test(negation_of_itself, Kind == unstratified) :- refused("good(X) :- \\+ good(X).", Kind).
test(too_many, Kind == size) :- refused("good(red). good(red). good(red). good(red). good(red).", Kind).
test(rule_for_a_table, Kind == control) :- refused("table(X, red) :- part(X, _).", Kind).
test(syntax, Kind == syntax) :- refused("good(X :- part(X).", Kind).
test(no_target, Kind == 'no target') :- refused("bad(X) :- part(X, _).", Kind).
test(nothing, Kind == empty) :- refused("% nothing", Kind).
test(early_end, Kind == 'end of file') :- refused("good(red). end_of_file. good(2).", Kind).

:- end_tests(judge_language).

:- module(test_wire, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/wire)).

:- begin_tests(wire).

round_trip(Term) :-
    encode_term(Term, Wire),
    decode_term(Wire, Back),
    Back == Term.

test(atoms_stand_for_themselves, true(Wire == 'Hello World')) :-
    encode_term('Hello World', Wire).
test(empty_list_is_not_its_atom, true(Nil-Atom == []-'[]')) :-
    encode_term([], Nil),
    encode_term('[]', Atom).
test(compound, true(Wire == -(c, f, [a, -(c, g, [1])]))) :-
    encode_term(f(a, g(1)), Wire).
test(zero_arity, true(Wire == -(c, f, []))) :-
    compound_name_arguments(Term, f, []),
    encode_term(Term, Wire).
test(round_trip, forall(member(Term, [ a, 'B c', "text", 12345678901234567890123, 1.5, 1r3, [a, [b]], f("x", [1r7]),
                                       '[]', [], {a}, 'é', - 1, a-b, -(-(1)) ]))) :-
    round_trip(Term).
test(special_floats, forall(member(Class, [nan, inf, -inf]))) :-
    Float is Class,
    encode_term(Float, Wire),
    decode_term(Wire, Back),
    Back =@= Float.
test(partial_list_is_a_compound, true(Wire == -(c, '[|]', [a, -(v, '_0')]))) :-
    List = [a|_],
    name_variables([l], [List]),
    encode_term(List, Wire).
test(same_name_same_variable, true(A == B)) :-
    decode_term([-(v, x), -(v, x)], [A, B]).
test(variable_that_is_a_value_keeps_its_name, true(Wire == -(v, 'X'))) :-
    name_variables(['X'], [Value]),
    encode_term(Value, Wire).
test(cyclic_term_is_refused, error(type_error(acyclic_term, _))) :-
    X = f(X),
    encode_term(X, _).
test(stream_is_refused, error(type_error(portable_term, _))) :-
    current_output(Stream),
    encode_term(Stream, _).

:- end_tests(wire).

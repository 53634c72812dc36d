:- module(rudas_properties,
          [ property_rule/4,            % ?Property, +Predicate, -Head, -Body
            property_conflict/3         % ?Property, ?Fact1, ?Fact2
          ]).

/** <module> Properties of binary predicates

The paper names them as future work. A property is a rule that closes the predicate, or a conflict that no
two true facts of it may have.
*/

:- use_module(library(lists), [append/3]).

%!  property_rule(?Property, +Predicate, -Head, -Body) is nondet.
%
%   Predicate has Property if Head follows from Body, a list of literals.

property_rule(transitive, P, Head, [Left, Right]) :-
    Head =.. [P, X, Z],
    Left =.. [P, X, Y],
    Right =.. [P, Y, Z].
property_rule(symmetric, P, Head, [Body]) :-
    Head =.. [P, X, Y],
    Body =.. [P, Y, X].

%!  property_conflict(?Property, ?Fact1, ?Fact2) is semidet.
%
%   A predicate with Property cannot have both facts, which are lists of the same length: a functional
%   predicate has one last argument for the arguments before it.

property_conflict(functional, Fact1, Fact2) :-
    append(Given, [Value1], Fact1),
    append(Given, [Value2], Fact2),
    Value1 \== Value2.

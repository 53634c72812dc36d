:- module(rudas_conflicts,
          [ conflicts/3                 % +Property, +Facts, -Pairs
          ]).

/** <module> Facts that a property does not allow together

What conflicts is written in kb/rudas/properties.pl.

    ?- conflicts(functional, [[a, b], [b, c], [a, c]], Pairs).
    Pairs = [[a, b]-[a, c]].
*/

:- use_module(library(error), [must_be/2]).
:- use_module(hornbeam(kb/rudas/properties), [property_conflict/3]).

%!  conflicts(+Property, +Facts, -Pairs) is det.
%
%   Pairs are neighbours in the standard order of Facts (lists of arguments) that conflict. A conflict depends
%   on the last argument only where those before it agree, so each conflict shows in a pair of neighbours.

conflicts(Property, Facts, Pairs) :-
    must_be(atom, Property),
    must_be(list, Facts),
    sort(Facts, Sorted),
    neighbours(Sorted, Property, Pairs).

neighbours([Fact1, Fact2|Facts], Property, Pairs) :-
    !,
    (   property_conflict(Property, Fact1, Fact2)
    ->  Pairs = [Fact1-Fact2|More]
    ;   Pairs = More
    ),
    neighbours([Fact2|Facts], Property, More).
neighbours(_, _, []).

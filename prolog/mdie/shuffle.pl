:- module(mdie_shuffle,
          [ shuffled/3              % +Number, +List, -Shuffled
          ]).
:- autoload(library(pairs), [pairs_values/2]).

/** <module> Orders by number

The generator of random numbers is our own, and small: SWI-Prolog's differs between builds, and the same number shall
give the same order everywhere.
*/

%!  shuffled(+Number:nonneg, +List:list, -Shuffled:list) is det.
%
%   Shuffled is List in the order that Number stands for. 0 is the order of List itself.

shuffled(0, List, Shuffled) :-
    !,
    Shuffled = List.
shuffled(Number, List, Shuffled) :-
    State is (Number*2654435761 + 40503) mod 4294967296,
    keyed(List, State, Pairs0),
    keysort(Pairs0, Pairs),
    pairs_values(Pairs, Shuffled).

keyed([], _, []).
keyed([Element|List], State0, [Key-Element|Pairs]) :-
    State is (State0*1664525 + 1013904223) mod 4294967296,
    Key is State >> 8,
    keyed(List, State, Pairs).

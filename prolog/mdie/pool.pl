:- module(mdie_pool,
          [ empty_pool/1,           % -Pool
            pool_add/4,             % +Good, +Pool0, -Pool, -New
            pool_select/3,          % +Pool, -Chosen, -Covered
            mask_of/2,              % +Ids, -Mask
            in_mask/2,              % +Mask, +Id
            not_in_mask/2           % +Mask, +Id
          ]).
:- autoload(library(apply), [exclude/3, foldl/4]).
:- autoload(library(lists), [member/2, reverse/2]).

/** <module> The good clauses found so far, and a theory of them

A pool holds good clauses none of which another makes superfluous: one that covers the same positives and more, no further
negatives, and is no longer. Sets of examples are bit masks here.

    pooled(Positives, Negatives, Size, Head-Body)
*/

%!  empty_pool(-Pool) is det.

empty_pool([]).

%!  pool_add(+Good, +Pool0, -Pool, -New:boolean) is det.
%
%   Good is good(Head, Body, Positives, Negatives, Size). New is `false` if Pool0 has a clause that makes it superfluous.

pool_add(good(Head, Body, Ps, Ns, Size), Pool0, Pool, New) :-
    mask_of(Ps, P),
    mask_of(Ns, N),
    copy_term(Head-Body, Clause),
    Pooled = pooled(P, N, Size, Clause),
    (   member(Other, Pool0),
        superfluous(Other, Pooled)
    ->  New = false,
        Pool = Pool0
    ;   New = true,
        exclude(superfluous(Pooled), Pool0, Pool1),
        Pool = [Pooled|Pool1]
    ).

superfluous(pooled(P1, N1, Size1, _), pooled(P2, N2, Size2, _)) :-
    Size1 =< Size2,
    P2 /\ \P1 =:= 0,
    N1 /\ \N2 =:= 0.

%!  mask_of(+Ids:list(nonneg), -Mask:integer) is det.

mask_of(Ids, Mask) :-
    foldl(set_bit, Ids, 0, Mask).

set_bit(Id, Mask0, Mask) :-
    Mask is Mask0 \/ 1<<Id.

%!  in_mask(+Mask:integer, +Id:nonneg) is semidet.
%!  not_in_mask(+Mask:integer, +Id:nonneg) is semidet.

in_mask(Mask, Id) :-
    Mask /\ 1<<Id =\= 0.

not_in_mask(Mask, Id) :-
    Mask /\ 1<<Id =:= 0.

%!  pool_select(+Pool, -Chosen:list, -Covered) is det.
%
%   Chosen is a theory from the pool, a list of pooled clauses, the best first: greedily the clause with most positives,
%   less negatives, that are not covered yet, the smaller of two equal ones. Clauses that others make superfluous are
%   taken out again. Covered is covered(Positives, Negatives), as masks.

pool_select(Pool, Chosen, Covered) :-
    reverse(Pool, Oldest),
    greedy(Oldest, 0, 0, Chosen0),
    needed(Chosen0, Chosen),
    foldl(add_cover, Chosen, covered(0, 0), Covered).

add_cover(pooled(P, N, _, _), covered(P0, N0), covered(P1, N1)) :-
    P1 is P0 \/ P,
    N1 is N0 \/ N.

greedy(Pool, P0, N0, Chosen) :-
    foldl(best_gain(P0, N0), Pool, gain(0, 0, none), gain(_, _, Best)),
    (   Best == none
    ->  Chosen = []
    ;   Best = pooled(P, N, _, _),
        Chosen = [Best|More],
        P1 is P0 \/ P,
        N1 is N0 \/ N,
        greedy(Pool, P1, N1, More)
    ).

best_gain(P0, N0, Pooled, gain(Most, Size0, Best0), Gain) :-
    Pooled = pooled(P, N, Size, _),
    New is popcount(P /\ \P0) - popcount(N /\ \N0),
    (   (   New > Most
        ;   New =:= Most,
            Best0 \== none,
            Size < Size0
        )
    ->  Gain = gain(New, Size, Pooled)
    ;   Gain = gain(Most, Size0, Best0)
    ).

%   The last chosen are the likeliest to be needed: go through the others.

needed(Chosen0, Chosen) :-
    needed(Chosen0, [], Chosen).

needed([], Kept, Chosen) :-
    reverse(Kept, Chosen).
needed([Pooled|Rest], Kept, Chosen) :-
    Pooled = pooled(P, _, _, _),
    foldl(add_cover, Rest, covered(0, 0), covered(P1, _)),
    foldl(add_cover, Kept, covered(P1, 0), covered(P2, _)),
    (   P /\ \P2 =:= 0
    ->  needed(Rest, Kept, Chosen)
    ;   needed(Rest, [Pooled|Kept], Chosen)
    ).

% What follows from a network of relations.
%
% The calculus is relation/1, converse/2, identity/1 and composition/3; the samples are sample(Id, Task, Split, Label,
% query(S, T)) and edge(Id, U, V, Relations). A set of relations is a bit mask inside and a list outside; relation number I in
% the order of the calculus is bit I.

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(ordsets)).

:- table relation_bit/2.
:- table composed/3.
:- table conversed/2.

%!  path(+Id, -Edges) is nondet.
%
%   A path along the edges from the query's first node to its second; Edges are edge(U, V, Relations).

path(Id, Path) :-
    sample(Id, _, _, _, query(S, T)),
    path_from(S, T, Id, [S], Path).

path_from(T, T, _, _, Path) :- !,
    Path = [].
path_from(U, T, Id, Seen, [edge(U, V, Rs)|Path]) :-
    edge(Id, U, V, Rs),
    \+ memberchk(V, Seen),
    path_from(V, T, Id, [V|Seen], Path).

%!  path_relations(+Id, -Path, -Relations) is nondet.
%
%   What a path says of the two nodes by itself: the composition of its edges, a disjunction.

path_relations(Id, Path, Relations) :-
    path(Id, Path),
    path_mask(Path, Mask),
    mask_relations(Mask, Relations).

%!  intersection(+Id, -Relations) is det.
%
%   What all paths along the edges say together. For a bundle of paths this is the answer.

intersection(Id, Relations) :-
    findall(Mask, ( path(Id, Path), path_mask(Path, Mask) ), Masks),
    common(Masks, Mask),
    mask_relations(Mask, Relations).

%!  possible(+Id, -Relations) is det.
%
%   Exactly the relations that can hold between the query's nodes, for any network: closure, and search where edges
%   are disjunctive. No relation is possible in an inconsistent network.

possible(Id, Relations) :-
    sample(Id, _, _, _, query(S, T)),
    findall(edge(U, V, Rs), edge(Id, U, V, Rs), Edges),
    possible_mask(Edges, S, T, Mask),
    mask_relations(Mask, Relations).

%!  answer(+Id, -Label) is det.
%
%   The label that follows from the network: relations joined by `|`, or `inconsistent`.

answer(Id, Label) :-
    possible(Id, Relations),
    (   Relations == []
    ->  Label = inconsistent
    ;   atomic_list_concat(Relations, '|', Label)
    ).

%!  explain(+Id, -Edges) is det.
%
%   A smallest set of edges, none of which can be left out, from which the answer follows. If the network is
%   inconsistent, a set of edges that cannot hold together.

explain(Id, Explanation) :-
    sample(Id, _, _, _, query(S, T)),
    findall(Path, path(Id, Path), Paths),
    findall(edge(U, V, Rs), edge(Id, U, V, Rs), Edges),
    possible_mask(Edges, S, T, Answer),
    (   enough_paths(Paths, Answer, Chosen)
    ->  append(Chosen, Used0),
        sort(Used0, Used)
    ;   Used = Edges
    ),
    drop_each(Used, Used, S, T, Answer, Explanation).

%   The fewest paths that give the answer; three are always enough where every edge has one relation.

enough_paths(Paths, Answer, Chosen) :-
    findall(Mask-Path, ( member(Path, Paths), path_mask(Path, Mask) ), Said),
    between(1, 3, Count),
    choose(Count, Said, Chosen0),
    findall(Mask, member(Mask-_, Chosen0), Masks),
    common(Masks, Answer),
    !,
    findall(Path, member(_-Path, Chosen0), Chosen).

choose(0, _, []) :- !.
choose(N, [X|Xs], [X|Ys]) :-
    N1 is N - 1,
    choose(N1, Xs, Ys).
choose(N, [_|Xs], Ys) :-
    choose(N, Xs, Ys).

drop_each([], Kept, _, _, _, Kept).
drop_each([Edge|Edges], Kept0, S, T, Answer, Kept) :-
    selectchk(Edge, Kept0, Fewer),
    (   possible_mask(Fewer, S, T, Answer)
    ->  drop_each(Edges, Fewer, S, T, Answer, Kept)
    ;   drop_each(Edges, Kept0, S, T, Answer, Kept)
    ).

%   Networks: an assoc from U-V to the mask of what is known, both ways.

possible_mask(Edges, S, T, Mask) :-
    nodes_of(Edges, S, T, Nodes),
    (   network(Edges, Net0),
        closed(Net0, Nodes, Net)
    ->  known(S, T, Net, Left),
        (   forall(member(edge(_, _, Rs), Edges), Rs = [_])
        ->  Found = Left
        ;   findall(Bit, ( bit_of(Left, Bit), can_hold(Edges, Nodes, Net, S, T, Bit) ), Bits),
            foldl([B, M0, M]>>(M is M0 \/ B), Bits, 0, Found)
        )
    ;   Found = 0
    ),
    Mask = Found.

can_hold(Edges, Nodes, Net0, S, T, Bit) :-
    narrowed(S, T, Bit, Net0, Net1),
    close_all([S-T], Nodes, Net1, Net2),
    scenario(Edges, Nodes, Net2),
    !.

%   A relation for each edge so that closure finds no fault: this decides, because networks of base relations are decided
%   by closure.

scenario(Edges, Nodes, Net) :-
    (   member(edge(U, V, _), Edges),
        known(U, V, Net, Mask),
        Mask /\ (Mask - 1) =\= 0
    ->  bit_of(Mask, Bit),
        narrowed(U, V, Bit, Net, Net1),
        close_all([U-V], Nodes, Net1, Net2),
        scenario(Edges, Nodes, Net2)
    ;   true
    ).

nodes_of(Edges, S, T, Nodes) :-
    findall(N, ( member(edge(U, V, _), Edges), member(N, [U, V]) ), Ns),
    sort([S, T|Ns], Nodes).

network(Edges, Net) :-
    empty_assoc(Empty),
    foldl(add_edge, Edges, Empty, Net).

add_edge(edge(U, V, Rs), Net0, Net) :-
    relations_mask(Rs, Mask),
    narrowed(U, V, Mask, Net0, Net).

known(U, V, Net, Mask) :-
    (   get_assoc(U-V, Net, Mask0)
    ->  Mask = Mask0
    ;   universal(Mask)
    ).

narrowed(U, V, Mask0, Net0, Net) :-
    known(U, V, Net0, Old),
    Mask is Old /\ Mask0,
    Mask =\= 0,
    conversed(Mask, Back),
    put_assoc(U-V, Net0, Mask, Net1),
    put_assoc(V-U, Net1, Back, Net).

closed(Net0, Nodes, Net) :-
    assoc_to_keys(Net0, Pairs),
    close_all(Pairs, Nodes, Net0, Net).

close_all([], _, Net, Net).
close_all([I-J|Queue], Nodes, Net0, Net) :-
    known(I, J, Net0, Mask),
    close_over(Nodes, I, J, Mask, Net0, Net1, Changed, []),
    append(Queue, Changed, Queue1),
    close_all(Queue1, Nodes, Net1, Net).

close_over([], _, _, _, Net, Net, Changed, Changed).
close_over([K|Ks], I, J, Mask, Net0, Net, Changed, Tail) :-
    (   K \== I,
        K \== J,
        get_assoc(J-K, Net0, JK),
        composed(Mask, JK, IK),
        known(I, K, Net0, Old),
        New is Old /\ IK,
        New =\= Old
    ->  narrowed(I, K, New, Net0, Net1),
        Changed = [I-K, K-I|Changed1]
    ;   Net1 = Net0,
        Changed = Changed1
    ),
    close_over(Ks, I, J, Mask, Net1, Net, Changed1, Tail).

%   Masks

path_mask(Path, Mask) :-
    identity(Identity),
    relation_bit(Identity, Bit),
    foldl(compose_edge, Path, Bit, Mask).

compose_edge(edge(_, _, Rs), Mask0, Mask) :-
    relations_mask(Rs, Step),
    composed(Mask0, Step, Mask).

common(Masks, Mask) :-
    universal(All),
    foldl([M, M0, M1]>>(M1 is M0 /\ M), Masks, All, Mask).

universal(Mask) :-
    findall(R, relation(R), Rs),
    relations_mask(Rs, Mask).

relation_bit(R, Bit) :-
    findall(Q, relation(Q), Rs),
    nth0(I, Rs, R),
    Bit is 1 << I.

relations_mask(Rs, Mask) :-
    foldl([R, M0, M]>>(relation_bit(R, Bit), M is M0 \/ Bit), Rs, 0, Mask).

mask_relations(Mask, Rs) :-
    findall(R, ( relation(R), relation_bit(R, Bit), Mask /\ Bit =\= 0 ), Rs).

bit_of(Mask, Bit) :-
    relation(R),
    relation_bit(R, Bit),
    Mask /\ Bit =\= 0.

composed(MaskA, MaskB, Mask) :-
    mask_relations(MaskA, As),
    mask_relations(MaskB, Bs),
    findall(R, ( member(A, As), member(B, Bs), composition(A, B, Rs), member(R, Rs) ), Found0),
    sort(Found0, Found),
    relations_mask(Found, Mask).

conversed(Mask, Back) :-
    mask_relations(Mask, Rs),
    findall(S, ( member(R, Rs), converse(R, S) ), Ss),
    relations_mask(Ss, Back).

% What can hold in a network of relations: elimination of nodes, and search where that is not exact.
%
% Included beside kb/star/theory.pl, which has the masks: composed/4, conversed/2, universal/1, bit_of/2. property/1 is the
% calculus'.

:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(ordsets)).

:- table closed_masks/1.
:- table distributive/0.
:- table pieces/2.

%!  decided(+N, +Arcs, +S, +T, -Mask) is det.
%
%   Mask is exactly what can hold from S to T in a network of the nodes 1 .. N, 0 if the network is inconsistent. An arc is
%   arc(U, V, Mask, Back), with what holds from U to V and from V to U.

decided(N, Arcs, S, T, Mask) :-
    (   eliminated(N, Arcs, S, T, Left, Width)
    ->  (   exact(Width, Arcs)
        ->  Mask = Left
        ;   searched(N, Arcs, S, T, 0, Mask)
        )
    ;   Mask = 0
    ).

%   Elimination leaves exactly what is possible if no node had more than two neighbours when it was eliminated, and
%   networks that agree on what they share fit together (patchwork). It also does if every label is closed and the calculus is
%   distributive.

exact(2, _) :-
    property(patchwork),
    !.
exact(_, Arcs) :-
    distributive,
    \+ ( member(arc(_, _, Mask, _), Arcs), open_mask(Mask) ).

%   Search: Found is Found0 and what the network allows. A label that is not closed is split into pieces that are; a branch
%   that could only repeat what is found is left.

searched(N, Arcs, S, T, Found0, Found) :-
    (   eliminated(N, Arcs, S, T, Left, Width),
        Left /\ \ Found0 =\= 0
    ->  (   exact(Width, Arcs)
        ->  Found is Found0 \/ Left
        ;   select(arc(U, V, Mask, _), Arcs, Others),
            pieces(Mask, [P, Q|Ps])
        ->  foldl(searched_piece(N, U, V, Others, S, T), [P, Q|Ps], Found0, Found)
        ;   findall(Bit, ( bit_of(Left, Bit), consistent(N, [arc(S, T, Bit, 0)|Arcs]) ), Bits),
            foldl(joined_bit, Bits, Found0, Found)
        )
    ;   Found = Found0
    ).

searched_piece(N, U, V, Others, S, T, Piece, Found0, Found) :-
    conversed(Piece, Back),
    searched(N, [arc(U, V, Piece, Back)|Others], S, T, Found0, Found).

joined_bit(Bit, Mask0, Mask) :-
    Mask is Mask0 \/ Bit.

%   Elimination, node by node: what two neighbours of a node must be to one another because of it. Left is what remains
%   between S and T, at least all that is possible; fails if some label becomes empty. Width is 2, or 3 if a node had more than
%   two neighbours. A network is a compound with, for each node, a list of near(Node, Mask, Back).

eliminated(N, Arcs, S, T, Left, Width) :-
    functor(Net, net, N),
    no_neighbours(N, Net),
    add_arcs(Arcs, Net),
    inner_nodes(N, S, T, [], Nodes),
    eliminate(Nodes, Net, 2, Width),
    arg(S, Net, Near),
    (   memberchk(near(T, Mask, _), Near)
    ->  Left = Mask
    ;   universal(Left)
    ).

no_neighbours(0, _) :- !.
no_neighbours(V, Net) :-
    arg(V, Net, []),
    V1 is V - 1,
    no_neighbours(V1, Net).

add_arcs([], _).
add_arcs([arc(U, V, Mask, Back)|Arcs], Net) :-
    link(U, V, Mask, Back, Net),
    add_arcs(Arcs, Net).

link(U, V, Mask, Back, Net) :-
    arg(U, Net, Us0),
    near(Us0, V, Mask, Back, Us),
    setarg(U, Net, Us),
    arg(V, Net, Vs0),
    near(Vs0, U, Back, Mask, Vs),
    setarg(V, Net, Vs).

near([], V, Mask, Back, [near(V, Mask, Back)]).
near([near(W, Mask0, Back0)|Near0], V, Mask, Back, Near) :-
    (   W =:= V
    ->  Mask1 is Mask0 /\ Mask,
        Mask1 =\= 0,
        Back1 is Back0 /\ Back,
        Near = [near(V, Mask1, Back1)|Near0]
    ;   Near = [near(W, Mask0, Back0)|Near1],
        near(Near0, V, Mask, Back, Near1)
    ).

inner_nodes(0, _, _, Nodes, Nodes) :- !.
inner_nodes(V, S, T, Nodes0, Nodes) :-
    V1 is V - 1,
    (   ( V =:= S ; V =:= T )
    ->  inner_nodes(V1, S, T, Nodes0, Nodes)
    ;   inner_nodes(V1, S, T, [V|Nodes0], Nodes)
    ).

%   First all nodes with at most two neighbours, again and again; only then one with the fewest.

eliminate(Nodes, Net, Width0, Width) :-
    bypass_all(Nodes, Net, Left),
    (   Left == []
    ->  Width = Width0
    ;   Left \== Nodes
    ->  eliminate(Left, Net, Width0, Width)
    ;   fewest_neighbours(Left, Net, V),
        arg(V, Net, Near),
        bypass(Near, V, Net),
        selectchk(V, Left, Others),
        eliminate(Others, Net, 3, Width)
    ).

bypass_all([], _, []).
bypass_all([V|Vs], Net, Left) :-
    arg(V, Net, Near),
    (   Near = [_, _, _|_]
    ->  Left = [V|Left1]
    ;   bypass(Near, V, Net),
        Left = Left1
    ),
    bypass_all(Vs, Net, Left1).

bypass([], _, _).
bypass([near(A, _, Mask)|Near], V, Net) :-
    arg(A, Net, As0),
    without(As0, V, As),
    setarg(A, Net, As),
    bypass_to(Near, A, Mask, Net),
    bypass(Near, V, Net).

bypass_to([], _, _, _).
bypass_to([near(C, Mask, _)|Near], A, Before, Net) :-
    composed(Before, Mask, AC, CA),
    link(A, C, AC, CA, Net),
    bypass_to(Near, A, Before, Net).

without([Near|Near0], V, Left) :-
    (   arg(1, Near, V)
    ->  Left = Near0
    ;   Left = [Near|Left1],
        without(Near0, V, Left1)
    ).

fewest_neighbours(Nodes, Net, V) :-
    findall(Count-Node, ( member(Node, Nodes), arg(Node, Net, Near), length(Near, Count) ), Counts),
    min_member(_-V, Counts).

%   For calculi of which nothing else is known: a relation for every two nodes, so that the algebraic closure of the complete
%   graph finds no fault.

consistent(N, Arcs) :-
    empty_assoc(Empty),
    foldl(add_known, Arcs, Empty, Known0),
    assoc_to_keys(Known0, Pairs),
    numlist(1, N, Nodes),
    close_all(Pairs, Nodes, Known0, Known),
    scenario(Nodes, Known),
    !.

scenario(Nodes, Known) :-
    (   member(U, Nodes),
        member(V, Nodes),
        U < V,
        known(U, V, Known, Mask),
        Mask /\ (Mask - 1) =\= 0
    ->  bit_of(Mask, Bit),
        narrowed(U, V, Bit, Known, Known1),
        close_all([U-V, V-U], Nodes, Known1, Known2),
        scenario(Nodes, Known2)
    ;   true
    ).

add_known(arc(U, V, Mask, _), Known0, Known) :-
    narrowed(U, V, Mask, Known0, Known).

known(U, V, Known, Mask) :-
    (   get_assoc(U-V, Known, Mask0)
    ->  Mask = Mask0
    ;   universal(Mask)
    ).

narrowed(U, V, Mask0, Known0, Known) :-
    known(U, V, Known0, Old),
    Mask is Old /\ Mask0,
    Mask =\= 0,
    conversed(Mask, Back),
    put_assoc(U-V, Known0, Mask, Known1),
    put_assoc(V-U, Known1, Back, Known).

close_all([], _, Known, Known).
close_all([I-J|Queue], Nodes, Known0, Known) :-
    known(I, J, Known0, Mask),
    close_over(Nodes, I, J, Mask, Known0, Known1, Changed, []),
    append(Queue, Changed, Queue1),
    close_all(Queue1, Nodes, Known1, Known).

close_over([], _, _, _, Known, Known, Changed, Changed).
close_over([K|Ks], I, J, Mask, Known0, Known, Changed, Tail) :-
    (   K \== I,
        K \== J,
        get_assoc(J-K, Known0, JK),
        composed(Mask, JK, IK, _),
        known(I, K, Known0, Old),
        New is Old /\ IK,
        New =\= Old
    ->  narrowed(I, K, New, Known0, Known1),
        Changed = [I-K, K-I|Changed1]
    ;   Known1 = Known0,
        Changed = Changed1
    ),
    close_over(Ks, I, J, Mask, Known1, Known, Changed1, Tail).

%   Closed labels: all that composing and intersecting base relations can give. The calculus is distributive if composition
%   distributes over the intersections of closed labels. One side is enough, because the converse of a product is the product of
%   the converses; and so are those that are no intersection of others.

closed_masks(Closed) :-
    findall(Bit, bit_of(-1, Bit), Bits),
    sort(Bits, Base),
    closed_under(Base, Base, Closed).

closed_under([], Closed, Closed) :- !.
closed_under(New, Known, Closed) :-
    findall(Mask, ( member(A, New), member(B, Known), made_of(A, B, Mask) ), Made0),
    sort(Made0, Made),
    ord_subtract(Made, Known, Newer),
    ord_union(Known, Newer, Known1),
    closed_under(Newer, Known1, Closed).

made_of(A, B, Mask) :- composed(A, B, Mask, _).
made_of(A, B, Mask) :- composed(B, A, Mask, _).
made_of(A, B, Mask) :- Mask is A /\ B, Mask =\= 0.

distributive :-
    closed_masks(Closed),
    findall(C, ( member(C, Closed), \+ met(C, Closed) ), Unmet),
    \+ ( member(B, Closed),
         member(C, Unmet),
         BC is B /\ C,
         BC =\= 0,
         BC =\= B,
         member(A, Closed),
         composed(A, BC, Both, _),
         composed(A, B, AB, _),
         composed(A, C, AC, _),
         Both =\= AB /\ AC
       ).

met(C, Closed) :-
    findall(Above, ( member(Above, Closed), Above =\= C, Above /\ C =:= C ), [First|Others]),
    foldl(meet, Others, First, C).

meet(Mask0, Mask1, Mask) :-
    Mask is Mask0 /\ Mask1.

open_mask(Mask) :-
    Mask /\ (Mask - 1) =\= 0,
    closed_masks(Closed),
    \+ ord_memberchk(Mask, Closed).

%   A label in pieces, large ones first: closed ones if that helps, and else single relations.

pieces(Mask, Pieces) :-
    (   distributive
    ->  closed_masks(Closed),
        findall(Count-Piece, ( member(Piece, Closed), Piece /\ Mask =:= Piece, Count is -popcount(Piece) ), Sized),
        keysort(Sized, Ordered),
        disjoint(Ordered, Mask, Pieces)
    ;   findall(Bit, bit_of(Mask, Bit), Pieces)
    ).

disjoint([], _, []).
disjoint([_-Piece|Sized], Mask, Pieces) :-
    (   Piece /\ Mask =:= Piece
    ->  Pieces = [Piece|Pieces1],
        Mask1 is Mask /\ \ Piece
    ;   Pieces = Pieces1,
        Mask1 = Mask
    ),
    disjoint(Sized, Mask1, Pieces1).

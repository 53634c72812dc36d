% What follows from a network of relations. Plain SWI-Prolog: load.pl includes this file beside the facts.
%
% The calculus is relation/1, converse/2, identity/1, composition/3 and property/1; the samples are sample(Id, Task, Split,
% Label, query(S, T)) and edge(Id, U, V, Relations). A set of relations is a bit mask inside and a list outside; relation
% number I in the order of the calculus is bit I. decided/5, what can hold in a network, is in prolog/star/deciding.pl; a
% dataset has both in its theory.pl.

:- use_module(library(lists)).
:- use_module(library(apply)).

:- table relation_bit/2.
:- table universal/1.
:- table composed/4.
:- table conversed/2.
:- table label_masks/3.
:- table mask_label/2.

%!  true_answer(+Id, -Answer) is semidet.
%
%   Answer is what the theory derives for sample Id, without a look at its label: see answer/2.

true_answer(Id, Answer) :-
    answer(Id, Answer).

%!  judged(?Id, ?Expected) is nondet.
%
%   The label of sample Id states the answer Expected: here all labels do.

judged(Id, Label) :-
    sample(Id, _, _, Label, _).

%!  answer(+Id, -Label) is semidet.
%
%   The label that follows from the network: relations joined by `|`, or `inconsistent`.

answer(Id, Label) :-
    network(Id, S, T, Edges),
    possible_mask(Edges, S, T, Mask),
    mask_label(Mask, Label).

%!  network_answers(+Codes:list, -Labels:list(atom)) is det.
%
%   The same for many networks in one call. Codes is one flat list with, for each network, the two nodes that are asked
%   about, the number of nodes, the number of edges, and then U, V and the label of each edge. Nodes are numbered from 0.

network_answers([], []) :- !.
network_answers([S0, T0, N, Count|Codes], [Label|Labels]) :-
    coded_arcs(Count, Codes, Arcs, Rest),
    S is S0 + 1,
    T is T0 + 1,
    decided(N, Arcs, S, T, Mask),
    mask_label(Mask, Label),
    network_answers(Rest, Labels).

coded_arcs(0, Codes, Arcs, Rest) :- !,
    Arcs = [],
    Rest = Codes.
coded_arcs(Count, [U0, V0, Text|Codes], [arc(U, V, Mask, Back)|Arcs], Rest) :-
    U is U0 + 1,
    V is V0 + 1,
    label_masks(Text, Mask, Back),
    Count1 is Count - 1,
    coded_arcs(Count1, Codes, Arcs, Rest).

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

%!  possible(+Id, -Relations) is semidet.
%
%   Exactly the relations that can hold between the query's nodes, for any network: elimination, and search where it
%   is not exact. No relation is possible in an inconsistent network.

possible(Id, Relations) :-
    network(Id, S, T, Edges),
    possible_mask(Edges, S, T, Mask),
    mask_relations(Mask, Relations).

network(Id, S, T, Edges) :-
    sample(Id, _, _, _, query(S, T)),
    !,
    findall(edge(U, V, Rs), edge(Id, U, V, Rs), Edges).

%!  needed_edges(+Id, -Edges) is semidet.
%
%   A smallest set of edges, none of which can be left out, from which the answer follows. If the network is
%   inconsistent, a set of edges that cannot hold together.

needed_edges(Id, Needed) :-
    network(Id, S, T, Edges),
    findall(Path, path(Id, Path), Paths),
    possible_mask(Edges, S, T, Answer),
    (   enough_paths(Paths, Answer, Chosen)
    ->  append(Chosen, Used0),
        sort(Used0, Used)
    ;   Used = Edges
    ),
    drop_each(Used, Used, S, T, Answer, Needed).

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

%!  explain_truth(+Id) is semidet.
%
%   Prints the edges from which the answer of sample Id follows, and what each path along them says.

explain_truth(Id) :-
    network(Id, S, T, _),
    answer(Id, Label),
    needed_edges(Id, Edges),
    length(Edges, Count),
    (   Label == inconsistent
    ->  format("~w: the network is inconsistent. These ~d edges cannot hold together, and none of them can be left out:~n",
               [Id, Count])
    ;   format("~w: from ~w to ~w holds ~w. It follows from these ~d edges, and none of them can be left out:~n",
               [Id, S, T, Label, Count])
    ),
    forall(member(edge(U, V, Rs), Edges), ( disjunction(Rs, Text), format("  ~w ~w ~w~n", [U, Text, V]) )),
    forall(( path_relations(Id, Path, Rs), subset(Path, Edges) ), print_path(S, Path, Rs)).

print_path(S, Path, Rs) :-
    findall(V, member(edge(_, V, _), Path), Vs),
    atomic_list_concat([S|Vs], ' - ', Nodes),
    (   Rs == []
    ->  format("  The path ~w is a contradiction.~n", [Nodes])
    ;   disjunction(Rs, Text),
        format("  The path ~w leaves ~w.~n", [Nodes, Text])
    ).

disjunction(Rs, Text) :-
    atomic_list_concat(Rs, ' or ', Text).

%   Networks for decided/5: nodes are numbered from 1, an arc is arc(U, V, Mask, Back).

possible_mask(Edges, S, T, Mask) :-
    findall(Node, ( Node = S ; Node = T ; member(edge(U, V, _), Edges), member(Node, [U, V]) ), Nodes0),
    sort(Nodes0, Nodes),
    maplist(edge_arc(Nodes), Edges, Arcs),
    length(Nodes, N),
    nth1(SN, Nodes, S),
    nth1(TN, Nodes, T),
    !,
    decided(N, Arcs, SN, TN, Found),
    Mask = Found.

edge_arc(Nodes, edge(U, V, Rs), arc(UN, VN, Mask, Back)) :-
    nth1(UN, Nodes, U),
    nth1(VN, Nodes, V),
    !,
    relations_mask(Rs, Mask),
    conversed(Mask, Back).

%   Masks

path_mask(Path, Mask) :-
    identity(Identity),
    relation_bit(Identity, Bit),
    foldl(compose_edge, Path, Bit, Mask).

compose_edge(edge(_, _, Rs), Mask0, Mask) :-
    relations_mask(Rs, Step),
    composed(Mask0, Step, Mask, _).

common(Masks, Mask) :-
    universal(All),
    foldl(meet, Masks, All, Mask).

universal(Mask) :-
    findall(R, relation(R), Rs),
    relations_mask(Rs, Mask).

relation_bit(R, Bit) :-
    findall(Q, relation(Q), Rs),
    nth0(I, Rs, R),
    Bit is 1 << I.

relations_mask(Rs, Mask) :-
    foldl(add_relation, Rs, 0, Mask).

add_relation(R, Mask0, Mask) :-
    relation_bit(R, Bit),
    Mask is Mask0 \/ Bit.

mask_relations(Mask, Rs) :-
    findall(R, ( relation(R), relation_bit(R, Bit), Mask /\ Bit =\= 0 ), Rs).

label_masks(Text, Mask, Back) :-
    atomic_list_concat(Rs, '|', Text),
    relations_mask(Rs, Mask),
    conversed(Mask, Back).

mask_label(Mask, Label) :-
    (   Mask =:= 0
    ->  Label = inconsistent
    ;   mask_relations(Mask, Rs),
        atomic_list_concat(Rs, '|', Label)
    ).

bit_of(Mask, Bit) :-
    relation(R),
    relation_bit(R, Bit),
    Mask /\ Bit =\= 0.

%   composed(+MaskA, +MaskB, -Mask, -Back): what holds from x to z, and back, if MaskA holds from x to y and MaskB from y to z.

composed(MaskA, MaskB, Mask, Back) :-
    mask_relations(MaskA, As),
    mask_relations(MaskB, Bs),
    findall(R, ( member(A, As), member(B, Bs), composition(A, B, Rs), member(R, Rs) ), Found0),
    sort(Found0, Found),
    relations_mask(Found, Mask),
    conversed(Mask, Back).

conversed(Mask, Back) :-
    mask_relations(Mask, Rs),
    findall(S, ( member(R, Rs), converse(R, S) ), Ss),
    relations_mask(Ss, Back).

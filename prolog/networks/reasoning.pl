:- module(networks_reasoning,
          [ theory_table/2,     % +Module, -Table
            network_answer/5,   % +Table, +Edges, +Query, -Relations, -By
            answer/3            % +Edges, +Query, -Relations
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [foldl/4]).
:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4, assoc_to_list/2]).
:- use_module(library(error), [must_be/2, existence_error/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3, max_member/2]).
:- use_module(library(ordsets), [ord_union/3, ord_del_element/3, ord_add_element/3]).
:- use_module(library(pairs), [pairs_values/2]).

/** <module> Answers from a learned theory of composition

A theory is a file of facts, as the learner `algebra` writes it:

  - reading(sets) or reading(function): compose/3 lists the alternatives of a pair, or derives one relation
  - answers(Kind): the answers that there are: `one` relation, `several`, `none`
  - relation(R): all relations; the first decides where several are left and one is wanted
  - identity(R), converse(R, S), compose(R, S, T)

Load the theory and this file into plain swipl and ask:

==
?- answer([edge(0,[father],1), edge(1,[mother],2)], 0-2, Relations).
Relations = [grandmother].
==

Sets of relations are bit masks inside; bit I is the relation that is I-th in the theory, from 0. Functions are
closed over all pairs of nodes, by any bracketing. Alternatives are cut down by eliminating the nodes one after the
other, that with the fewest neighbours first.
*/

:- dynamic
    user:reading/1, user:answers/1, user:relation/1, user:identity/1, user:converse/2, user:compose/3.

%!  answer(+Edges:list, +Query, -Relations:list(atom)) is det.
%
%   As network_answer/5, with the theory that was loaded into `user`.

answer(Edges, Query, Relations) :-
    theory_table(user, Table),
    network_answer(Table, Edges, Query, Relations, _).

%!  theory_table(+Module:atom, -Table) is det.
%
%   Table is the theory of Module, ready for network_answer/5.

theory_table(Module, table(Names, Cells, Converses, Reading, Kinds)) :-
    must_be(atom, Module),
    relation_names(Module, Names),
    length(Names, Count),
    findall(Mask, ( member(R, Names), member(S, Names), cell_mask(Module, Names, R, S, Mask) ), Masks),
    Cells =.. [cells, Count|Masks],
    findall(Mask, ( member(R, Names), converse_mask(Module, Names, R, Mask) ), Backs),
    Converses =.. [converses|Backs],
    findall(Kind, said(Module, answers(Kind)), Kinds0),
    (   Kinds0 == [] -> Kinds = [one] ; Kinds = Kinds0 ),
    (   said(Module, reading(Said))
    ->  Reading = Said
    ;   member(Mask, Masks), Mask /\ (Mask - 1) =\= 0
    ->  Reading = sets
    ;   Reading = function
    ).

relation_names(Module, Names) :-
    findall(R, said(Module, relation(R)), Listed),
    findall(R, mentioned(Module, R), Mentioned),
    first_occurrences(Listed, [], Names0),
    first_occurrences(Mentioned, Names0, Names1),
    (   Names1 == [] -> existence_error(theory, Module) ; Names = Names1 ).

mentioned(Module, R) :- said(Module, identity(R)).
mentioned(Module, R) :- said(Module, converse(S, T)), member(R, [S, T]).
mentioned(Module, R) :- said(Module, compose(S, T, U)), member(R, [S, T, U]).

first_occurrences(Names, Before, All) :-
    foldl(one_more, Names, Before, All).

one_more(Name, Seen, More) :-
    (   memberchk(Name, Seen) -> More = Seen ; append(Seen, [Name], More) ).

said(Module, Fact) :-
    catch(Module:Fact, error(existence_error(procedure, _), _), fail).

cell_mask(Module, Names, R, S, Mask) :-
    findall(T, said(Module, compose(R, S, T)), Ts),
    names_mask(Ts, Names, Mask).

converse_mask(Module, Names, R, Mask) :-
    findall(S, said(Module, converse(R, S)), Ss),
    names_mask(Ss, Names, Mask).

%!  network_answer(+Table, +Edges:list, +Query, -Relations:list(atom), -By:atom) is det.
%
%   Relations are the answer of a network of edge(Source, Relations, Target) to the Query Source-Target. By says what
%   decided: `closure`, `first_of_several`, `most_votes` or `first_of_all`.

network_answer(Table, Edges, S-T, Relations, By) :-
    must_be(list, Edges),
    Table = table(_, _, _, Reading, _),
    (   Reading == sets
    ->  cut_down(Table, Edges, S, T, Mask, Votes)
    ;   derived(Table, Edges, S, T, Mask),
        Votes = consistent
    ),
    decided(Table, Mask, Votes, Relations, By).

decided(table(_, _, _, _, Kinds), _, votes(_), [], closure) :-
    memberchk(none, Kinds),
    !.
decided(table(Names, _, _, _, _), Mask, votes(Masks), [Relation], most_votes) :- !,
    findall(Count-Place,
            ( bit(Mask, I),
              aggregate_all(count, ( member(M, Masks), M /\ (1 << I) =\= 0 ), Count),
              Place is -I ),
            Counted),
    max_member(_-Last, Counted),
    First is -Last,
    nth0(First, Names, Relation).
decided(table([First|_], _, _, _, _), 0, _, [First], first_of_all) :- !.
decided(Table, Mask, _, Relations, By) :-
    Table = table(Names, _, _, _, Kinds),
    findall(R, ( bit(Mask, I), nth0(I, Names, R) ), Left),
    (   Left = [One, _|_], \+ memberchk(several, Kinds)
    ->  Relations = [One],
        universal(Table, All),
        (   Mask =:= All -> By = first_of_all ; By = first_of_several )
    ;   Relations = Left,
        By = closure
    ).

%   Functions: what is known of a pair of nodes grows until nothing new comes.

derived(Table, Edges, S, T, Mask) :-
    (   converses_unique(Table)
    ->  Both = true,
        without_dead_ends(Edges, S, T, Used)
    ;   Both = false,
        Used = Edges
    ),
    empty_assoc(Empty),
    foldl(told(Table, Both), Used, Empty, Known0),
    assoc_to_list(Known0, Agenda),
    grown(Agenda, Table, Known0, Known),
    known(Known, S, T, 0, Mask).

%   Where edges are read both ways, a way into a dead end and back derives nothing.

without_dead_ends(Edges, S, T, Used) :-
    (   dead_end(Edges, S, T, End)
    ->  findall(edge(U, Rs, V), ( member(edge(U, Rs, V), Edges), U \== End, V \== End ), Fewer),
        without_dead_ends(Fewer, S, T, Used)
    ;   Used = Edges
    ).

dead_end(Edges, S, T, End) :-
    member(edge(A, _, B), Edges),
    member(End, [A, B]),
    End \== S,
    End \== T,
    findall(Other, neighbour(Edges, End, Other), Others),
    sort(Others, [_]),
    !.

neighbour(Edges, Node, Other) :-
    member(edge(U, _, V), Edges),
    (   U == Node -> Other = V ; V == Node -> Other = U ; fail ).

converses_unique(table(_, _, Converses, _, _)) :-
    forall(arg(_, Converses, Mask), popcount(Mask) =:= 1).

told(Table, Both, edge(U, Rs, V), Known0, Known) :-
    edge_mask(Table, Rs, Mask),
    added(U, V, Mask, Known0, Known1, _),
    (   Both == true
    ->  turned(Table, Mask, 0, Back),
        added(V, U, Back, Known1, Known, _)
    ;   Known = Known1
    ).

added(U, V, Mask, Known0, Known, New) :-
    known(Known0, U, V, 0, Old),
    New is Mask /\ \Old,
    (   ( New =:= 0 ; U == V )
    ->  Known = Known0
    ;   Whole is Old \/ Mask,
        put_assoc(U-V, Known0, Whole, Known)
    ).

grown([], _, Known, Known).
grown([(U-V)-Mask|Agenda0], Table, Known0, Known) :-
    assoc_to_list(Known0, Pairs),
    findall(X-Z-Whole, extension(Pairs, U, V, Mask, Table, X, Z, Whole), Found),
    foldl(extended, Found, Known0-Agenda0, Known1-Agenda),
    grown(Agenda, Table, Known1, Known).

extension(Pairs, U, V, Mask, Table, U, Z, Whole) :-
    member((V-Z)-Step, Pairs),
    Z \== U,
    composed(Table, 0, Mask, Step, Whole).
extension(Pairs, U, V, Mask, Table, X, V, Whole) :-
    member((X-U)-Step, Pairs),
    X \== V,
    composed(Table, 0, Step, Mask, Whole).

extended(X-Z-Whole, Known0-Agenda0, Known-Agenda) :-
    added(X, Z, Whole, Known0, Known, New),
    (   ( New =:= 0 ; X == Z ) -> Agenda = Agenda0 ; Agenda = [(X-Z)-New|Agenda0] ).

%   Alternatives: masks are cut down. Where two contradict each other both stay, and what was said of the query is kept
%   as votes.

cut_down(Table, Edges, S, T, Mask, Votes) :-
    linked(Edges, S, Nodes),
    empty_assoc(Empty),
    universal(Table, All),
    foldl(narrowed_edge(Table, Nodes), Edges, Empty, Known1),
    assoc_to_list(Known1, Told),
    (   member(_-0, Told) -> Consistency0 = contradicted ; Consistency0 = consistent ),
    foldl(no_empty(All), Told, Known1, Known0),
    neighbours(Known0, Nodes, Around),
    known(Known0, S, T, All, Given),
    (   Given =:= All -> Said0 = [] ; Said0 = [Given] ),
    exclude_nodes(Nodes, S, T, Inner),
    eliminated(Inner, Around, S-T, Table, state(Known0, Consistency0, Said0), state(Known, Consistency, Said)),
    known(Known, S, T, All, Mask),
    (   Consistency == contradicted -> Votes = votes(Said) ; Votes = consistent ).

exclude_nodes(Nodes, S, T, Inner) :-
    findall(Node, ( member(Node, Nodes), Node \== S, Node \== T ), Inner).

narrowed_edge(Table, Nodes, edge(U, Rs, V), Known0, Known) :-
    (   memberchk(U, Nodes), U \== V
    ->  edge_mask(Table, Rs, Mask),
        universal(Table, All),
        turned(Table, Mask, All, Back),
        known(Known0, U, V, All, Old),
        known(Known0, V, U, All, OldBack),
        New is Old /\ Mask,
        NewBack is OldBack /\ Back,
        put_assoc(U-V, Known0, New, Known1),
        put_assoc(V-U, Known1, NewBack, Known)
    ;   Known = Known0
    ).

no_empty(All, Pair-Mask, Known0, Known) :-
    (   Mask =:= 0 -> put_assoc(Pair, Known0, All, Known) ; Known = Known0 ).

linked(Edges, S, Nodes) :-
    reach([S], Edges, [S], Nodes).

reach([], _, Seen, Seen).
reach([Node|Waiting], Edges, Seen0, Seen) :-
    findall(Other,
            ( neighbour(Edges, Node, Other), \+ memberchk(Other, Seen0) ),
            Found),
    sort(Found, New),
    ord_union(Seen0, New, Seen1),
    append(New, Waiting, Waiting1),
    reach(Waiting1, Edges, Seen1, Seen).

neighbours(Known, Nodes, Around) :-
    assoc_to_list(Known, Pairs),
    empty_assoc(Empty),
    foldl(near(Pairs), Nodes, Empty, Around).

near(Pairs, Node, Around0, Around) :-
    findall(Other, member((Node-Other)-_, Pairs), Others),
    sort(Others, Near),
    put_assoc(Node, Around0, Near, Around).

eliminated([], _, _, _, State, State) :- !.
eliminated(Waiting, Around0, Query, Table, State0, State) :-
    fewest(Waiting, Around0, Node),
    ord_del_element(Waiting, Node, Rest),
    get_assoc(Node, Around0, Near0),
    sorted_from_query(Near0, Query, Near),
    findall(U-V, ordered_pair(Near, U, V), Pairs),
    foldl(step(Table, Node, Query), Pairs, State0, State1),
    foldl(unlinked(Node), Near, Around0, Around1),
    foldl(linked_now, Pairs, Around1, Around),
    eliminated(Rest, Around, Query, Table, State1, State).

fewest(Waiting, Around, Node) :-
    findall(Degree-One, ( member(One, Waiting), get_assoc(One, Around, Near), length(Near, Degree) ), Degrees),
    sort(Degrees, [_-Node|_]).

%   The two nodes of the query come first, so that pairs are taken in one order everywhere.

sorted_from_query(Near, S-T, Sorted) :-
    findall(Key-Node,
            ( member(Node, Near), ( Node == S -> Key = 0 ; Node == T -> Key = 1 ; Key = 2 ) ),
            Keyed),
    sort(Keyed, Ordered),
    pairs_values(Ordered, Sorted).

ordered_pair([U|Us], U, V) :- member(V, Us).
ordered_pair([_|Us], U, V) :- ordered_pair(Us, U, V).

unlinked(Node, Other, Around0, Around) :-
    get_assoc(Other, Around0, Near0),
    ord_del_element(Near0, Node, Near),
    put_assoc(Other, Around0, Near, Around).

linked_now(U-V, Around0, Around) :-
    get_assoc(U, Around0, NearU0), ord_add_element(NearU0, V, NearU), put_assoc(U, Around0, NearU, Around1),
    get_assoc(V, Around1, NearV0), ord_add_element(NearV0, U, NearV), put_assoc(V, Around1, NearV, Around).

step(Table, Node, Query, U-V, State0, State) :-
    cut(Table, Query, U, Node, V, State0, State1),
    cut(Table, Query, V, Node, U, State1, State).

cut(Table, S-T, U, Node, V, state(Known0, Consistency0, Said0), state(Known, Consistency, Said)) :-
    universal(Table, All),
    known(Known0, U, Node, All, First),
    known(Known0, Node, V, All, Second),
    composed(Table, All, First, Second, Made),
    known(Known0, U, V, All, Old),
    New is Old /\ Made,
    (   New =:= 0
    ->  Kept is Old \/ Made, Consistency = contradicted
    ;   Kept = New, Consistency = Consistency0
    ),
    put_assoc(U-V, Known0, Kept, Known),
    (   U == S, V == T, Made =\= All -> Said = [Made|Said0] ; Said = Said0 ).

%   Masks

known(Known, U, V, Otherwise, Mask) :-
    (   get_assoc(U-V, Known, Mask0) -> Mask = Mask0 ; Mask = Otherwise ).

universal(table(Names, _, _, _, _), All) :-
    length(Names, Count),
    All is (1 << Count) - 1.

edge_mask(table(Names, _, _, _, _), Rs, Mask) :-
    names_mask(Rs, Names, Mask).

names_mask(Rs, Names, Mask) :-
    foldl(with_name(Names), Rs, 0, Mask).

with_name(Names, R, Mask0, Mask) :-
    (   nth0(I, Names, R)
    ->  Mask is Mask0 \/ (1 << I)
    ;   existence_error(relation, R)
    ).

turned(table(_, _, Converses, _, _), Mask, Unknown, Back) :-
    findall(Of, ( bit(Mask, I), Place is I + 1, arg(Place, Converses, Of0), or_unknown(Of0, Unknown, Of) ), Masks),
    foldl(either, Masks, 0, Back).

composed(table(_, Cells, _, _, _), Unknown, First, Second, Mask) :-
    arg(1, Cells, Count),
    findall(Of,
            ( bit(First, I), bit(Second, J), Place is I*Count + J + 2,
              arg(Place, Cells, Of0), or_unknown(Of0, Unknown, Of) ),
            Masks),
    foldl(either, Masks, 0, Mask).

either(Mask, Mask0, Both) :-
    Both is Mask0 \/ Mask.

or_unknown(Mask0, Unknown, Mask) :-
    (   Mask0 =:= 0 -> Mask = Unknown ; Mask = Mask0 ).

bit(Mask, I) :-
    Mask > 0,
    Low is Mask /\ -Mask,
    I0 is msb(Low),
    Rest is Mask xor Low,
    (   I = I0 ; bit(Rest, I) ).

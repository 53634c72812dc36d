:- module(networks_reasoning,
          [ facts_table/2,      % +Facts, -Table
            network_answer/5,   % +Table, +Edges, +Query, -Relations, -By
            network_lines/4     % +Table, +Edges, +Query, -Lines
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4, assoc_to_list/2, list_to_assoc/2]).
:- use_module(library(error), [must_be/2, existence_error/2]).
:- use_module(library(lists), [append/3, last/2, list_to_set/2, member/2, memberchk/2, nth0/3, max_member/2, reverse/2]).
:- use_module(library(ordsets), [ord_union/3, ord_del_element/3, ord_add_element/3]).
:- use_module(library(pairs), [pairs_values/2]).

/** <module> Answers from a theory of composition

A theory is a list of facts, as the learner `algebra` writes them:

  - reading(sets) or reading(function): compose/3 lists the alternatives of a pair, or derives one relation
  - answers(Kind): the answers that there are: `one` relation, `several`, `none`
  - relation(R): all relations; the first decides where several are left and one is wanted
  - identity(R), converse(R, S), compose(R, S, T)
  - hint(End, R, T, W): where nothing follows, or several are left, an edge R that lies at an End of the query speaks for
    the answer T with the weight W. End is `leaves_first`, `enters_first`, `leaves_second` or `enters_second`: the edge
    leaves or enters the first or the second node.

==
?- facts_table([compose(father,mother,grandmother)], Table),
   network_answer(Table, [edge(0,[father],1), edge(1,[mother],2)], 0-2, Relations, By).
Relations = [grandmother], By = closure.
==

Sets of relations are bit masks inside; bit I is the relation that is I-th in the theory, from 0. Functions are
closed over all pairs of nodes, by any bracketing. Alternatives are cut down by eliminating the nodes one after the
other, that with the fewest neighbours first. identity/1 is for people: no answer depends on it.
*/

%!  facts_table(+Facts:list, -Table) is det.
%
%   Table is the theory that Facts state, ready for network_answer/5. Other terms among Facts are not looked at.

facts_table(Facts, table(Names, Cells, Converses, Reading, Kinds, Hints)) :-
    must_be(list, Facts),
    relation_names(Facts, Names),
    length(Names, Count),
    foldl(numbered, Names, 0-[], _-Numbered),
    list_to_assoc(Numbered, Places),
    Size is Count*Count,
    zeros(Size, Zeros),
    Cells =.. [cells, Count|Zeros],
    zeros(Count, NoConverses),
    Converses =.. [converses|NoConverses],
    foldl(entered(Places, Count), Facts, Cells-Converses, _),
    findall(Kind, member(answers(Kind), Facts), Kinds0),
    (   Kinds0 == [] -> Kinds = [one] ; Kinds = Kinds0 ),
    findall(hint(End, R, T, W), member(hint(End, R, T, W), Facts), Hints),
    reading_of(Facts, Cells, Reading).

numbered(Name, Place-Numbered, Next-[Name-Place|Numbered]) :-
    Next is Place+1.

zeros(Count, Zeros) :-
    length(Zeros, Count),
    maplist(=(0), Zeros).

entered(Places, Count, compose(R, S, T), Cells-Converses, Cells-Converses) :- !,
    get_assoc(R, Places, I),
    get_assoc(S, Places, J),
    Place is I*Count + J + 2,
    with_bit(Places, T, Place, Cells).
entered(Places, _, converse(R, S), Cells-Converses, Cells-Converses) :- !,
    get_assoc(R, Places, I),
    Place is I + 1,
    with_bit(Places, S, Place, Converses).
entered(_, _, _, Both, Both).

%   The table is filled in place; nobody else has it yet.

with_bit(Places, Name, Place, Masks) :-
    get_assoc(Name, Places, K),
    arg(Place, Masks, Mask0),
    Mask is Mask0 \/ (1 << K),
    setarg(Place, Masks, Mask).

reading_of(Facts, Cells, Reading) :-
    (   findall(Said, member(reading(Said), Facts), Readings),
        last(Readings, Last)
    ->  Reading = Last
    ;   Cells =.. [_, _|Masks],
        member(Mask, Masks),
        Mask /\ (Mask - 1) =\= 0
    ->  Reading = sets
    ;   Reading = function
    ).

relation_names(Facts, Names) :-
    findall(R, member(relation(R), Facts), Listed),
    findall(R, mentioned(Facts, R), Mentioned),
    append(Listed, Mentioned, All),
    list_to_set(All, Names),
    (   Names == [] -> existence_error(theory, Facts) ; true ).

mentioned(Facts, R) :- member(identity(R), Facts).
mentioned(Facts, R) :- member(converse(S, T), Facts), member(R, [S, T]).
mentioned(Facts, R) :- member(compose(S, T, U), Facts), member(R, [S, T, U]).
mentioned(Facts, R) :- member(hint(_, S, T, _), Facts), member(R, [S, T]).

%!  network_answer(+Table, +Edges:list, +Query, -Relations:list(atom), -By:atom) is det.
%
%   Relations are the answer of a network of edge(Source, Relations, Target) to the Query Source-Target. By says what
%   decided: `closure`, `first_of_several`, `most_votes`, `first_of_all` or `hints`.

network_answer(Table, Edges, S-T, Relations, By) :-
    must_be(list, Edges),
    Table = table(_, _, _, Reading, _, _),
    (   S == T
    ->  Mask = 0,
        Votes = consistent
    ;   Reading == sets
    ->  cut_down(Table, Edges, S, T, Mask, Votes, _)
    ;   derived(Table, Edges, S, T, Mask),
        Votes = consistent
    ),
    decided(Table, Mask, Votes, Relations0, By0),
    hinted(Table, Edges, S-T, Mask, Relations0-By0, Relations-By).

%   Hints choose where the order of the relations would.

hinted(table(Names, _, _, _, _, Hints), Edges, Query, Mask, _-By0, [Relation]-hints) :-
    Hints = [_|_],
    (   By0 == first_of_all
    ->  Among = Names
    ;   By0 == first_of_several,
        findall(R, ( bit(Mask, I), nth0(I, Names, R) ), Among)
    ),
    !,
    findall(End-R, place(Edges, Query, End, R), Places0),
    sort(Places0, Places),
    findall(W-Place,
            ( member(T, Among), once(nth0(I, Names, T)), Place is -I,
              aggregate_all(sum(Weight), ( member(hint(End, R, T, Weight), Hints), memberchk(End-R, Places) ), W) ),
            Sums),
    max_member(_-Last, Sums),
    First is -Last,
    nth0(First, Names, Relation).
hinted(_, _, _, _, Decided, Decided).

place(Edges, S-T, End, R) :-
    member(edge(U, Rs, V), Edges),
    (   U == S, End = leaves_first
    ;   V == S, End = enters_first
    ;   U == T, End = leaves_second
    ;   V == T, End = enters_second
    ),
    member(R, Rs).

decided(table(_, _, _, _, Kinds, _), _, votes(_), [], closure) :-
    memberchk(none, Kinds),
    !.
decided(table(Names, _, _, _, _, _), Mask, votes(Masks), [Relation], most_votes) :- !,
    findall(Count-Place,
            ( bit(Mask, I),
              aggregate_all(count, ( member(M, Masks), M /\ (1 << I) =\= 0 ), Count),
              Place is -I ),
            Counted),
    max_member(_-Last, Counted),
    First is -Last,
    nth0(First, Names, Relation).
decided(table([First|_], _, _, _, _, _), 0, _, [First], first_of_all) :- !.
decided(Table, Mask, _, Relations, By) :-
    Table = table(Names, _, _, _, Kinds, _),
    findall(R, ( bit(Mask, I), nth0(I, Names, R) ), Left),
    (   Left = [One, _|_], \+ memberchk(several, Kinds)
    ->  Relations = [One],
        universal(Table, All),
        (   Mask =:= All -> By = first_of_all ; By = first_of_several )
    ;   Relations = Left,
        By = closure
    ).

%!  network_lines(+Table, +Edges:list, +Query, -Lines:list(string)) is det.
%
%   Lines say how the answer of network_answer/5 comes about: the compositions that lead to it, one a line.

network_lines(Table, Edges, S-T, Lines) :-
    network_answer(Table, Edges, S-T, Relations, By),
    Table = table(_, _, _, Reading, _, _),
    (   S \== T, Reading == sets
    ->  cut_lines(Table, Edges, S, T, Lines, Lines0)
    ;   S \== T, Relations = [Relation|_], \+ memberchk(By, [first_of_all, hints])
    ->  proof_lines(Table, Edges, S, T, Relation, Lines, Lines0)
    ;   Lines = Lines0
    ),
    answer_line(By, S, T, Relations, Line),
    Lines0 = [Line].

answer_line(By, S, T, Relations, Line) :-
    because(By, Because),
    node_text(S, From),
    node_text(T, To),
    (   Relations == [] -> Text = inconsistent ; atomic_list_concat(Relations, '|', Text) ),
    format(string(Line), "~w to ~w: ~w, ~w.", [From, To, Text, Because]).

because(closure, "by these compositions").
because(first_of_several, "the first that the theory lists of several that are left").
because(most_votes, "for parts of the network contradict each other, and most of them allow it").
because(hints, "for the edges at both ends speak for it: it does not follow").
because(first_of_all, "for nothing follows, and the theory lists it first").

%   A node may have a name for people: Number-Name.

node_text(Node, Text) :-
    (   Node = _-Name -> Text = Name ; Text = Node ).

cut_lines(Table, Edges, S, T, Lines, Tail) :-
    cut_down(Table, Edges, S, T, _, _, Steps),
    reverse(Steps, Ordered),
    findall(Line, ( member(Step, Ordered), cut_line(Table, Step, Line) ), Found),
    append(Found, Tail, Lines).

%   Each pair is cut in both directions: one of them is enough for people.

cut_line(Table, cut(U, Node, V, First, Second, Made, Kept), Line) :-
    U @< V,
    maplist(node_text, [U, Node, V], [From, Through, To]),
    maplist(mask_text(Table), [First, Second, Made, Kept], [A, B, C, Left]),
    (   Made =:= Kept
    ->  format(string(Line), "~w to ~w through ~w: ~w then ~w gives ~w.", [From, To, Through, A, B, C])
    ;   format(string(Line), "~w to ~w through ~w: ~w then ~w gives ~w; with what was known: ~w.",
               [From, To, Through, A, B, C, Left])
    ).

mask_text(Table, Mask, Text) :-
    universal(Table, All),
    (   Mask =:= All
    ->  Text = anything
    ;   Table = table(Names, _, _, _, _, _),
        findall(R, ( bit(Mask, I), nth0(I, Names, R) ), Relations),
        atomic_list_concat(Relations, '|', Text)
    ).

%   The steps of the first proof that is found: an edge, an edge read backwards, or a composition of two steps before.

proof_lines(Table, Edges, S, T, Relation, Lines, Tail) :-
    Table = table(Names, _, _, _, _, _),
    once(nth0(Place, Names, Relation)),
    findall(step(U, I, V)-Reason, first_step(Table, Edges, U, I, V, Reason), Agenda0),
    empty_assoc(Empty),
    foldl(reasoned, Agenda0, Empty-[], Reasons0-Agenda),
    all_reasons(Agenda, Table, Reasons0, Reasons),
    told_proof(step(S, Place, T), Names, Reasons, Lines, Tail).

first_step(Table, Edges, U, I, V, Reason) :-
    member(edge(X, Rs, Y), Edges),
    X \== Y,
    edge_mask(Table, Rs, Mask),
    (   bit(Mask, I), U = X, V = Y, Reason = edge
    ;   converses_unique(Table), turned(Table, Mask, 0, Back), bit(Back, I), U = Y, V = X, Reason = backwards
    ).

reasoned(Step-Reason, Reasons0-Agenda0, Reasons-Agenda) :-
    (   get_assoc(Step, Reasons0, _)
    ->  Reasons = Reasons0,
        Agenda = Agenda0
    ;   put_assoc(Step, Reasons0, Reason, Reasons),
        Agenda = [Step|Agenda0]
    ).

all_reasons([], _, Reasons, Reasons).
all_reasons([Step|Agenda0], Table, Reasons0, Reasons) :-
    assoc_to_list(Reasons0, Known),
    findall(Found, next_step(Known, Step, Table, Found), Steps),
    foldl(reasoned, Steps, Reasons0-[], Reasons1-New),
    append(Agenda0, New, Agenda),
    all_reasons(Agenda, Table, Reasons1, Reasons).

next_step(Known, step(U, I, V), Table, step(U, K, Z)-by(step(U, I, V), step(V, J, Z))) :-
    member(step(V, J, Z)-_, Known),
    U \== Z,
    cell_member(Table, I, J, K).
next_step(Known, step(U, I, V), Table, step(X, K, V)-by(step(X, J, U), step(U, I, V))) :-
    member(step(X, J, U)-_, Known),
    X \== V,
    cell_member(Table, J, I, K).

cell_member(table(_, Cells, _, _, _, _), I, J, K) :-
    arg(1, Cells, Count),
    Place is I*Count + J + 2,
    arg(Place, Cells, Mask),
    bit(Mask, K).

told_proof(Step, Names, Reasons, Lines0, Lines) :-
    get_assoc(Step, Reasons, Reason),
    step_text(Step, Names, Text, Relation),
    (   Reason = by(Left, Right)
    ->  told_proof(Left, Names, Reasons, Lines0, Lines1),
        told_proof(Right, Names, Reasons, Lines1, [Line|Lines]),
        step_text(Left, Names, _, A),
        step_text(Right, Names, _, B),
        format(string(Line), "So ~w, by ~q.", [Text, compose(A, B, Relation)])
    ;   Reason == edge
    ->  format(string(Line), "~w is an edge.", [Text]),
        Lines0 = [Line|Lines]
    ;   format(string(Line), "~w is an edge read backwards.", [Text]),
        Lines0 = [Line|Lines]
    ).

step_text(step(U, I, V), Names, Text, Relation) :-
    nth0(I, Names, Relation),
    node_text(U, From),
    node_text(V, To),
    format(string(Text), "~w -~w-> ~w", [From, Relation, To]).

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

converses_unique(table(_, _, Converses, _, _, _)) :-
    forall(arg(_, Converses, Mask), ( Mask =\= 0, Mask /\ (Mask - 1) =:= 0 )).

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

cut_down(Table, Edges, S, T, Mask, Votes, Steps) :-
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
    eliminated(Inner, Around, S-T, Table, state(Known0, Consistency0, Said0, []),
               state(Known, Consistency, Said, Steps)),
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

cut(Table, S-T, U, Node, V, state(Known0, Consistency0, Said0, Steps),
    state(Known, Consistency, Said, [cut(U, Node, V, First, Second, Made, Kept)|Steps])) :-
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

universal(table(Names, _, _, _, _, _), All) :-
    length(Names, Count),
    All is (1 << Count) - 1.

edge_mask(table(Names, _, _, _, _, _), Rs, Mask) :-
    names_mask(Rs, Names, Mask).

names_mask(Rs, Names, Mask) :-
    foldl(with_name(Names), Rs, 0, Mask).

with_name(Names, R, Mask0, Mask) :-
    (   nth0(I, Names, R)
    ->  Mask is Mask0 \/ (1 << I)
    ;   existence_error(relation, R)
    ).

turned(table(_, _, Converses, _, _, _), Mask, Unknown, Back) :-
    findall(Of, ( bit(Mask, I), Place is I + 1, arg(Place, Converses, Of0), or_unknown(Of0, Unknown, Of) ), Masks),
    foldl(either, Masks, 0, Back).

composed(table(_, Cells, _, _, _, _), Unknown, First, Second, Mask) :-
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

% How the rules of a world are reasoned with, in worlds.pl, where the worlds are dynamic facts, and in the theory.pl of
% every dataset, where they stand in rules.pl. It stands on
%
%   rule(?World, ?Number, ?A, ?B, ?H)   rule Number of World: H(X,Z) <- A(X,Y), B(Y,Z)
%   inverse(?World, ?L, ?M)             L(X,Y) if and only if M(Y,X), for labels of World
%   reads_backwards(?World)             World derives with its inverses, too
%   edge(?Graph, ?World, ?X, ?L, ?Y)    Graph, of World, has this edge

%!  composes(+World, ?A, ?B, ?H) is nondet.
%
%   H(X,Z) follows from A(X,Y) and B(Y,Z): by a rule of World, or by one read backwards where World does so.

:- table composes/4.

composes(World, A, B, H) :-
    rule(World, _, A, B, H).
composes(World, A, B, H) :-
    reads_backwards(World),
    inverse(World, BackB, A),
    inverse(World, BackA, B),
    rule(World, _, BackA, BackB, BackH),
    inverse(World, BackH, H).

%!  chain_relation(+World, +Labels:list(atom), ?H) is nondet.
%
%   A chain of nodes linked by Labels, in that order, is linked from end to end by H: by any bracketing, for the rules
%   are not associative. Answers come in no order.

:- table chain_relation/3.

chain_relation(_, [Label], Label) :- !.
chain_relation(World, Labels, H) :-
    two_parts(Labels, Front, Back),
    chain_relation(World, Front, A),
    chain_relation(World, Back, B),
    composes(World, A, B, H).

two_parts([First,Second|Rest], [First], [Second|Rest]).
two_parts([First,Second,Third|Rest], [First|Front], Back) :-
    two_parts([Second,Third|Rest], Front, Back).

%!  rule_relation(+World, +Labels:list(atom), ?H) is nondet.
%
%   As chain_relation/3, by the rules as they are written, never read backwards.

:- table rule_relation/3.

rule_relation(_, [Label], Label) :- !.
rule_relation(World, Labels, H) :-
    two_parts(Labels, Front, Back),
    rule_relation(World, Front, A),
    rule_relation(World, Back, B),
    rule(World, _, A, B, H).

%!  chain_proof(+World, +Labels:list(atom), +H, -Proof) is nondet.
%
%   Proof shows that Labels compose to H: a label, or by(Number, Left, Right) for the use of rule Number. Splits the
%   chain as near to its start as it can first.

chain_proof(World, Labels, H, Proof) :-
    chain_proof_(Labels, World, H, Proof).

chain_proof_([Label], _, H, Proof) :-
    !,
    H = Label,
    Proof = Label.
chain_proof_(Labels, World, H, by(Number,Left,Right)) :-
    two_parts(Labels, Front, Back),
    rule(World, Number, A, B, H),
    rule_relation(World, Front, A),
    rule_relation(World, Back, B),
    chain_proof_(Front, World, A, Left),
    chain_proof_(Back, World, B, Right).

%!  proof_rules(+Proof, -Numbers:list(integer)) is det.
%
%   The rules that Proof uses, each use once, the topmost first.

proof_rules(Proof, Numbers) :-
    phrase(used_rules(Proof), Numbers).

used_rules(by(Number,Left,Right)) -->
    !,
    [Number],
    used_rules(Left),
    used_rules(Right).
used_rules(_) --> [].

%!  proof_depth(+Proof, -Depth:integer) is det.
%
%   How many rules stand on top of each other at most.

proof_depth(by(_,Left,Right), Depth) :-
    !,
    proof_depth(Left, LeftDepth),
    proof_depth(Right, RightDepth),
    Depth is 1 + max(LeftDepth, RightDepth).
proof_depth(_, 0).

%!  linked(+Graph, +World, ?X, ?L, ?Y) is nondet.
%
%   L(X,Y) follows from the edges of Graph by the theory of World.

linked(Graph, World, X, L, Y) :-
    findall(e(A,M,B), edge(Graph, World, A, M, B), Edges),
    findall(Node, ( member(e(A,_,B), Edges), ( Node = A ; Node = B ) ), Nodes0),
    sort(Nodes0, Nodes),
    member(X, Nodes),
    member(Y, Nodes),
    graph_relations(World, Edges, X, Y, Relations),
    member(L, Relations).

%!  graph_relations(+World, +Edges:list, +X, +Y, -Relations:list(atom)) is det.
%
%   Relations are all between nodes X and Y that follow from Edges, each e(From,Label,To), by the theory of World, sorted.
%
%   Whatever follows about X and Y follows from a walk from X to Y, and only arcs of one kind compose. So the arcs of each
%   kind are cut down to those on such walks, which are few: what follows from these hangs neither on the names of the nodes
%   nor on the rest of the graph, and is derived once for all graphs that come to the same.

graph_relations(World, Edges, X, Y, Relations) :-
    findall(Kind, ( leaving_label(World, Edges, X, L), kind_of(World, L, Kind) ), Kinds0),
    sort(Kinds0, Kinds),
    findall(L,
            ( member(e(X,L,Y), Edges)
            ; backwards_edge(World, Edges, X, L, Y)
            ; member(Kind, Kinds),
              kind_relation(World, Kind, Edges, X, Y, L)
            ),
            Relations0),
    sort(Relations0, Relations).

leaving_label(_, Edges, X, L) :-
    member(e(X,L,_), Edges).
leaving_label(World, Edges, X, L) :-
    backwards_edge(World, Edges, X, L, _).

backwards_edge(World, Edges, X, L, Y) :-
    reads_backwards(World),
    member(e(Y,Back,X), Edges),
    inverse(World, Back, L).

% L(X,Y) follows from the edges whose labels are of one kind.
kind_relation(World, Kind, Edges, X, Y, L) :-
    kind_readings(World, Kind, Readings),
    arcs(Edges, Readings, Arcs),
    arcs_from([X], Arcs, Reached),
    arcs_to([Y], Reached, Between),
    renamed(Between, 1, [Y-1], Walks, Names),
    memberchk(X-From, Names),
    walks_relations(World, Walks, From, 1, Relations),
    member(L, Relations).

% An edge is an arc, or one in the other direction, or both, or of another kind.
arcs([], _, []).
arcs([e(U,L,V)|Edges], Readings, Arcs) :-
    (   memberchk(L-How, Readings)
    ->  read_edge(How, U, L, V, Arcs, Rest)
    ;   Arcs = Rest
    ),
    arcs(Edges, Readings, Rest).

read_edge(forwards,     U, L, V, [arc(U,L,V)|Arcs], Arcs).
read_edge(back(M),      U, _, V, [arc(V,M,U)|Arcs], Arcs).
read_edge(both(M),      U, L, V, [arc(U,L,V),arc(V,M,U)|Arcs], Arcs).

% The arcs to which others lead from the nodes Todo.
arcs_from([], _, []).
arcs_from([Node|Todo], Arcs, Reached) :-
    leaving(Arcs, Node, Left, Todo, Todo1, Reached, Reached1),
    arcs_from(Todo1, Left, Reached1).

leaving([], _, [], Todo, Todo, Reached, Reached).
leaving([Arc|Arcs], Node, Left, Todo0, Todo, Reached0, Reached) :-
    Arc = arc(U,_,V),
    (   U == Node
    ->  Reached0 = [Arc|Reached1],
        leaving(Arcs, Node, Left, [V|Todo0], Todo, Reached1, Reached)
    ;   Left = [Arc|Left1],
        leaving(Arcs, Node, Left1, Todo0, Todo, Reached0, Reached)
    ).

% The arcs from which others lead to the nodes Todo.
arcs_to([], _, []).
arcs_to([Node|Todo], Arcs, Reaching) :-
    coming(Arcs, Node, Left, Todo, Todo1, Reaching, Reaching1),
    arcs_to(Todo1, Left, Reaching1).

coming([], _, [], Todo, Todo, Reaching, Reaching).
coming([Arc|Arcs], Node, Left, Todo0, Todo, Reaching0, Reaching) :-
    Arc = arc(U,_,V),
    (   V == Node
    ->  Reaching0 = [Arc|Reaching1],
        coming(Arcs, Node, Left, [U|Todo0], Todo, Reaching1, Reaching)
    ;   Left = [Arc|Left1],
        coming(Arcs, Node, Left1, Todo0, Todo, Reaching0, Reaching)
    ).

% Nodes become numbers in the order in which the arcs name them.
renamed([], _, Names, [], Names).
renamed([arc(U,L,V)|Arcs], Count0, Names0, [arc(From,L,To)|Walks], Names) :-
    node_number(V, Count0, Names0, To, Count1, Names1),
    node_number(U, Count1, Names1, From, Count2, Names2),
    renamed(Arcs, Count2, Names2, Walks, Names).

node_number(Node, Count0, Names0, Number, Count, Names) :-
    (   memberchk(Node-Known, Names0)
    ->  Number = Known,
        Count = Count0,
        Names = Names0
    ;   Number is Count0+1,
        Count = Number,
        Names = [Node-Number|Names0]
    ).

%!  walks_relations(+World, +Walks:list, +From, +To, -Relations:list(atom)) is det.
%
%   Relations are all between nodes From and To that follow from Walks, each arc(U,L,V) with numbers from 1 for nodes.
%
%   This is a fixpoint by an agenda: tables take several times as long on graphs so small. Out and In have an argument for
%   each node, the arcs that leave it and that come to it, and are changed in place until they are whole.

:- table walks_relations/5.

walks_relations(World, Walks, From, To, Relations) :-
    findall(Node, ( member(arc(U,_,V), Walks), ( Node = U ; Node = V ) ), Nodes0),
    sort(Nodes0, Nodes),
    findall([], member(_, Nodes), Empty),
    compound_name_arguments(Out, out, Empty),
    compound_name_arguments(In, in, Empty),
    compose_arcs(Walks, World, Out, In),
    arg(From, Out, Leaving),
    findall(L, member(to(L,To), Leaving), Relations).

compose_arcs([], _, _, _).
compose_arcs([arc(U,L,V)|Agenda], World, Out, In) :-
    arg(U, Out, LeavingU),
    (   memberchk(to(L,V), LeavingU)
    ->  compose_arcs(Agenda, World, Out, In)
    ;   arg(V, In, ComingV),
        setarg(U, Out, [to(L,V)|LeavingU]),
        setarg(V, In, [from(L,U)|ComingV]),
        compositions(World, L, AsFirst, AsSecond),
        onwards(AsFirst, Out, U, V, Agenda, Agenda1),
        before(AsSecond, In, U, V, Agenda1, Agenda2),
        compose_arcs(Agenda2, World, Out, In)
    ).

onwards([], _, _, _, Agenda, Agenda) :- !.
onwards(AsFirst, Out, U, V, Agenda0, Agenda) :-
    arg(V, Out, Leaving),
    findall(arc(U,H,Z), ( member(to(B,Z), Leaving), member(with(B,H), AsFirst) ), Agenda, Agenda0).

before([], _, _, _, Agenda, Agenda) :- !.
before(AsSecond, In, U, V, Agenda0, Agenda) :-
    arg(U, In, Coming),
    findall(arc(T,H,V), ( member(from(A,T), Coming), member(with(A,H), AsSecond) ), Agenda, Agenda0).

%!  compositions(+World, +L, -AsFirst:list, -AsSecond:list) is det.
%
%   All compositions of L: with(B,H) for composes(World, L, B, H), and with(A,H) for composes(World, A, L, H).

:- table compositions/4.

compositions(World, L, AsFirst, AsSecond) :-
    findall(with(B,H), composes(World, L, B, H), AsFirst),
    findall(with(A,H), composes(World, A, L, H), AsSecond).

%!  kind_of(+World, +L, -Kind) is semidet.
%
%   Kind is the first of the labels that L is tied to: two labels are tied if they stand together in a composition, or
%   are tied to the same label. Fails for a label that is in none. Walks of two kinds, such as those of the two signs, can
%   never be composed.

:- table kind_of/3, kind_readings/3, tied/3.

kind_of(World, L, Kind) :-
    findall(M, tied(World, L, M), Tied),
    sort(Tied, [Kind|_]).

%!  kind_readings(+World, +Kind, -Readings:list) is det.
%
%   Readings has L-How for each label L that can be part of a walk of Kind. How is `forwards`, or where World reads backwards
%   back(M) if only its inverse M is of Kind, and both(M) if both are.

kind_readings(World, Kind, Readings) :-
    findall(M, tied(World, Kind, M), Tied),
    sort(Tied, Labels),
    findall(L-How, ( member(L, Labels), own_reading(World, Labels, L, How) ), Own),
    findall(L-back(M), ( reads_backwards(World), member(M, Labels), inverse(World, L, M), \+ memberchk(L, Labels) ), Back),
    append(Own, Back, Readings).

own_reading(World, Labels, L, How) :-
    (   reads_backwards(World),
        inverse(World, L, M),
        memberchk(M, Labels)
    ->  How = both(M)
    ;   How = forwards
    ).

tied(World, L, M) :-
    together(World, L, M).
tied(World, L, N) :-
    tied(World, L, M),
    together(World, M, N).

together(World, L, M) :-
    composes(World, A, B, H),
    member(L, [A,B,H]),
    member(M, [A,B,H]).

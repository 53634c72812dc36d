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
%   L(X,Y) follows from the edges of Graph by the theory of World. Answers come in no order.

linked(Graph, World, X, L, Y) :-
    kinds(World, Kinds),
    member(Kind, Kinds),
    leads(X, Kind, Graph, World, L, Found),
    Found = Y.
linked(Graph, World, X, L, Y) :-
    step(Graph, World, X, L, Y),
    \+ kind_of(World, L, _).

% One table for each node and kind of labels that is asked: with L and Y left open, no goal opens a table for a part of
% another's answers. Kinds keep walks apart that can never be composed, such as those of the two signs.

:- table leads/6.

leads(X, Kind, Graph, World, L, Y) :-
    step(Graph, World, X, L, Y),
    kind_of(World, L, Kind).
leads(X, Kind, Graph, World, H, Z) :-
    leads(X, Kind, Graph, World, A, Y),
    leads(Y, Kind, Graph, World, B, Z),
    composes(World, A, B, H).

%!  kind_of(+World, +L, -Kind) is semidet.
%
%   Kind is the first of the labels that L is tied to: two labels are tied if they stand together in a composition, or
%   are tied to the same label. Fails for a label that is in none.

:- table kind_of/3, kinds/2, tied/3.

kind_of(World, L, Kind) :-
    findall(M, tied(World, L, M), Tied),
    sort(Tied, [Kind|_]).

kinds(World, Kinds) :-
    findall(Kind, ( composes(World, L, _, _), kind_of(World, L, Kind) ), Found),
    sort(Found, Kinds).

tied(World, L, M) :-
    together(World, L, M).
tied(World, L, N) :-
    tied(World, L, M),
    together(World, M, N).

together(World, L, M) :-
    composes(World, A, B, H),
    member(L, [A,B,H]),
    member(M, [A,B,H]).

step(Graph, World, X, L, Y) :-
    edge(Graph, World, X, L, Y).
step(Graph, World, X, L, Y) :-
    reads_backwards(World),
    edge(Graph, World, Y, Back, X),
    inverse(World, Back, L).

% What can be asked of the rows of a dataset. This file is the background.pl of every dataset; it stands on theory.pl and
%
%   sample(?Id, ?World, ?Split, ?Label, ?Graph)     Graph is graph(X, Y, Edges, Path): which relation have X and Y?
%
% where Edges is a list of e(From, Label, To) and Path, from X to Y, is the path that resolves it.

:- use_module(library(lists)).

%!  edge(?Id, ?World, ?X, ?L, ?Y) is nondet.
%
%   The graph of row Id, of World, has an edge L from X to Y.

edge(Id, World, X, L, Y) :-
    sample(Id, World, _, _, graph(_,_,Edges,_)),
    member(e(X,L,Y), Edges).

%!  true_answer(+Id, -Relation) is semidet.
%
%   Relation, and no other, follows from the graph of row Id for the two nodes that it asks about, by the theory of its
%   world. Neither the label nor the stored path is looked at. Fails where nothing follows or several relations do, as
%   for many published rows.

true_answer(Id, Relation) :-
    row_relations(Id, [Relation]).

%!  row_relations(+Id, -Relations:list(atom)) is semidet.
%
%   Relations are all that follow from the graph of row Id for the two nodes that it asks about, sorted. Fails if there is
%   no row Id.

row_relations(Id, Relations) :-
    sample(Id, World, _, _, graph(X,Y,Edges,_)),
    !,
    graph_relations(World, Edges, X, Y, Relations).

%!  judged(?Id, ?Expected) is nondet.
%
%   The label of row Id states Expected.

judged(Id, Expected) :-
    sample(Id, _, _, Expected, _).

%!  explain_truth(+Id) is semidet.
%
%   Prints what follows for the two nodes that row Id asks about, and a proof of each such relation along a shortest path.
%   Fails if there is no row Id.

explain_truth(Id) :-
    row_relations(Id, Relations),
    once(sample(Id, World, _, _, graph(X,Y,_,_))),
    (   Relations == []
    ->  format("No relation of node ~w to node ~w follows from the graph by the rules of ~w.~n", [X, Y, World])
    ;   Relations = [Relation]
    ->  format("~w(~w,~w) follows by the rules of ~w, and no other relation does.~n", [Relation, X, Y, World])
    ;   length(Relations, Count),
        atomic_list_concat(Relations, ', ', Text),
        format("The row has no single answer: ~d relations of node ~w to node ~w follow (~w).~n", [Count, X, Y, Text])
    ),
    forall(member(Relation, Relations), explain_relation(Id, World, Relation)).

explain_relation(Id, World, Relation) :-
    (   resolve(Id, Relation, how(Path,_,Proof))
    ->  proof_lines(Proof, World, 2, Path, _)
    ;   format("  ~w follows only with an edge or a rule that is read backwards.~n", [Relation])
    ).

% Prints Proof, the topmost rule first. Its leaves are the edges along Path, in order.
proof_lines(by(Number,Left,Right), World, Indent, Path, Rest) :-
    !,
    once(rule(World, Number, A, B, H)),
    proof_end(by(Number,Left,Right), Path, X, Z),
    format("~t~*|~w(~w,~w): rule ~w, ~w(X,Z) if ~w(X,Y) and ~w(Y,Z)~n", [Indent, H, X, Z, Number, H, A, B]),
    Deeper is Indent+2,
    proof_lines(Left, World, Deeper, Path, Middle),
    proof_lines(Right, World, Deeper, Middle, Rest).
proof_lines(Label, _, Indent, [X,Y|Path], [Y|Path]) :-
    format("~t~*|~w(~w,~w): an edge~n", [Indent, Label, X, Y]).

proof_end(Proof, [X|Path], X, Z) :-
    leaves(Proof, Count),
    nth1(Count, Path, Z),
    !.

leaves(by(_,Left,Right), Count) :-
    !,
    leaves(Left, First),
    leaves(Right, Second),
    Count is First+Second.
leaves(_, 1).

%!  resolve(?Id, ?Relation, -How) is nondet.
%
%   Relation follows from a path between the two nodes that row Id asks about. How is how(Path, Rules, Proof): the nodes
%   of the path, the uses of rules as Head-[A,B], the topmost first, and the proof that they make, see
%   chain_proof/4. Shorter paths come first; paths of more than 10 edges are tried only where the row says that its own
%   has as many.

resolve(Id, Relation, how(Path,Rules,Proof)) :-
    sample(Id, World, _, _, graph(X,Y,Edges,Stored)),
    length(Stored, Nodes),
    Most is max(10, Nodes-1),
    path_between(Edges, Most, X, Y, Path, Labels),
    relations_of(World, Labels, Relations),
    member(Relation, Relations),
    once(chain_proof(World, Labels, Relation, Proof)),      % one proof of each relation
    proof_rules(Proof, Numbers),
    rules_of(Numbers, World, Rules).

relations_of(World, Labels, Relations) :-
    findall(Relation, rule_relation(World, Labels, Relation), Found),
    sort(Found, Relations).

rules_of([], _, []).
rules_of([Number|Numbers], World, [H-[A,B]|Rules]) :-
    rule(World, Number, A, B, H),
    rules_of(Numbers, World, Rules).

%!  path_between(+Edges, +Most:integer, +X, +Y, -Path:list, -Labels:list) is nondet.
%
%   Path leads along at most Most of Edges from X to Y without meeting a node twice, and Labels are theirs. Shorter
%   ones come first.

path_between(Edges, Most, X, Y, [X|Path], Labels) :-
    between(1, Most, Length),
    length(Labels, Length),
    walk(Labels, Edges, X, Y, [X], Path).

walk([L], Edges, X, Y, _, [Y]) :-
    member(e(X,L,Y), Edges).
walk([L,M|Labels], Edges, X, Y, Seen, [Z|Path]) :-
    member(e(X,L,Z), Edges),
    Z \== Y,
    \+ memberchk(Z, Seen),
    walk([M|Labels], Edges, Z, Y, [Z|Seen], Path).

%!  similarity(?World, ?Other, -Share) is nondet.
%
%   Share of the rules of World that Other has, too.

similarity(World, Other, Share) :-
    world(World),
    world(Other),
    findall(A-B-H, rule(World, _, A, B, H), Rules),
    findall(Rule, ( member(Rule, Rules), Rule = A-B-H, rule(Other, _, A, B, H) ), Shared),
    length(Rules, Count),
    Count > 0,
    length(Shared, Common),
    Share is Common / Count.

:- module(graphlog_worlds,
          [ set_world/4,            % +World, +Rules, +Inverses, +Backwards
            chain_verdict/4,        % +World, +Labels, -ByRules, -ByTheory
            proven_triples/2,       % +World, -Chains
            chain_certificate/6,    % +World, +Labels, +H, -Text, -Numbers, -Depth
            chain_proof_lines/5,    % +World, +Labels, +H, +Path, -Lines
            graphs_relations/3,     % +World, +Graphs, -Relations
            surviving_rules/3,      % +Partners, +Drawn, -Rules
            inverse_labels/2        % +Partners, -Inverses
          ]).
:- use_module(hornbeam(kb/graphlog/laws), [kept_rule/3, read_backwards/5]).
:- use_module(library(apply), [convlist/3, include/3, maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2]).

/** <module> The worlds that a generator or a check works with

A world is a set of rules. Chains and graphs are asked in bulk, and each comes back with all that its world's theory derives.
*/

:- dynamic
    rule/5,
    inverse/3,
    reads_backwards/1,
    world/1,
    sample/5.                       % rows.pl asks for it; here there is none

:- include(reasoning).
:- include(rows).

%!  set_world(+World, +Rules:list, +Inverses:list, +Backwards:boolean) is det.
%
%   World has these rules, each [A,B,H], numbered from 0, and these inverses, each [L,M] and in both directions;
%   it derives with the inverses if Backwards is true. What World had before is forgotten.

set_world(World, Rules, Inverses, Backwards) :-
    must_be(atom, World),
    must_be(boolean, Backwards),
    must_be(list(list(atom)), Rules),
    must_be(list(list(atom)), Inverses),
    abolish_all_tables,
    retractall(rule(World, _, _, _, _)),
    retractall(inverse(World, _, _)),
    retractall(reads_backwards(World)),
    assert_rules(Rules, 0, World),
    maplist(assert_inverse(World), Inverses),
    (   Backwards == true
    ->  assertz(reads_backwards(World))
    ;   true
    ).

assert_rules([], _, _).
assert_rules([[A,B,H]|Rules], Number, World) :-
    assertz(rule(World, Number, A, B, H)),
    Next is Number+1,
    assert_rules(Rules, Next, World).

assert_inverse(World, [L,M]) :-
    assertz(inverse(World, L, M)).

%!  chain_verdict(+World, +Labels:list(atom), -ByRules:list(atom), -ByTheory:list(atom)) is det.
%
%   All that Labels compose to, sorted: ByRules with the rules as written, ByTheory with all that World derives with.

chain_verdict(World, Labels, ByRules, ByTheory) :-
    findall(H, rule_relation(World, Labels, H), Found),
    sort(Found, ByRules),
    findall(H, chain_relation(World, Labels, H), All),
    sort(All, ByTheory).

%!  proven_triples(+World, -Chains:list(list(atom))) is det.
%
%   The chains of three labels that compose to one relation and no other, sorted: what a world can ask beyond its rules.

proven_triples(World, Chains) :-
    findall(Chain, composed_triple(World, Chain), Found),
    sort(Found, Candidates),
    include(has_one_relation(World), Candidates, Chains).

composed_triple(World, [C,D,B]) :-
    rule(World, _, A, B, _),
    rule(World, _, C, D, A).
composed_triple(World, [A,C,D]) :-
    rule(World, _, A, B, _),
    rule(World, _, C, D, B).

has_one_relation(World, Chain) :-
    chain_verdict(World, Chain, [_], [_]).

%!  chain_certificate(+World, +Labels:list(atom), +H, -Text:atom, -Numbers:list(integer), -Depth:integer) is semidet.
%
%   The first proof that Labels compose to H: as text, its rules, and how deep it is.

chain_certificate(World, Labels, H, Text, Numbers, Depth) :-
    chain_proof(World, Labels, H, Proof),
    !,                                  % one proof is enough
    proof_rules(Proof, Numbers),
    proof_depth(Proof, Depth),
    phrase(proof_text(Proof, World), Parts),
    atomic_list_concat(Parts, Text).

proof_text(by(Number,Left,Right), World) -->
    !,
    { once(rule(World, Number, _, _, H)) },         % a number is one rule's
    [H, '('],
    proof_text(Left, World),
    [','],
    proof_text(Right, World),
    [')'].
proof_text(Label, _) --> [Label].

%!  chain_proof_lines(+World, +Labels:list(atom), +H, +Path:list, -Lines:list(atom)) is semidet.
%
%   The first proof that Labels, along the nodes Path, compose to H, as a tree for a person to read.

chain_proof_lines(World, Labels, H, Path, Lines) :-
    once(chain_proof(World, Labels, H, Proof)),
    with_output_to(string(Text), proof_lines(Proof, World, 0, Path, _)),
    split_string(Text, "\n", "", Strings),
    append(Shown, [""], Strings),
    !,                                  % the last line ends with a newline, too
    maplist(atom_string, Lines, Shown).

%!  graphs_relations(+World, +Graphs:list, -Relations:list(list(atom))) is det.
%
%   For each of Graphs, a list [Edges,X,Y] with edges [From,To,Label]: all relations between nodes X and Y that follow
%   from its edges by the theory of World, sorted.

graphs_relations(World, Graphs, Relations) :-
    maplist(graph_relations_(World), Graphs, Relations).

graph_relations_(World, [Edges,X,Y], Relations) :-
    maplist(as_edge, Edges, Terms),
    graph_relations(World, Terms, X, Y, Relations).

as_edge([From,To,Label], e(From,Label,To)).

%!  surviving_rules(+Partners, +Drawn:list, -Rules:list) is det.
%
%   What a vocabulary keeps of the rules Drawn, in their order; see kept_rule/3. Partners is a list.

surviving_rules(Partners, Drawn, Rules) :-
    must_be(list(integer), Partners),
    Involution =.. [partners|Partners],
    convlist(kept_rule(Involution), Drawn, Rules).

%!  inverse_labels(+Partners:list(integer), -Inverses:list) is det.
%
%   For each base relation of a vocabulary, with each sign, what it reads backwards: [Base,Sign,Partner,Other].

inverse_labels(Partners, Inverses) :-
    must_be(list(integer), Partners),
    Involution =.. [partners|Partners],
    length(Partners, Count),
    Last is Count-1,
    findall([Base,Sign,Partner,Other],
            ( between(0, Last, Base),
              member(Sign, [0,1]),
              read_backwards(Involution, Base, Sign, Partner, Other) ),
            Inverses).

:- module(kandy_trees,
          [ coded_trees/2,              % +Codes, -Trees
            trees_scenes/3,             % +Trees, -Roots, -Facts
            scene_tree/2,               % +Node, -Tree
            set_scenes/2,               % +Samples, +Trees
            with_scenes/3               % +Trees, -Samples, :Goal
          ]).

:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- use_module('../kandy_kb', [defined_as/3, sample_is/2]).

:- meta_predicate with_scenes(+, -, 0).

/** <module> The forms of a tree: coded, natural, pointer

The natural form of a composition is `Operator(Children)`.  The pointer form is
a set of facts (see kb/kandy/scenes.pl).  The coded form is how trees come from
Python, many in one flat list of atoms and integers, which cross faster than
anything nested: an object is its name, and a composition the number of its
children, its operator, and the codes of the children.

    [1, in, 2, stack, triangle_red_small, square_red_small]
*/

%!  coded_trees(+Codes:list, -Trees:list) is det.
%
%   Trees are the natural forms of the trees that stand one after the other in
%   Codes.

coded_trees([], []).
coded_trees([Code|Codes], [Tree|Trees]) :-
    coded_tree(Code, Codes, Rest, Tree),
    coded_trees(Rest, Trees).

coded_tree(Count, Codes, Rest, Tree), integer(Count) =>
    Codes = [Operator|ChildCodes],
    compound_name_arguments(Tree, Operator, [Children]),
    coded_children(Count, ChildCodes, Rest, Children).
coded_tree(Object, Codes, Rest, Tree) =>
    Rest = Codes,
    Tree = Object.

coded_children(0, Codes, Rest, Children) =>
    Rest = Codes,
    Children = [].
coded_children(Count, [Code|Codes], Rest, Children) =>
    Children = [Child|Others],
    coded_tree(Code, Codes, Between, Child),
    Left is Count - 1,
    coded_children(Left, Between, Rest, Others).

%!  trees_scenes(+Trees:list, -Roots:list, -Facts:list) is det.
%
%   Facts are the defined_as/3 facts of Trees, which are natural, and Roots
%   the nodes that stand for the whole trees.  Equal compositions share one
%   pointer, in one tree and between trees.

trees_scenes(Trees, Roots, Facts) :-
    empty_assoc(None),
    nodes(Trees, Roots, state(0, None, Facts), state(_, _, [])).

nodes([], [], State, State).
nodes([Tree|Trees], [Node|Nodes], State0, State) :-
    node(Tree, Node, State0, State1),
    nodes(Trees, Nodes, State1, State).

node(Tree, Node, State0, State) :-
    compound(Tree),
    !,
    compound_name_arguments(Tree, Operator, [Children]),
    nodes(Children, Nodes, State0, State1),
    pointer(Operator, Nodes, Node, State1, State).
node(Object, Object, State, State).

pointer(Operator, Nodes, Pointer, State0, State) :-
    State0 = state(_, Known, _),
    get_assoc(Operator-Nodes, Known, Pointer),
    !,
    State = State0.
pointer(Operator, Nodes, Pointer,
        state(Count0, Known0, [defined_as(Pointer, Operator, Nodes)|Facts]),
        state(Count, Known, Facts)) :-
    format(atom(Pointer), 'c~|~`0t~d~6+', [Count0]),
    Count is Count0 + 1,
    put_assoc(Operator-Nodes, Known0, Pointer, Known).

%!  scene_tree(+Node:atom, -Tree) is det.
%
%   Tree is the natural form of the tree that Node stands for.

scene_tree(Pointer, Tree) :-
    defined_as(Pointer, Operator, Nodes),
    !,
    compound_name_arguments(Tree, Operator, [Children]),
    scene_trees(Nodes, Children).
scene_tree(Object, Object).

scene_trees([], []).
scene_trees([Node|Nodes], [Tree|Trees]) :-
    scene_tree(Node, Tree),
    scene_trees(Nodes, Trees).

%!  set_scenes(+Samples:list(atom), +Trees:list) is det.
%
%   From now on the facts of kandy_scenes describe Trees, which are natural, and
%   no others, under the names Samples.

set_scenes(Samples, Trees) :-
    trees_scenes(Trees, Roots, Definitions),
    pairs(Samples, Roots, SampleFacts),
    replace_scenes(Definitions, SampleFacts).

pairs([], [], []).
pairs([Sample|Samples], [Root|Roots], [sample_is(Sample, Root)|Facts]) :-
    pairs(Samples, Roots, Facts).

%!  with_scenes(+Trees:list, -Samples:list(atom), :Goal) is semidet.
%
%   Runs Goal once while the facts of kandy_scenes describe Trees, which are
%   natural, and no others.  Samples are the names under which sample_is/2
%   knows them, in their order.

with_scenes(Trees, Samples, Goal) :-
    findall(defined_as(Pointer, Operator, Nodes), defined_as(Pointer, Operator, Nodes), Definitions),
    findall(sample_is(Sample, Node), sample_is(Sample, Node), SampleFacts),
    numbered(Trees, 1, Samples),
    setup_call_cleanup(
        set_scenes(Samples, Trees),
        once(Goal),
        replace_scenes(Definitions, SampleFacts)).

numbered([], _, []).
numbered([_|Trees], Number, [Sample|Samples]) :-
    format(atom(Sample), 's~|~`0t~d~5+', [Number]),
    Next is Number + 1,
    numbered(Trees, Next, Samples).

replace_scenes(Definitions, SampleFacts) :-
    retractall(kandy_scenes:defined_as(_, _, _)),
    retractall(kandy_scenes:sample_is(_, _)),
    assert_all(Definitions),
    assert_all(SampleFacts).

assert_all([]).
assert_all([Fact|Facts]) :-
    assertz(kandy_scenes:Fact),
    assert_all(Facts).

:- module(kandy_parsing,
          [ parse_pictures/7            % +Canvas, +Measures, +Pictures, +Grammar, +Most, +Limit, -Parses
          ]).

:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2]).
:- use_module(library(solution_sequences), [limit/2]).
:- use_module(hornbeam(kb/kandy/compositions), [diag/1, quadrant/1, quadrant_or_center/1]).
:- use_module(hornbeam(kb/kandy/pictures/layout), [cells/6, object_canvas/3]).

/** <module> The grammar of pictures: which trees put objects where patches are seen

A parse explains every patch of a picture by one object, which lies where the
geometry of kb/kandy/pictures/layout.pl puts it.  The grammar is that geometry, run
backwards: a node explains some of the patches on its canvas, either one by an
object or at least two by a composition whose children explain them.

Many trees look the same.  A parse is the one of them that

  - has no composition with a single child, except for a quadrant and for an
    object in the middle of the whole picture, which is `in` of it;
  - has `stack` and `side_by_side` in place of their reduced twins where both explain the
    same patches, in the geometry `right`.

Patches are seen as patch(Bit, X1, X2, Y1, Y2, Left, Top, Right, Bottom): a power of two
that is its own, the bounds of the middle of its object in half pixels, and the
box of what is visible of it.  Sets of patches are integers: the sums of their bits.
*/

%!  parse_pictures(+Canvas, +Measures, +Pictures:list, +Grammar, +Most, +Limit, -Parses:list) is det.
%
%   Parses are, for each picture, the codes of at most Most parses.
%
%   @arg Canvas is canvas(Left, Top, Width, Height): where the tree is drawn.
%   @arg Pictures is a list of lists of integers: eight for each patch, as in patch/9 without the bit.
%   @arg Grammar is `plain`, where only the whole picture can be a quadrant, `places`, where every part can be one, or
%   `any`, where also `in` and quadrants may have several children, which lie on each other.
%   @arg Limit is how many inferences a picture may take; one that takes more has no parse.
%   @arg Parses are lists of codes: a patch is its number, from 0, a composition the atom of its operator, the
%   number of its children, and their codes.

parse_pictures(Canvas, Measures, Pictures, Grammar, Most, Limit, Parses) :-
    must_be(list(list(integer)), Pictures),
    must_be(oneof([plain, places, any]), Grammar),
    must_be(positive_integer, Most),
    must_be(positive_integer, Limit),
    maplist(picture_parses(Canvas, Measures, Grammar, Most, Limit), Pictures, Parses).

picture_parses(Canvas, Measures, Grammar, Most, Limit, Numbers, Codes) :-
    patches(Numbers, 1, Patches),
    call_with_inference_limit(
        findall(Tree, limit(Most, scene(Canvas, Measures, Patches, Grammar, Tree)), Trees0),
        Limit,
        Result),
    (   Result == inference_limit_exceeded
    ->  Trees = []
    ;   Trees = Trees0
    ),
    maplist(tree_codes, Trees, Codes).

patches([], _, []).
patches([X1, X2, Y1, Y2, Left, Top, Right, Bottom|Numbers], Bit,
        [patch(Bit, X1, X2, Y1, Y2, Left, Top, Right, Bottom)|Patches]) :-
    Next is Bit << 1,
    patches(Numbers, Next, Patches).

tree_codes(Tree, Codes) :-
    phrase(codes(Tree), Codes).

codes(patch(Bit)) -->
    { Number is msb(Bit) },
    [Number].
codes(node(Operator, Children)) -->
    { length(Children, Count) },
    [Operator, Count],
    all_codes(Children).

all_codes([]) --> [].
all_codes([Child|Children]) -->
    codes(Child),
    all_codes(Children).

%!  scene(+Canvas, +Measures, +Patches:list, +Grammar, -Tree) is nondet.
%
%   Tree explains all Patches.

scene(Canvas, Measures, Patches, plain, Tree) =>
    explained(Canvas, Measures, Patches, plain, 4, Tree).
scene(Canvas, Measures, Patches, Grammar, Tree) =>
    % The wider grammars say the same in many ways: only the least deep trees are wanted.
    between(1, 5, Depth),
    \+ \+ explained(Canvas, Measures, Patches, Grammar, Depth, _),
    !,
    explained(Canvas, Measures, Patches, Grammar, Depth, Tree).

explained(Canvas, Measures, Patches, Grammar, Depth, Tree) :-
    Patches = [_|_],
    length(Patches, Count),
    All is 1 << Count - 1,
    node(Canvas, All, Patches, task(Measures, Grammar, Depth), All, Node),
    (   Node = patch(_)
    ->  Tree = node(in, [Node])
    ;   Tree = Node
    ).
explained(Canvas, Measures, Patches, plain, Depth, node(Operator, [Child])) :-
    length(Patches, Count),
    All is 1 << Count - 1,
    quadrant(Operator),
    divided(Operator, 1, Canvas, All, Patches, task(Measures, plain, Depth), All, [Child]).

%!  node(+Canvas, +Must:integer, +May:list, +Task, -Used:integer, -Node) is nondet.
%
%   Node, drawn on Canvas, explains the patches Used: all of Must, and others of May.

node(Canvas, Must, May, Task, Used, patch(Used)) :-
    popcount(Must) =< 1,
    Task = task(Measures, _, _),
    object_canvas(Canvas, Measures, canvas(Left, Top, Width, Height)),
    X is 2 * Left + Width,
    Y is 2 * Top + Height,
    member(patch(Used, X1, X2, Y1, Y2, _, _, _, _), May),
    X >= X1, X =< X2, Y >= Y1, Y =< Y2,
    Must /\ \Used =:= 0.
node(Canvas, Must, May, task(Measures, Grammar, Depth), Used, node(Operator, Children)) :-
    Depth > 0,
    May = [_|_],
    Less is Depth - 1,
    composition(Canvas, Must, May, task(Measures, Grammar, Less), Used, Operator, Children).

composition(Canvas, Must, May, Task, Used, Operator, [Child]) :-
    Task = task(_, Grammar, _),
    Grammar \== plain,
    quadrant(Operator),
    divided(Operator, 1, Canvas, Must, May, Task, Used, [Child]).
composition(Canvas, Must, May, Task, Used, Operator, Children) :-
    May = [_, _|_],
    length(May, Most),
    (   Task = task(_, any, _),
        quadrant_or_center(Operator),
        Top is min(Most, 4),
        between(2, Top, Count),
        divided(Operator, Count, Canvas, Must, May, Task, Used, Children)
    ;   between(2, Most, Count),
        ordered(Count, Canvas, Must, May, Task, Used, Operator, Children)
    ).

ordered(Count, Canvas, Must, May, Task, Used, Operator, Children) :-
    ( Operator = grid ; diag(Operator) ),
    divided(Operator, Count, Canvas, Must, May, Task, Used, Children).
ordered(Count, Canvas, Must, May, Task, Used, Operator, Children) :-
    twins(Plain, Reduced),
    (   Task = task(measures(compat, _, _), _, _)
    ->  % There the twins differ by a pixel or so.
        ( Operator = Plain ; Operator = Reduced ),
        divided(Operator, Count, Canvas, Must, May, Task, Used, Children)
    ;   divided(Plain, Count, Canvas, Must, May, Task, Used, Children)
    *-> Operator = Plain
    ;   divided(Reduced, Count, Canvas, Must, May, Task, Used, Children),
        Operator = Reduced
    ).

twins(stack, stack_reduce_bb).
twins(side_by_side, side_by_side_reduce_bb).

%!  divided(+Operator, +Count, +Canvas, +Must, +May, +Task, -Used, -Children) is nondet.
%
%   Children are the Count children of Operator on Canvas, and explain the patches Used.

divided(Operator, Count, canvas(Left, Top, Width, Height), Must, May, Task, Used, Children) :-
    Task = task(Measures, _, _),
    known_cells(Operator, Count, Width, Height, Measures, Cells),
    cells_parts(Cells, Left, Top, Measures, May, Parts, Covered),
    Must /\ \Covered =:= 0,
    later(Parts, _, Laters),
    children(Parts, Laters, Must, 0, Task, Used, Children).

:- table known_cells/6.

known_cells(Operator, Count, Width, Height, Measures, Cells) :-
    cells(Operator, Count, Width, Height, Measures, Cells).

%   A part is a child's canvas with the patches that fit on it: none of them sticks out.

cells_parts([], _, _, _, _, [], 0).
cells_parts([cell(Left0, Top0, Width, Height)|Cells], X, Y, Measures, May, [part(Canvas, Fit, Fits)|Parts], Covered) :-
    Left is X + Left0,
    Top is Y + Top0,
    Canvas = canvas(Left, Top, Width, Height),
    object_canvas(Canvas, Measures, canvas(_, _, Across, Down)),
    Right is Left + max(Width, Across),
    Bottom is Top + max(Height, Down),
    fitting(May, Left, Top, Right, Bottom, Fits, Fit),
    Fit =\= 0,
    cells_parts(Cells, X, Y, Measures, May, Parts, Others),
    Covered is Fit \/ Others.

fitting([], _, _, _, _, [], 0).
fitting([Patch|Patches], Left, Top, Right, Bottom, Fits, Fit) :-
    Patch = patch(Bit, _, _, _, _, L, T, R, B),
    (   L >= Left, R =< Right, T >= Top, B =< Bottom
    ->  Fits = [Patch|Others],
        fitting(Patches, Left, Top, Right, Bottom, Others, Fit0),
        Fit is Fit0 \/ Bit
    ;   fitting(Patches, Left, Top, Right, Bottom, Fits, Fit)
    ).

%   The patches that fit on a later canvas, for each part.

later([], 0, []).
later([part(_, Fit, _)|Parts], All, [Later|Laters]) :-
    later(Parts, Later, Laters),
    All is Fit \/ Later.

children([], [], Must, Used, _, Used, []) :-
    Must /\ \Used =:= 0.
children([part(Canvas, Fit, Fits)|Parts], [Later|Laters], Must, Used0, Task, Used, [Child|Children]) :-
    Here is Must /\ \Used0 /\ \Later,
    Here /\ \Fit =:= 0,
    Fit /\ \Used0 =\= 0,
    unused(Fits, Used0, May),
    node(Canvas, Here, May, Task, UsedHere, Child),
    Used1 is Used0 \/ UsedHere,
    children(Parts, Laters, Must, Used1, Task, Used, Children).

unused([], _, []).
unused([Patch|Patches], Used, Free) :-
    arg(1, Patch, Bit),
    (   Bit /\ Used =:= 0
    ->  Free = [Patch|Others]
    ;   Free = Others
    ),
    unused(Patches, Used, Others).

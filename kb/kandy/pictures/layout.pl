:- module(kandy_layout,
          [ least_side/2,               % +Measures, -Side
            cells/6,                    % +Operator, +Count, +Width, +Height, +Measures, -Cells
            object_canvas/3             % +Canvas, +Measures, -ObjectCanvas
          ]).

:- use_module(library(lists), [numlist/3]).

/** <module> Where the parts of a picture lie: the geometry of the thirteen compositions

A composition divides its canvas among its children.  An object lies in the
middle of its canvas and never scales.  This is the only statement of the
geometry: the renderer asks cells/6 where to draw, and the grammar of
prolog/kandy/parsing.pl asks it which compositions explain what is seen.

Lengths are whole pixels, y grows downwards.  A cell is
cell(Left, Top, Width, Height), relative to the canvas of its composition.
Measures is measures(Geometry, Largest, Noise): the largest size of an object, by
how much noise can change it, and one of two geometries.  `right` is ours.
`compat` is that of the original, where quadrant_ll is drawn in the upper right
and the children of stack and side_by_side lie about a pixel off the middle line.

`random` is absent: it draws the places of its children.
*/

%!  least_side(+Measures, -Side:integer) is det.
%
%   Side is the side of the smallest canvas that holds every object.

least_side(measures(_, Largest, Noise), Side) :-
    Side is ceiling(Largest + Noise).

%!  object_canvas(+Canvas, +Measures, -ObjectCanvas) is det.
%
%   ObjectCanvas is the canvas canvas(Left, Top, Width, Height) that an object is
%   drawn in the middle of if Canvas is given to it: Canvas itself, or a
%   square that holds every object if Canvas does not.

object_canvas(canvas(Left, Top, Width, Height), Measures, Object) :-
    least_side(Measures, Least),
    (   ( Width < Least ; Height < Least )
    ->  Object = canvas(Left, Top, Least, Least)
    ;   Object = canvas(Left, Top, Width, Height)
    ).

%!  cells(+Operator:atom, +Count, +Width, +Height, +Measures, -Cells:list) is semidet.
%
%   Cells are the canvases of the Count children of Operator on a canvas of
%   Width by Height.  Fails for `random`.

cells(Operator, Count, Width, Height, Measures, Cells) :-
    numlist(1, Count, Numbers),
    cells(Numbers, Operator, Count, Width, Height, Measures, Cells).

cells([], _, _, _, _, _, []).
cells([Number|Numbers], Operator, Count, Width, Height, Measures, [Cell|Cells]) :-
    cell(Operator, Number, Count, Width, Height, Measures, Cell),
    cells(Numbers, Operator, Count, Width, Height, Measures, Cells).

%!  cell(+Operator:atom, +Number, +Count, +Width, +Height, +Measures, -Cell) is semidet.
%
%   Cell is the canvas of child Number of Count.

cell(in, _, _, Width, Height, _, cell(0, 0, Width, Height)).
cell(quadrant_ul, _, _, Width, Height, _, cell(0, 0, Across, Down)) :-
    halves(Width, Height, Across, Down).
cell(quadrant_ur, _, _, Width, Height, _, cell(Across, 0, Across, Down)) :-
    halves(Width, Height, Across, Down).
cell(quadrant_ll, _, _, Width, Height, measures(Geometry, _, _), cell(Left, Top, Across, Down)) :-
    halves(Width, Height, Across, Down),
    lower_left(Geometry, Across, Down, Left, Top).
cell(quadrant_lr, _, _, Width, Height, _, cell(Across, Down, Across, Down)) :-
    halves(Width, Height, Across, Down).
cell(grid, Number, Count, Width, Height, Measures, cell(Left, Top, Across, Down)) :-
    Before is Count - 1,
    nth_integer_root_and_remainder(2, Before, Root, _),
    Side is Root + 1,
    Row is (Number - 1) // Side,
    Column is (Number - 1) mod Side,
    Left is truncate(Column * Width / Side),
    Top is truncate(Row * Height / Side),
    roomy(Measures, Width // Side, Across),
    roomy(Measures, Height // Side, Down).
cell(stack, Number, Count, Width, Height, Measures, Cell) :-
    roomy(Measures, Width, Across0),
    roomy(Measures, Height // Count, Down),
    centred(Measures, Width, Across0, Across),
    Measures = measures(Geometry, _, _),
    (   Geometry == compat
    ->  Left = 0
    ;   corner(Measures, 0.5, Width, Across, Left)
    ),
    along(Number, Count, Part),
    corner(Measures, Part, Height, Down, Top),
    Cell = cell(Left, Top, Across, Down).
cell(stack_reduce_bb, Number, Count, Width, Height, Measures, cell(Left, Top, Across, Down)) :-
    roomy(Measures, Width // Count, Across0),
    roomy(Measures, Height // Count, Down),
    centred(Measures, Width, Across0, Across),
    corner(Measures, 0.5, Width, Across, Left),
    along(Number, Count, Part),
    corner(Measures, Part, Height, Down, Top).
cell(side_by_side, Number, Count, Width, Height, Measures, Cell) :-
    turned(stack, Number, Count, Width, Height, Measures, Cell).
cell(side_by_side_reduce_bb, Number, Count, Width, Height, Measures, Cell) :-
    turned(stack_reduce_bb, Number, Count, Width, Height, Measures, Cell).
cell(diag_ul_lr, Number, Count, Width, Height, Measures, Cell) :-
    along(Number, Count, Part),
    diagonal(Part, Part, Count, Width, Height, Measures, Cell).
cell(diag_ll_ur, Number, Count, Width, Height, Measures, Cell) :-
    along(Number, Count, Part),
    Up is 1 - Part,
    diagonal(Part, Up, Count, Width, Height, Measures, Cell).

%   Rows are columns with the axes exchanged.

turned(Operator, Number, Count, Width, Height, Measures, cell(Left, Top, Across, Down)) :-
    cell(Operator, Number, Count, Height, Width, Measures, cell(Top, Left, Down, Across)).

diagonal(PartX, PartY, Count, Width, Height, Measures, cell(Left, Top, Across, Down)) :-
    roomy(Measures, Width // Count, Across),
    roomy(Measures, Height // Count, Down),
    corner(Measures, PartX, Width, Across, Left),
    corner(Measures, PartY, Height, Down, Top).

%   The children of a line divide it into one part more than there are children.

along(Number, Count, Part) :-
    Part is Number / (Count + 1).

halves(Width, Height, Across, Down) :-
    Across is Width // 2,
    Down is Height // 2.

%   The original draws the lower left quadrant in the upper right.

lower_left(right, _, Down, 0, Down).
lower_left(compat, Across, _, Across, 0).

%   A side that holds every object.

roomy(measures(_, Largest, Noise), Side, Room) :-
    Room is ceiling(Noise + max(Largest, Side)).

%   A cell of the same parity as its canvas lies exactly on the middle line, so that a
%   stack and its reduced twin look alike.

centred(measures(right, _, _), Side, Room0, Room) :-
    Room is Room0 + (Side - Room0) mod 2.
centred(measures(compat, _, _), _, Room, Room).

%   The corner of a cell whose middle lies at Part of Side, on whole pixels.

corner(measures(right, _, _), Part, Side, Room, Corner) :-
    % 3/4 of a side is that, whatever the rounding errors of the quarters.
    Corner is floor(Part * Side - Room / 2 + 1.0e-9).
corner(measures(compat, _, _), Part, Side, Room, Corner) :-
    Corner is truncate(Part * Side - Room / 2).

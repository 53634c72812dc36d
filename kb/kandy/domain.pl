:- module(kandy_domain,
          [ shape/1,                    % ?Shape
            color/1,                    % ?Color
            size/1,                     % ?Size
            atom_props/4                % ?Object, ?Shape, ?Color, ?Size
          ]).

/** <module> The domain of KANDY pictures: shapes, colours, sizes and the objects made of them

The order of the facts is the order in which the curriculum language sorts.

An object's name is its shape, colour and size joined by an underscore, and
atom_props/4 is the only place where a name is taken apart.  The paper splits
the text of the name at every look-up; that is slow, and it breaks for a colour
such as `light_blue`.  A table needs no splitting, is found through its first
argument, and holds for any domain whose names are distinct.

The predicates are dynamic because a curriculum may bring a domain of its own:
the engine then replaces the facts, and a generated dataset carries this file
with the facts of its own domain.
*/

:- dynamic
    shape/1,
    color/1,
    size/1,
    atom_props/4.

%!  shape(?Shape:atom) is nondet.
%
%   Shape is a shape that an object can have.

shape(circle).
shape(triangle).
shape(square).

%!  color(?Color:atom) is nondet.
%
%   Color is a colour that an object can have.

color(red).
color(yellow).
color(green).
color(cyan).
color(blue).
color(magenta).

%!  size(?Size:atom) is nondet.
%
%   Size is a size that an object can have.

size(small).
size(large).

%!  atom_props(?Object:atom, ?Shape:atom, ?Color:atom, ?Size:atom) is nondet.
%
%   Object is the name of the object with this Shape, Color and Size.
%   Semidet if Object is bound.

atom_props(circle_red_small, circle, red, small).
atom_props(circle_red_large, circle, red, large).
atom_props(circle_yellow_small, circle, yellow, small).
atom_props(circle_yellow_large, circle, yellow, large).
atom_props(circle_green_small, circle, green, small).
atom_props(circle_green_large, circle, green, large).
atom_props(circle_cyan_small, circle, cyan, small).
atom_props(circle_cyan_large, circle, cyan, large).
atom_props(circle_blue_small, circle, blue, small).
atom_props(circle_blue_large, circle, blue, large).
atom_props(circle_magenta_small, circle, magenta, small).
atom_props(circle_magenta_large, circle, magenta, large).
atom_props(triangle_red_small, triangle, red, small).
atom_props(triangle_red_large, triangle, red, large).
atom_props(triangle_yellow_small, triangle, yellow, small).
atom_props(triangle_yellow_large, triangle, yellow, large).
atom_props(triangle_green_small, triangle, green, small).
atom_props(triangle_green_large, triangle, green, large).
atom_props(triangle_cyan_small, triangle, cyan, small).
atom_props(triangle_cyan_large, triangle, cyan, large).
atom_props(triangle_blue_small, triangle, blue, small).
atom_props(triangle_blue_large, triangle, blue, large).
atom_props(triangle_magenta_small, triangle, magenta, small).
atom_props(triangle_magenta_large, triangle, magenta, large).
atom_props(square_red_small, square, red, small).
atom_props(square_red_large, square, red, large).
atom_props(square_yellow_small, square, yellow, small).
atom_props(square_yellow_large, square, yellow, large).
atom_props(square_green_small, square, green, small).
atom_props(square_green_large, square, green, large).
atom_props(square_cyan_small, square, cyan, small).
atom_props(square_cyan_large, square, cyan, large).
atom_props(square_blue_small, square, blue, small).
atom_props(square_blue_large, square, blue, large).
atom_props(square_magenta_small, square, magenta, small).
atom_props(square_magenta_large, square, magenta, large).

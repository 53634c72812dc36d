:- module(kandy_attributes,
          [ extract_shape/2,            % ?Object, ?Shape
            extract_color/2,            % ?Object, ?Color
            extract_size/2,             % ?Object, ?Size
            exists_shape/2,             % ?Shape, +Nodes
            exists_color/2,             % ?Color, +Nodes
            exists_size/2,              % ?Size, +Nodes
            same_shape/2,               % ?Shape, +Nodes
            same_color/2,               % ?Color, +Nodes
            same_size/2,                % ?Size, +Nodes
            same_attribute/1,           % +Nodes
            same_non_size/1             % +Nodes
          ]).

:- use_module(library(lists), [member/2]).
:- use_module(domain, [atom_props/4]).

/** <module> What single objects, and lists of them, look like

These predicates are the same in both encodings: an object is an atom in either.
A composition has no shape, colour or size, so a list that contains one is
never of the `same_` anything.
*/

%!  extract_shape(?Object:atom, ?Shape:atom) is nondet.
%!  extract_color(?Object:atom, ?Color:atom) is nondet.
%!  extract_size(?Object:atom, ?Size:atom) is nondet.
%
%   Object has this attribute.  Semidet if Object is bound; fails for a
%   composition.

extract_shape(Object, Shape) :-
    atom_props(Object, Shape, _, _).

extract_color(Object, Color) :-
    atom_props(Object, _, Color, _).

extract_size(Object, Size) :-
    atom_props(Object, _, _, Size).

%!  exists_shape(?Shape:atom, +Nodes:list) is nondet.
%!  exists_color(?Color:atom, +Nodes:list) is nondet.
%!  exists_size(?Size:atom, +Nodes:list) is nondet.
%
%   Some object among Nodes has this attribute.

exists_shape(Shape, Nodes) :-
    member(Object, Nodes),
    extract_shape(Object, Shape).

exists_color(Color, Nodes) :-
    member(Object, Nodes),
    extract_color(Object, Color).

exists_size(Size, Nodes) :-
    member(Object, Nodes),
    extract_size(Object, Size).

%!  same_shape(?Shape:atom, +Nodes:list) is semidet.
%!  same_color(?Color:atom, +Nodes:list) is semidet.
%!  same_size(?Size:atom, +Nodes:list) is semidet.
%
%   Nodes is a list of one or more objects, and all have this attribute.

same_shape(Shape, [Object|Objects]) :-
    extract_shape(Object, Shape),
    all_of_shape_(Objects, Shape).

all_of_shape_([], _).
all_of_shape_([Object|Objects], Shape) :-
    extract_shape(Object, Shape),
    all_of_shape_(Objects, Shape).

same_color(Color, [Object|Objects]) :-
    extract_color(Object, Color),
    all_of_color_(Objects, Color).

all_of_color_([], _).
all_of_color_([Object|Objects], Color) :-
    extract_color(Object, Color),
    all_of_color_(Objects, Color).

same_size(Size, [Object|Objects]) :-
    extract_size(Object, Size),
    all_of_size_(Objects, Size).

all_of_size_([], _).
all_of_size_([Object|Objects], Size) :-
    extract_size(Object, Size),
    all_of_size_(Objects, Size).

%!  same_attribute(+Nodes:list) is nondet.
%
%   Nodes agree in shape, in colour or in size: once for each.

same_attribute(Nodes) :-
    same_shape(_, Nodes).
same_attribute(Nodes) :-
    same_color(_, Nodes).
same_attribute(Nodes) :-
    same_size(_, Nodes).

%!  same_non_size(+Nodes:list) is nondet.
%
%   Nodes agree in shape or in colour: once for each.

same_non_size(Nodes) :-
    same_shape(_, Nodes).
same_non_size(Nodes) :-
    same_color(_, Nodes).

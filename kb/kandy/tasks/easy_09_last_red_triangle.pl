:- module(kandy_easy_09_last_red_triangle, [valid/1]).  % +Node

:- use_module('../natural/full',
              [ extract_children/2, last/2, extract_shape/2, extract_color/2
              ]).

%!  valid(+Node) is nondet.
%
%   The last child of Node is a red triangle.

valid(Node) :-
    extract_children(Node, Children),
    last(Children, Last),
    extract_shape(Last, triangle),
    extract_color(Last, red).

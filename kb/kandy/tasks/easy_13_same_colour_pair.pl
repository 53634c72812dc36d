:- module(kandy_easy_13_same_colour_pair, [valid/1]).   % +Node

:- use_module('../natural/full',
              [ recursive_contains/2, extract_shape/2, same_color/2
              ]).

%!  valid(+Node) is nondet.
%
%   Somewhere below Node are a triangle and a square of the same colour.

valid(Node) :-
    recursive_contains(Node, Triangle),
    extract_shape(Triangle, triangle),
    recursive_contains(Node, Square),
    extract_shape(Square, square),
    same_color(_, [Triangle, Square]).

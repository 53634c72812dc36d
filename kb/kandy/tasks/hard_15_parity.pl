:- module(kandy_hard_15_parity, [valid/1]).             % +Node

:- use_module('../natural/full',
              [ extract_children/2, odd/1, even/1, same_color/2,
                same_shape/2
              ]).

%!  valid(+Node) is nondet.
%
%   Node has an odd number of children of the same colour, or an even number
%   of children of the same shape.

valid(Node) :-
    extract_children(Node, Children),
    length(Children, Count),
    odd(Count),
    same_color(_, Children).
valid(Node) :-
    extract_children(Node, Children),
    length(Children, Count),
    even(Count),
    same_shape(_, Children).

:- module(kandy_easy_01_square, [valid/1]).             % +Node

:- use_module('../natural/full', [contains/2, extract_shape/2]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a square.

valid(Node) :-
    contains(Node, Object),
    extract_shape(Object, square).

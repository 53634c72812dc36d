:- module(kandy_easy_03_red, [valid/1]).                % +Node

:- use_module('../natural/full', [contains/2, extract_color/2]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is red.

valid(Node) :-
    contains(Node, Object),
    extract_color(Object, red).

:- module(kandy_easy_08_yellow, [valid/1]).             % +Node

:- use_module('../natural/full', [contains/2, extract_color/2]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is yellow.

valid(Node) :-
    contains(Node, Object),
    extract_color(Object, yellow).

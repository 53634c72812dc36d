:- module(kandy_easy_05_blue, [valid/1]).               % +Node

:- use_module('../natural/full', [contains/2, extract_color/2]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is blue.

valid(Node) :-
    contains(Node, Object),
    extract_color(Object, blue).

:- module(kandy_easy_06_cyan, [valid/1]).               % +Node

:- use_module('../natural/full', [contains/2, extract_color/2]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is cyan.

valid(Node) :-
    contains(Node, Object),
    extract_color(Object, cyan).

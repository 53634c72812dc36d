:- module(kandy_easy_07_magenta, [valid/1]).            % +Node

:- use_module('../natural/full', [contains/2, extract_color/2]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is magenta.

valid(Node) :-
    contains(Node, Object),
    extract_color(Object, magenta).

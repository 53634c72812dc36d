:- module(kandy_easy_17_tower, [valid/1]).              % +Node

:- use_module('../natural/full', [contains/2, tower/1]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a tower.

valid(Node) :-
    contains(Node, Object),
    tower(Object).

:- module(kandy_hard_07_wagon, [valid/1]).              % +Node

:- use_module('../natural/full', [contains/2, wagon/1]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a wagon.

valid(Node) :-
    contains(Node, Object),
    wagon(Object).

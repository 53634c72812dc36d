:- module(kandy_hard_04_house, [valid/1]).              % +Node

:- use_module('../natural/full', [contains/2, house/1]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a house.

valid(Node) :-
    contains(Node, Object),
    house(Object).

:- module(kandy_hard_17_implications_everywhere, [valid/1]). % +Node

:- use_module('../natural/full', [contains/2, is_named_object/2]).

%!  valid(+Node) is nondet.
%
%   Each direct child of Node has both a traffic light and a car, or both a
%   house and a tower, or neither a traffic light nor a house.

valid(Node) :-
    forall(contains(Node, Group), coherent(Group)).

coherent(Node) :-
    has(Node, traffic_light),
    has(Node, car).
coherent(Node) :-
    has(Node, house),
    has(Node, tower).
coherent(Node) :-
    \+ has(Node, traffic_light),
    \+ has(Node, house).

has(Node, Name) :-
    contains(Node, Object),
    is_named_object(Object, Name).

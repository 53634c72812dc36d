:- module(kandy_hard_16_implications, [valid/1]).       % +Node

:- use_module('../natural/full', [contains/2, is_named_object/2]).

%!  valid(+Node) is nondet.
%
%   Node has both a traffic light and a car, or both a house and a tower, or
%   neither a traffic light nor a house.  The paper's prose puts it as two
%   implications, "a traffic light implies a car, or a house implies a tower".
%   Its rule, which we follow, is stricter: a traffic light without a car is
%   only valid beside a house with a tower.

valid(Node) :-
    has(Node, traffic_light),
    has(Node, car).
valid(Node) :-
    has(Node, house),
    has(Node, tower).
valid(Node) :-
    \+ has(Node, traffic_light),
    \+ has(Node, house).

has(Node, Name) :-
    contains(Node, Object),
    is_named_object(Object, Name).

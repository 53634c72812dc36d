:- module(kandy_hard_08_traffic_light, [valid/1]).      % +Node

:- use_module('../natural/full', [contains/2, traffic_light/1]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a traffic light.

valid(Node) :-
    contains(Node, Object),
    traffic_light(Object).

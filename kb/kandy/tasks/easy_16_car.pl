:- module(kandy_easy_16_car, [valid/1]).                % +Node

:- use_module('../natural/full', [contains/2, car/1]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a car.

valid(Node) :-
    contains(Node, Object),
    car(Object).

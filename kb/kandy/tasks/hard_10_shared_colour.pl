:- module(kandy_hard_10_shared_colour, [valid/1]).      % +Node

:- use_module('../domain', [color/1]).
:- use_module('../natural/full', [contains/2, extract_color/2]).

%!  valid(+Node) is nondet.
%
%   Every direct child of Node has, among its own children, an object of one
%   and the same colour.  A Node without children is valid.

valid(Node) :-
    color(Color),
    forall(contains(Node, Group),
           ( contains(Group, Object),
             extract_color(Object, Color)
           )).

:- module(kandy_hard_09_shared_shape, [valid/1]).       % +Node

:- use_module('../domain', [shape/1]).
:- use_module('../natural/full', [contains/2, extract_shape/2]).

%!  valid(+Node) is nondet.
%
%   Every direct child of Node has, among its own children, an object of one
%   and the same shape.  A Node without children is valid.

valid(Node) :-
    shape(Shape),
    forall(contains(Node, Group),
           ( contains(Group, Object),
             extract_shape(Object, Shape)
           )).

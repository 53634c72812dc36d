:- module(kandy_hard_03_trimer_shape, [valid/1]).       % +Node

:- use_module('../natural/full',
              [ contains/2, extract_children/2, same_shape/2
              ]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a composition of exactly three objects of the
%   same shape.

valid(Node) :-
    contains(Node, Group),
    extract_children(Group, Objects),
    length(Objects, 3),
    same_shape(_, Objects).

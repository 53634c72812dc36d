:- module(kandy_hard_00_dimer_colour, [valid/1]).       % +Node

:- use_module('../natural/full',
              [ contains/2, extract_children/2, same_color/2
              ]).

%!  valid(+Node) is nondet.
%
%   Some direct child of Node is a composition of exactly two objects of the
%   same colour.

valid(Node) :-
    contains(Node, Group),
    extract_children(Group, Objects),
    length(Objects, 2),
    same_color(_, Objects).

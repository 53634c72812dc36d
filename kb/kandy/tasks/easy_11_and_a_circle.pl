:- module(kandy_easy_11_and_a_circle, [valid/1]).       % +Node

:- use_module(library(lists), [member/2]).
:- use_module('../natural/full',
              [ extract_children/2, last/2, extract_shape/2, extract_color/2
              ]).

%!  valid(+Node) is nondet.
%
%   The last child of Node is a red triangle, and some child is a circle.

valid(Node) :-
    extract_children(Node, Children),
    last(Children, Last),
    extract_shape(Last, triangle),
    extract_color(Last, red),
    member(Other, Children),
    extract_shape(Other, circle).

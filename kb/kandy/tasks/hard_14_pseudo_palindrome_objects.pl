:- module(kandy_hard_14_pseudo_palindrome_objects, [valid/1]). % +Node

:- use_module('../natural/full', [extract_children/2, pseudo_palindrome2/1]).

%!  valid(+Node) is nondet.
%
%   The children of Node that mirror each other are objects of one shape or
%   one colour, or named objects of one kind.

valid(Node) :-
    extract_children(Node, Children),
    pseudo_palindrome2(Children).

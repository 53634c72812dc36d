:- module(kandy_hard_13_pseudo_palindrome, [valid/1]).  % +Node

:- use_module('../natural/full', [extract_children/2, pseudo_palindrome/1]).

%!  valid(+Node) is nondet.
%
%   The children of Node that mirror each other are objects of one shape or
%   one colour.

valid(Node) :-
    extract_children(Node, Children),
    pseudo_palindrome(Children).

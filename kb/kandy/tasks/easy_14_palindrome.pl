:- module(kandy_easy_14_palindrome, [valid/1]).         % +Node

:- use_module(library(lists), [reverse/2]).
:- use_module('../natural/full', [extract_children/2]).

%!  valid(+Node) is nondet.
%
%   The children of Node are the same from first to last as from last to
%   first.

valid(Node) :-
    extract_children(Node, Children),
    reverse(Children, Children).

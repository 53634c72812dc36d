:- module(kandy_marking,
          [ marked_lines/3              % +Explanation, +Tree, -Rows
          ]).

:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [member/2, memberchk/2, nth0/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(prose, [prose//1]).

/** <module> What each line of an explanation speaks of

A literal names nodes of the picture's tree.  A drawing marks them, so it needs
their places:

    ?- explanation(kandy_easy_15_house, Tree, E), marked_lines(E, Tree, Rows).
    Rows = [["Picture = in([A])", []], ..., ["  + contains(Picture, A)", [[0]]], ...].

In the natural encoding equal nodes are one: a literal that names a node which
occurs twice speaks of both places.
*/

%!  marked_lines(+Explanation, +Tree, -Rows:list(list)) is det.
%
%   Rows are [Text, Places] for each line of Explanation, which is of Tree.
%   A place is the list of the numbers, from 0, of the children on the way from
%   the root to a node that the line's goal names.  The picture as a whole is in
%   no place: to mark all of it would say nothing.

marked_lines(Explanation, Tree, Rows) :-
    must_be(nonvar, Tree),
    phrase(prose(Explanation), Lines),
    findall(Node-Place, ( place(Tree, Place, Node), Place \== [] ), Nodes),
    maplist(row(Nodes), Lines, Rows).

row(Nodes, line(Line, Goal), [Text, Places]) :-
    atom_string(Line, Text),
    findall(Place, ( named(Goal, Node), member(Known-Place, Nodes), Known == Node ), Unsorted),
    sort(Unsorted, Places).

%   place(+Tree, -Place, -Node): Node lies at Place of Tree.
place(Tree, [], Tree).
place(Tree, [Number|Place], Node) :-
    compound(Tree),
    compound_name_arguments(Tree, _, [Children]),
    is_list(Children),
    nth0(Number, Children, Child),
    place(Child, Place, Node).

%   named(+Goal, -Node): an argument of Goal or of a goal inside it, or an element
%   of such a list.  What is inside of a node is not named by it.
named(Goal, Node) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, Arguments),
    member(Argument, Arguments),
    nonvar(Argument),
    (   control(Name)
    ->  named(Argument, Node)
    ;   node_in(Argument, Node)
    ).

node_in(Argument, Node) :-
    (   is_list(Argument)
    ->  member(Element, Argument),
        nonvar(Element),
        node_in(Element, Node)
    ;   Node = Argument
    ).

control(Name) :-
    memberchk(Name, [',', ';', '->', '*->', \+, not, call, once, forall]).

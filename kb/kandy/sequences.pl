:- module(kandy_sequences,
          [ first/2,                    % ?List, ?First
            prepend/3,                  % ?Element, ?List, ?Longer
            droplast/2,                 % ?List, ?Front
            middle/2,                   % ?List, ?Inner
            getmiddle/2,                % +List, ?Middle
            dropmiddle/2,               % +List, ?Rest
            symmetric_list/1,           % +List
            all_same/2,                 % ?Element, ?List
            expand2/3,                  % ?List, ?A, ?B
            expand4/5,                  % ?List, ?A, ?B, ?C, ?D
            expand8/9,                  % ?List, ?A ... ?H
            expand9/10,                 % ?List, ?A ... ?I
            odd/1,                      % +Integer
            even/1,                     % +Integer
            less/2,                     % +Integer, +Integer
            less_eq/2,                  % +Integer, +Integer
            greater/2,                  % +Integer, +Integer
            same/2,                     % ?Term, ?Term
            different/2,                % ?Term, ?Term
            same_int/2,                 % +Integer, +Integer
            different_int/2,            % +Integer, +Integer
            same_obj/2,                 % ?Node, ?Node
            different_obj/2             % ?Node, ?Node
          ]).

:- use_module(library(lists), [reverse/2]).

/** <module> Lists and numbers, as far as the rules speak of them

first/2 has the list first, as has last/2 of library(lists).  The typed twins of same/2 and
different/2 exist for learners, whose modes tell integers and nodes apart.
*/

%!  first(?List:list, ?First) is semidet.
%
%   First is the first element of List.

first([First|_], First).

%!  prepend(?Element, ?List:list, ?Longer:list) is det.
%
%   Longer is List with Element put before it.

prepend(Element, List, [Element|List]).

%!  droplast(?List:list, ?Front:list) is semidet.
%
%   Front is List without its last element.  Fails for the empty list.

droplast([Element|Elements], Front) :-
    droplast_(Elements, Element, Front).

droplast_([], _, []).
droplast_([Next|Elements], Element, [Element|Front]) :-
    droplast_(Elements, Next, Front).

%!  middle(?List:list, ?Inner:list) is semidet.
%
%   Inner is List without both its ends.  Fails for fewer than two elements.

middle([_|Tail], Inner) :-
    droplast(Tail, Inner).

%!  getmiddle(+List:list, ?Middle) is semidet.
%
%   Middle stands in the middle of List, whose length is odd.

getmiddle(List, Middle) :-
    half_(List, _, [Middle|_]).

%!  dropmiddle(+List:list, ?Rest:list) is semidet.
%
%   Rest is List, whose length is odd, without the one element in its middle.
%   The paper's predicate takes away every element that equals the middle one:
%   from [a, b, a, c, a] it leaves [b, c], where this one leaves [a, b, c, a].

dropmiddle(List, Rest) :-
    half_(List, Front, [_|Back]),
    append_(Front, Back, Rest).

%   List is Front, one element in the middle, and as many behind it as in Front.
half_(List, Front, MiddleAndBack) :-
    length(List, Length),
    odd(Length),
    Half is Length // 2,
    length(Front, Half),
    append_(Front, MiddleAndBack, List).

append_([], Back, Back).
append_([Element|Front], Back, [Element|List]) :-
    append_(Front, Back, List).

%!  symmetric_list(+List:list) is semidet.
%
%   List reads the same from both ends.

symmetric_list(List) :-
    reverse(List, List).

%!  all_same(?Element, ?List:list) is semidet.
%
%   List has one or more elements, each of which is Element.

all_same(Element, [Element|Elements]) :-
    all_same_(Elements, Element).

all_same_([], _).
all_same_([Element|Elements], Element) :-
    all_same_(Elements, Element).

%!  expand2(?List, ?A, ?B) is semidet.
%!  expand4(?List, ?A, ?B, ?C, ?D) is semidet.
%!  expand8(?List, ?A, ?B, ?C, ?D, ?E, ?F, ?G, ?H) is semidet.
%!  expand9(?List, ?A, ?B, ?C, ?D, ?E, ?F, ?G, ?H, ?I) is semidet.
%
%   List has exactly these elements: the lists of a pair and of the full grids
%   with two and three cells a side (or one cell less).

expand2([A, B], A, B).
expand4([A, B, C, D], A, B, C, D).
expand8([A, B, C, D, E, F, G, H], A, B, C, D, E, F, G, H).
expand9([A, B, C, D, E, F, G, H, I], A, B, C, D, E, F, G, H, I).

%!  odd(+Integer:integer) is semidet.
%!  even(+Integer:integer) is semidet.

odd(Integer) :-
    Integer mod 2 =:= 1.

even(Integer) :-
    Integer mod 2 =:= 0.

%!  less(+Left:integer, +Right:integer) is semidet.
%!  less_eq(+Left:integer, +Right:integer) is semidet.
%!  greater(+Left:integer, +Right:integer) is semidet.
%!  same_int(+Left:integer, +Right:integer) is semidet.
%!  different_int(+Left:integer, +Right:integer) is semidet.

less(Left, Right) :-
    Left < Right.

less_eq(Left, Right) :-
    Left =< Right.

greater(Left, Right) :-
    Left > Right.

same_int(Left, Right) :-
    Left =:= Right.

different_int(Left, Right) :-
    Left =\= Right.

%!  same(?Left, ?Right) is semidet.
%!  same_obj(?Left, ?Right) is semidet.
%!  different(?Left, ?Right) is semidet.
%!  different_obj(?Left, ?Right) is semidet.
%
%   Left and Right are equal, or are not.  In the pointer encoding equal
%   sub-trees have the same pointer, so these mean the same in both encodings.
%   different/2 waits for its arguments if they are not known yet.

same(Term, Term).

same_obj(Node, Node).

different(Left, Right) :-
    dif(Left, Right).

different_obj(Left, Right) :-
    dif(Left, Right).

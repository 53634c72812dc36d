:- module(gym_kinship,
          [ relations/2,        % +Rows, -Answers
            open_gender/1       % ?Name
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(hornbeam(kb/clutrr/kinship), []).
:- use_module(hornbeam(kb/clutrr/marriage), []).
:- use_module(hornbeam(kb/gym/names), [unisex/1]).

/** <module> What a told family says about two of its persons

A family is a list of couple(A,B) and child(C,A,B). What a relation means is in kb/clutrr: this module follows the
paths of means/2 through the couples and children that are told.
*/

%!  relations(+Rows:list, -Answers:list) is det.
%
%   Each of Rows is [Couples,Children,X,Y] with Couples a list of [A,B] and Children a list of [C,A,B]. Its answer is the
%   list of [Relation,Male,Female,Path] such that Y is the Relation of X; Path is the persons from X to Y.

relations(Rows, Answers) :-
    must_be(list, Rows),
    maplist(answer, Rows, Answers).

answer([Couples,Children,X,Y], Found) :-
    findall([Relation,Male,Female,Path],
            ( meaning(Relation, Male, Female, path(Links)),
              walk(Links, X, Y, family(Couples,Children), Path),
              all_different(Path) ),
            Unsorted),
    sort(1, @<, Unsorted, Found).

meaning(Relation, Male, Female, Expression) :-
    member(Module, [kinship,kin_marriage]),
    Module:relation(Relation, Male, Female, _),
    Module:means(Relation, Expression).

walk([], X, X, _, [X]).
walk([Link|Links], X, Z, Family, [X|Path]) :-
    step(Link, X, Y, Family),
    walk(Links, Y, Z, Family, Path).

step(parent, X, Y, family(_,Children)) :-
    member([X,A,B], Children),
    member(Y, [A,B]).
step(child, X, Y, family(_,Children)) :-
    member([Y,A,B], Children),
    memberchk(X, [A,B]).
step(spouse, X, Y, family(Couples,_)) :-
    member([A,B], Couples),
    (   A == X, Y = B
    ;   B == X, Y = A
    ).
step(Relation, X, Y, Family) :-
    \+ memberchk(Relation, [parent,child,spouse]),
    meaning(Relation, _, _, path(Links)),
    walk(Links, X, Y, Family, Path),
    all_different(Path).

all_different(Path) :-
    sort(Path, Sorted),
    length(Path, Length),
    length(Sorted, Length).

%!  open_gender(?Name:atom) is nondet.
%
%   Name alone does not tell the gender.

open_gender(Name) :-
    unisex(Name).

% What the kinship theory stands on, in a dataset. load.pl includes this file; the facts are
%
%   sample(Id, Task, Split, Label, query(X, Y))    the question of a story: what is Y to X?
%   story(Id, Text)                                the story
%   fact(Id, Word, X, Y)                           the story says that Y is the Word of X
%   noise(Id, Kind, Word, X, Y)                    ... and the answer does not need it
%   person(Id, Name, Gender)                       the persons of the story
%   family(Id, Persons)                            the whole family: person(Name, Gender, Father, Mother, Spouse)

:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3]).
:- use_module(library(error), [must_be/2]).

:- include(reasoning).
:- include(english).

%!  told(?Story, ?Relation, ?X, ?Y) is nondet.
%
%   The story says that Y is the Relation of X; relations are neutral.

told(Story, Relation, X, Y) :-
    fact(Story, Word, X, Y),
    word_names(Word, Relation).

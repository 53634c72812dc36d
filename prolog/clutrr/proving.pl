:- module(clutrr_proving,
          [ proven_answers/3    % +Dataset, +Stories, -Answers
          ]).
:- use_module(hornbeam(prolog/proving), [told_answers/6]).
:- use_module(library(apply), [maplist/2]).

/** <module> The answers of stories, derived by the Prolog of their dataset

How stories are told to the module that holds a dataset's theory.pl, background.pl, reasoning.pl and english.pl.
*/

%!  proven_answers(+Dataset:atom, +Stories:list, -Answers:list) is det.
%
%   Answers has for each of Stories, a list [Id,X,Y,Facts,Persons], what module Dataset derives that Y is to X: the word
%   of true_answer/2, or where that fails the list of all words that follow. Facts is a list of word, person and other,
%   one fact after the other; Persons is one of name and gender. The label is not told.

proven_answers(Dataset, Stories, Answers) :-
    told_answers(Dataset, tell_stories(Stories), [sample/5, fact/4, person/3], answer_words, Stories, Answers).

tell_stories(Stories, Dataset) :-
    maplist(tell(Dataset), Stories).

tell(Dataset, [Id,X,Y,Facts,Persons]) :-
    assertz(Dataset:sample(Id, unknown, unknown, unknown, query(X,Y))),
    tell_facts(Facts, Id, Dataset),
    tell_persons(Persons, Id, Dataset).

tell_facts([], _, _).
tell_facts([Word,X,Y|Facts], Id, Dataset) :-
    assertz(Dataset:fact(Id, Word, X, Y)),
    tell_facts(Facts, Id, Dataset).

tell_persons([], _, _).
tell_persons([Name,Gender|Persons], Id, Dataset) :-
    assertz(Dataset:person(Id, Name, Gender)),
    tell_persons(Persons, Id, Dataset).

:- module(clutrr_proving,
          [ proven_answers/3    % +Dataset, +Stories, -Answers
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).

/** <module> The answers of stories, derived by the Prolog of their dataset

The text of a dataset's theory.pl, background.pl, reasoning.pl and english.pl stands in a module of its own. Here the
stories of a shard are told to it, in one call, and its true_answer/2 is asked for each.
*/

%!  proven_answers(+Dataset:atom, +Stories:list, -Answers:list) is det.
%
%   Answers has for each of Stories, a list [Id,X,Y,Facts,Persons], what module Dataset derives that Y is to X: the word
%   of true_answer/2, or where that fails the list of all words that follow. Facts is a list of word, person and other,
%   one fact after the other; Persons is one of name and gender. The label is not told.

proven_answers(Dataset, Stories, Answers) :-
    must_be(atom, Dataset),
    must_be(list, Stories),
    setup_call_cleanup(
        true,
        ( maplist(tell(Dataset), Stories),
          maplist(answer(Dataset), Stories, Answers) ),
        forget(Dataset)).

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

answer(Dataset, [Id|_], Answer) :-
    (   Dataset:true_answer(Id, Word)
    ->  Answer = Word
    ;   Dataset:answer_words(Id, Answer)
    ).

forget(Dataset) :-
    retractall(Dataset:sample(_, _, _, _, _)),
    retractall(Dataset:fact(_, _, _, _)),
    retractall(Dataset:person(_, _, _)),
    abolish_module_tables(Dataset).

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

%!  word_names(+Word, -Relation) is semidet.
%
%   Word is what English calls a man or a woman of the neutral Relation.

word_names(Word, Relation) :-
    (   theory_relation(theory, Relation, Word, _, _)
    ->  true
    ;   theory_relation(theory, Relation, _, Word, _)
    ->  true
    ).

%!  said_as(+Story, +Relation, +Person, -Word) is semidet.
%
%   Word is what English calls Person, by their gender in Story, when they are the Relation of somebody.

said_as(Story, Relation, Person, Word) :-
    theory_relation(theory, Relation, Male, Female, _),
    !,
    (   person(Story, Person, female) -> Word = Female ; Word = Male ).

%!  true_answer(+Id, -Word) is semidet.
%
%   Word, and no other, follows from what story Id says about the two persons of its question. The label is not looked at.

true_answer(Id, Word) :-
    answer_words(Id, [Word]).

%!  answer_words(+Id, -Words:list(atom)) is semidet.
%
%   Words are all that follow about the two persons of the question of story Id, sorted. Fails if there is no story Id.

answer_words(Id, Words) :-
    sample(Id, _, _, _, query(X, Y)),
    !,
    relations_between(theory, Id, X, Y, Relations),
    findall(Word, ( member(Relation, Relations), said_as(Id, Relation, Y, Word) ), Unsorted),
    sort(Unsorted, Words).

%!  judged(?Id, ?Expected) is nondet.
%
%   The label of story Id states Expected, in the words of true_answer/2.

judged(Id, Expected) :-
    sample(Id, _, _, Expected, _).

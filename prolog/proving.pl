:- module(proving,
          [ told_answers/6      % +Dataset, :Tell, +Told, +All, +Samples, -Answers
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).

/** <module> The answers of samples, derived by the Prolog of their dataset

The text of a dataset's theory and background is in a module of its own. The samples of a shard are told to this module, in
one call, and its true_answer/2 is asked for each. A family's proving.pl says how its samples are told.
*/

:- meta_predicate told_answers(+, 1, +, +, +, -).

%!  told_answers(+Dataset:atom, :Tell, +Told:list, +All:atom, +Samples:list, -Answers:list) is semidet.
%
%   Answers has for each of Samples, a list [Id|_], what module Dataset derives for it: the answer of true_answer/2, or where
%   that fails the list of all answers that All/2 gives. call(Tell, Dataset) first asserts what the samples say. Clauses of
%   the predicates Told, each Name/Arity, and all tables of Dataset are removed afterwards. Fails if Tell does.

told_answers(Dataset, Tell, Told, All, Samples, Answers) :-
    must_be(atom, Dataset),
    must_be(list, Samples),
    setup_call_cleanup(
        true,
        ( call(Tell, Dataset),
          maplist(answer(Dataset, All), Samples, Answers) ),
        forget(Dataset, Told)).

answer(Dataset, All, [Id|_], Answer) :-
    (   Dataset:true_answer(Id, True)
    ->  Answer = True
    ;   call(Dataset:All, Id, Answer)
    ).

forget(Dataset, Told) :-
    maplist(retract_told(Dataset), Told),
    abolish_module_tables(Dataset).

retract_told(Dataset, Name/Arity) :-
    functor(Head, Name, Arity),
    retractall(Dataset:Head).

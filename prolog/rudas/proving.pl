:- module(rudas_proving,
          [ prove_samples/6             % +Module, +Task, +Rules, +Codes, -Judged, -Wrong
          ]).

/** <module> Every label of a shard derived at once

Python asks once for each shard. The samples and the text of rules.pl become facts of the module into which dataset.pl, the
file that a dataset ships, was loaded, and its true_answer/2 is asked about every sample that its judged/2 names.
*/

:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2]).

%!  prove_samples(+Module:atom, +Task:atom, +Rules:string, +Codes:list, -Judged:integer, -Wrong:list) is det.
%
%   Codes is one flat list with, for each sample, its split, its label, its predicate, the number of its arguments and the
%   arguments. Judged is the number of labels that state an answer, and Wrong has a list [Sample, Expected, Derived] for each that
%   is not what the rules give; samples are numbered from 0. The facts are taken out again.

prove_samples(Module, Task, Rules, Codes, Judged, Wrong) :-
    must_be(atom, Module),
    must_be(atom, Task),
    must_be(string, Rules),
    must_be(list, Codes),
    setup_call_cleanup(
        ( add_rules(Rules, Module),
          add_samples(Codes, 0, Task, Module)
        ),
        judge(Module, Judged, Wrong),
        forget_facts(Module)).

add_rules(Rules, Module) :-
    setup_call_cleanup(
        open_string(Rules, Stream),
        add_terms(Stream, Module),
        close(Stream)).

add_terms(Stream, Module) :-
    read_term(Stream, Term, [module(Module)]),
    (   Term == end_of_file
    ->  true
    ;   assertz(Module:Term),
        add_terms(Stream, Module)
    ).

add_samples([], _, _, _) :- !.
add_samples([Split, Label, Predicate, Arity|Codes], Id, Task, Module) :-
    length(Arguments, Arity),
    taken(Arguments, Codes, Rest),
    compound_name_arguments(Atom, Predicate, Arguments),
    assertz(Module:sample(Id, Task, Split, Label, Atom)),
    Next is Id + 1,
    add_samples(Rest, Next, Task, Module).

taken([], Rest, Rest).
taken([Code|Arguments], [Code|Codes], Rest) :-
    taken(Arguments, Codes, Rest).

judge(Module, Judged, Wrong) :-
    findall(Id-Expected, Module:judged(Id, Expected), Stated),
    length(Stated, Judged),
    findall([Id, Expected, Derived],
            ( member(Id-Expected, Stated),
              once(Module:true_answer(Id, Derived)),
              Derived \== Expected
            ),
            Wrong).

%   Names with a dollar are SWI-Prolog's own, of tabling.

forget_facts(Module) :-
    abolish_module_tables(Module),
    forall(( predicate_property(Module:Head, dynamic),
             \+ predicate_property(Module:Head, imported_from(_)),
             functor(Head, Name, _),
             \+ sub_atom(Name, 0, _, _, $)
           ),
           retractall(Module:Head)).

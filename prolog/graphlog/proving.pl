:- module(graphlog_proving,
          [ proven_relations/4    % +Dataset, +World, +Rows, -Answers
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).

/** <module> The relations of rows, derived by the Prolog of their dataset

The text of a dataset's theory.pl and background.pl stands in a module of its own. Here the rules of a world and its rows
are told to it, in one call, and its true_answer/2 is asked for each row.
*/

%!  proven_relations(+Dataset:atom, +World, +Rows:list, -Answers:list) is det.
%
%   Answers has for each of Rows what module Dataset derives for it: the relation of true_answer/2, or where that fails the
%   list of all relations that follow. World is [Name,Text], Text being its part of the file rules.pl. A row is a list
%   [Id,X,Y|Edges], where Edges goes on with the first node, the label and the second node of each edge. Neither labels
%   nor paths are told.

proven_relations(Dataset, [World,Text], Rows, Answers) :-
    must_be(atom, Dataset),
    must_be(list, Rows),
    setup_call_cleanup(
        true,
        ( tell_rules(Dataset, Text),
          maplist(tell_row(Dataset, World), Rows),
          maplist(answer(Dataset), Rows, Answers) ),
        forget(Dataset)).

tell_rules(Dataset, Text) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        tell_clauses(Stream, Dataset),
        close(Stream)).

tell_clauses(Stream, Dataset) :-
    read_term(Stream, Clause, []),
    (   Clause == end_of_file
    ->  true
    ;   assertz(Dataset:Clause),
        tell_clauses(Stream, Dataset)
    ).

tell_row(Dataset, World, [Id,X,Y|Flat]) :-
    edges(Flat, Edges),
    assertz(Dataset:sample(Id, World, unknown, unknown, graph(X,Y,Edges,[]))).

edges([], []).
edges([U,L,V|Flat], [e(U,L,V)|Edges]) :-
    edges(Flat, Edges).

answer(Dataset, [Id|_], Answer) :-
    (   Dataset:true_answer(Id, Relation)
    ->  Answer = Relation
    ;   Dataset:row_relations(Id, Answer)
    ).

forget(Dataset) :-
    retractall(Dataset:sample(_, _, _, _, _)),
    retractall(Dataset:world(_)),
    retractall(Dataset:rule(_, _, _, _, _)),
    retractall(Dataset:inverse(_, _, _)),
    retractall(Dataset:reads_backwards(_)),
    abolish_module_tables(Dataset).

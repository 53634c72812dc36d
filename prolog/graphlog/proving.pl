:- module(graphlog_proving,
          [ proven_relations/4    % +Dataset, +World, +Rows, -Answers
          ]).
:- use_module(hornbeam(prolog/proving), [told_answers/6]).
:- use_module(library(apply), [maplist/2]).

/** <module> The relations of rows, derived by the Prolog of their dataset

How the rules of a world and its rows are told to the module that holds a dataset's theory.pl and background.pl.
*/

%!  proven_relations(+Dataset:atom, +World, +Rows:list, -Answers:list) is det.
%
%   Answers has for each of Rows what module Dataset derives for it: the relation of true_answer/2, or where that fails the
%   list of all relations that follow. World is [Name,Text], Text being its part of the file rules.pl. A row is a list
%   [Id,X,Y|Edges], where Edges goes on with the first node, the label and the second node of each edge. Neither labels
%   nor paths are told.

proven_relations(Dataset, [World,Text], Rows, Answers) :-
    told_answers(Dataset, tell(World, Text, Rows),
                 [sample/5, world/1, rule/5, inverse/3, reads_backwards/1], row_relations, Rows, Answers).

tell(World, Text, Rows, Dataset) :-
    tell_rules(Dataset, Text),
    maplist(tell_row(Dataset, World), Rows).

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

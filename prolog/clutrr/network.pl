% A story as a network of what it says; mine.pl stands on it. load.pl includes this file. A person is Number-Name, so
% that persons come in the order of the story's graph.

:- dynamic relation/1, identity/1, converse/2.          % a table of your own may have them

%!  network(+Id, -Edges:list, -Query) is semidet.

network(Id, Edges, (I-X)-(J-Y)) :-
    sample(Id, _, _, _, query(X, Y)),
    !,
    findall(Name, person(Id, Name, _), Persons),
    findall(edge(A-U, [Word], B-V),
            ( fact(Id, Word, U, V), once(nth0(A, Persons, U)), once(nth0(B, Persons, V)) ),
            Edges),
    once(nth0(I, Persons, X)),
    once(nth0(J, Persons, Y)).

%!  query_nodes(+Id, -X, -Y) is semidet.

query_nodes(Id, Id-X, Id-Y) :-
    sample(Id, _, _, _, query(X, Y)),
    !.

%!  label_of(+Relations:list(atom), -Label) is semidet.
%
%   A story has one answer.

label_of([Label], Label).

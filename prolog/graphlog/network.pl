% A row as a network; mine.pl stands on it. load.pl includes this file.

:- dynamic relation/1, identity/1, converse/2.          % a table of your own may have them

%!  network(+Id, -Edges:list, -Query) is semidet.

network(Id, Edges, X-Y) :-
    sample(Id, _, _, _, graph(X, Y, Listed, _)),
    !,
    findall(edge(U, [L], V), member(e(U, L, V), Listed), Edges).

%!  query_nodes(+Id, -X, -Y) is semidet.

query_nodes(Id, Id-X, Id-Y) :-
    sample(Id, _, _, _, graph(X, Y, _, _)),
    !.

%!  label_of(+Relations:list(atom), -Label) is semidet.
%
%   A row has one answer.

label_of([Label], Label).

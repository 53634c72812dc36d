% A sample as a network; mine.pl stands on it. load.pl includes this file. relation/1, identity/1 and converse/2 are the
% calculus': a table that is typed into `user` has them, one in `mine` has its own.

%!  network(+Id, -Edges:list, -Query) is semidet.

network(Id, Edges, S-T) :-
    sample(Id, _, _, _, query(S, T)),
    !,
    findall(edge(U, Rs, V), edge(Id, U, V, Rs), Edges).

%!  query_nodes(+Id, -X, -Y) is semidet.

query_nodes(Id, Id-S, Id-T) :-
    sample(Id, _, _, _, query(S, T)),
    !.

%!  label_of(+Relations:list(atom), -Label) is det.
%
%   Relations joined by bars, in the order of the calculus; none is `inconsistent`.

label_of(Relations, Label) :-
    findall(R, ( relation(R), memberchk(R, Relations) ), Ordered),
    (   Ordered == []
    ->  Label = inconsistent
    ;   atomic_list_concat(Ordered, '|', Label)
    ).

% How a kinship theory is reasoned with. This file is included: by kin.pl, where told/4 is dynamic, and by the
% background.pl of every dataset, where told/4 reads the dataset's facts. It stands on the predicates of
% theory.pl and on
%
%   told(?Story, ?Relation, ?X, ?Y)     the story says that Y is the Relation of X
%
% A proof is a tree: a leaf is told(R,X,Y), an inner node is so(R,X,Y,Left,Right).

%!  derives(+Theory, +Relations:list(atom), ?Whole) is nondet.
%
%   A chain of persons that are linked by Relations, in that order, is linked from end to end by Whole: by
%   any bracketing, since the rules are not associative.

derives(Theory, Relations, Whole) :-
    must_be(list(atom), Relations),
    spans(Relations, Theory, Whole).

:- table spans/3.

spans([Whole], _, Whole).
spans(Relations, Theory, Whole) :-
    Relations = [_,_|_],
    append(Front, Back, Relations),
    Front = [_|_], Back = [_|_],
    spans(Front, Theory, First),
    spans(Back, Theory, Second),
    theory_rule(Theory, First, Second, Whole).

%!  derivation(+Theory, +Steps:list, ?Whole, -Tree) is nondet.
%
%   Tree proves Whole of the two ends of Steps, a list of R-X-Y that links X to Y to the next Y.

derivation(Theory, Steps, Whole, Tree) :-
    must_be(list, Steps),
    relations(Steps, Relations),
    spans(Relations, Theory, Whole),
    bracket(Steps, Theory, Whole, Tree).

bracket([R-X-Y], _, R, told(R,X,Y)) :- !.
bracket(Steps, Theory, Whole, so(Whole,X,Z,Left,Right)) :-
    append(Front, Back, Steps),
    Front = [_-X-_|_], Back = [_|_],
    theory_rule(Theory, First, Second, Whole),
    relations(Front, FrontRelations), spans(FrontRelations, Theory, First),
    relations(Back, BackRelations), spans(BackRelations, Theory, Second),
    bracket(Front, Theory, First, Left),
    bracket(Back, Theory, Second, Right),
    end(Right, Z),
    X \== Z.

relations([], []).
relations([R-_-_|Steps], [R|Relations]) :-
    relations(Steps, Relations).

end(told(_,_,Z), Z).
end(so(_,_,Z,_,_), Z).

%!  clause_of_length(+Theory, +Length:positive_integer, ?Whole, -Relations) is nondet.
%
%   Relations is a body of Length relations from which Whole follows. Each body comes once for each Whole, in
%   the standard order.

clause_of_length(Theory, Length, Whole, Relations) :-
    must_be(positive_integer, Length),
    findall(W-Rs, grown(Length, Theory, W, Rs), Pairs),
    sort(Pairs, Sorted),
    member(Whole-Relations, Sorted).

:- table grown/4.

grown(1, Theory, Relation, [Relation]) :-
    theory_inverse(Theory, Relation, _).
grown(Length, Theory, Whole, Relations) :-
    Length > 1,
    Last is Length-1,
    between(1, Last, FrontLength),
    BackLength is Length-FrontLength,
    theory_rule(Theory, First, Second, Whole),
    grown(FrontLength, Theory, First, Front),
    grown(BackLength, Theory, Second, Back),
    append(Front, Back, Relations).

%!  related(+Theory, +Story, ?Relation, ?X, ?Y) is nondet.
%
%   It follows from what is told in Story that Y is the Relation of X. Each answer comes once, in no order.

related(Theory, Story, Relation, X, Y) :-
    story_kin(Theory, Story, Persons, Rows),
    nth1(I, Persons, X),
    arg(I, Rows, Row),
    member(to(Relation,J), Row),
    nth1(J, Persons, Y).

%!  relations_between(+Theory, +Story, +X, +Y, -Relations:list(atom)) is det.
%
%   Relations are all that follow from what is told in Story about what Y is to X, sorted.

relations_between(Theory, Story, X, Y, Relations) :-
    story_kin(Theory, Story, Persons, Rows),
    (   nth1(I, Persons, X),
        nth1(J, Persons, Y)
    ->  arg(I, Rows, Row),
        findall(Relation, member(to(Relation,J), Row), Found),
        sort(Found, Relations)
    ;   Relations = []
    ).

%!  story_kin(+Theory, +Story, -Persons:list, -Rows) is det.
%
%   All that follows from what is told in Story. Rows has an argument for each of Persons: the list of
%   to(Relation,J), for person number J is the Relation of this one.
%
%   This is a fixpoint by an agenda rather than by tables, which take thirty times as long here: every label of a dataset
%   is derived by it. Rows is changed in place, and nobody sees it before it is whole.

story_kin(Theory, Story, Persons, Rows) :-
    findall(kin(R,X,Y), told(Story, R, X, Y), Told),
    findall(Person, ( member(kin(_,X,Y), Told), ( Person = X ; Person = Y ) ), Named),
    sort(Named, Persons),
    findall([], member(_, Persons), Empty),
    compound_name_arguments(Rows, rows, Empty),
    numbered(Told, Persons, Agenda),
    spread(Agenda, Theory, Rows).

numbered([], _, []).
numbered([kin(R,X,Y)|Told], Persons, [kin(R,I,J)|Agenda]) :-
    place(Persons, X, 1, I),
    place(Persons, Y, 1, J),
    numbered(Told, Persons, Agenda).

place([Person|Persons], Wanted, Here, Place) :-
    (   Person == Wanted
    ->  Place = Here
    ;   Next is Here+1,
        place(Persons, Wanted, Next, Place)
    ).

% A new relation from X to Y is entered in both directions. What is known from Y on then composes with it to relations
% of X, and what is known from X on, with its inverse, to relations of Y. The rules of a theory are closed under taking
% inverses, so these are all.
spread([], _, _).
spread([kin(Relation,X,Y)|Agenda], Theory, Rows) :-
    arg(X, Rows, FromX),
    (   memberchk(to(Relation,Y), FromX)
    ->  spread(Agenda, Theory, Rows)
    ;   theory_inverse(Theory, Relation, Inverse),
        arg(Y, Rows, FromY),
        setarg(X, Rows, [to(Relation,Y)|FromX]),
        setarg(Y, Rows, [to(Inverse,X)|FromY]),
        composed(FromY, Theory, Relation, X, Agenda, Agenda1),
        composed(FromX, Theory, Inverse, Y, Agenda1, Agenda2),
        spread(Agenda2, Theory, Rows)
    ).

composed(Row, Theory, First, X, Agenda0, Agenda) :-
    findall(kin(Whole,X,Z),
            ( member(to(Second,Z), Row), Z \== X, theory_rule(Theory, First, Second, Whole) ),
            Agenda, Agenda0).

% What is told, in either direction.
said(_, Story, Relation, X, Y) :-
    told(Story, Relation, X, Y).
said(Theory, Story, Relation, X, Y) :-
    told(Story, Inverse, Y, X),
    theory_inverse(Theory, Inverse, Relation).

%!  shortest_proof(+Theory, +Story, ?Relation, +X, +Y, -Tree) is semidet.
%
%   Tree is a proof, from as few facts of Story as can be, that Y is the Relation of X. Facts may be read in
%   both directions. No person is passed twice.

shortest_proof(Theory, Story, Relation, X, Y, Tree) :-
    findall(A, ( told(Story, _, A, _) ; told(Story, _, _, A) ), Persons0),
    sort(Persons0, Persons),
    length(Persons, Most),
    between(1, Most, Length),
    walk(Length, Theory, Story, X, Y, [X], Steps),
    derivation(Theory, Steps, Relation, Tree),
    !.

walk(1, Theory, Story, X, Y, Passed, [R-X-Y]) :- !,
    said(Theory, Story, R, X, Y),
    \+ memberchk(Y, Passed).
walk(Length, Theory, Story, X, Z, Passed, [R-X-Y|Steps]) :-
    said(Theory, Story, R, X, Y),
    Y \== Z,
    \+ memberchk(Y, Passed),
    Rest is Length-1,
    walk(Rest, Theory, Story, Y, Z, [Y|Passed], Steps).

:- module(hornbeam_star_laws,
          [ law_violation/3,       % +Calculus, -Law, -Text
            compose_masks/4,       % +Calculus, +MaskA, +MaskB, -Mask
            converse_mask/3,       % +Calculus, +Mask, -Converse
            mask_relations/3       % +Calculus, +Mask, -Relations
          ]).
:- use_module(library(lists), [member/2, nth0/3]).

/** <module> The laws of a relation algebra, checked on a table

A table that breaks one of these laws is a misprint or no calculus. A calculus is the term that calculus.pl describes.
*/

%!  law_violation(+Calculus, -Law, -Text) is nondet.
%
%   `Law` is broken, and `Text` says by which relations. A sound table has no solution.

law_violation(Calculus, identity, Text) :-
    identity_of(Calculus, I),
    base(Calculus, A),
    MaskA is 1 << A,
    (   cell(Calculus, I, A, Mask)
    ;   cell(Calculus, A, I, Mask)
    ),
    Mask =\= MaskA,
    say(Calculus, "composing ~w with the identity does not give ~w", [A, A], Text).
law_violation(Calculus, converse, Text) :-
    base(Calculus, A),
    converse(Calculus, A, B),
    \+ converse(Calculus, B, A),
    say(Calculus, "the converse of the converse of ~w is another relation", [A], Text).
law_violation(Calculus, converse, Text) :-
    identity_of(Calculus, I),
    \+ converse(Calculus, I, I),
    say(Calculus, "the identity ~w is not its own converse", [I], Text).
law_violation(Calculus, 'converse of a composition', Text) :-
    base(Calculus, A),
    base(Calculus, B),
    cell(Calculus, A, B, Mask),
    converse(Calculus, A, CA),
    converse(Calculus, B, CB),
    cell(Calculus, CB, CA, Mirror),
    converse_mask(Calculus, Mask, Expected),
    Mirror =\= Expected,
    say(Calculus, "the converse of ~w ; ~w is not ~w ; ~w", [A, B, CB, CA], Text).
law_violation(Calculus, 'Peircean law', Text) :-
    base(Calculus, A),
    base(Calculus, B),
    base(Calculus, C),
    converse(Calculus, A, CA),
    converse(Calculus, B, CB),
    bit(Calculus, A, B, C, Bit),
    (   bit(Calculus, CA, C, B, Other)
    ;   bit(Calculus, C, CB, A, Other)
    ),
    Bit =\= Other,
    say(Calculus, "~w in ~w ; ~w, read from another side, is different", [C, A, B], Text).
law_violation(Calculus, associativity, Text) :-
    base(Calculus, A),
    base(Calculus, B),
    cell(Calculus, A, B, AB),
    base(Calculus, C),
    cell(Calculus, B, C, BC),
    compose_masks(Calculus, AB, 1 << C, Left),
    compose_masks(Calculus, 1 << A, BC, Right),
    Left =\= Right,
    say(Calculus, "(~w ; ~w) ; ~w and ~w ; (~w ; ~w) differ", [A, B, C, A, B, C], Text).

%!  compose_masks(+Calculus, +MaskA, +MaskB, -Mask) is det.

compose_masks(Calculus, MaskA0, MaskB0, Mask) :-
    MaskA is MaskA0,
    MaskB is MaskB0,
    row_union(MaskA, MaskB, Calculus, 0, Mask).

row_union(0, _, _, Mask, Mask) :- !.
row_union(MaskA, MaskB, Calculus, Mask0, Mask) :-
    A is lsb(MaskA),
    column_union(MaskB, A, Calculus, Mask0, Mask1),
    Rest is MaskA /\ (MaskA - 1),
    row_union(Rest, MaskB, Calculus, Mask1, Mask).

column_union(0, _, _, Mask, Mask) :- !.
column_union(MaskB, A, Calculus, Mask0, Mask) :-
    B is lsb(MaskB),
    cell(Calculus, A, B, Cell),
    Mask1 is Mask0 \/ Cell,
    Rest is MaskB /\ (MaskB - 1),
    column_union(Rest, A, Calculus, Mask1, Mask).

%!  converse_mask(+Calculus, +Mask, -Converse) is det.

converse_mask(Calculus, Mask, Converse) :-
    converse_mask_(Mask, Calculus, 0, Converse).

converse_mask_(0, _, Mask, Mask) :- !.
converse_mask_(Mask, Calculus, Sum0, Sum) :-
    A is lsb(Mask),
    converse(Calculus, A, B),
    Sum1 is Sum0 \/ (1 << B),
    Rest is Mask /\ (Mask - 1),
    converse_mask_(Rest, Calculus, Sum1, Sum).

%!  mask_relations(+Calculus, +Mask, -Relations) is det.

mask_relations(calculus(_, _, Names, _, _, _, _), Mask, Relations) :-
    findall(Name, ( nth0(I, Names, Name), Mask /\ (1 << I) =\= 0 ), Relations).

%   Reading the term

identity_of(calculus(_, _, _, I, _, _, _), I).

base(calculus(_, _, Names, _, _, _, _), A) :-
    length(Names, N),
    Last is N - 1,
    between(0, Last, A).

converse(calculus(_, _, _, _, Converses, _, _), A, B) :-
    Index is A + 1,
    arg(Index, Converses, B).

cell(calculus(_, _, Names, _, _, Cells, _), A, B, Mask) :-
    length(Names, N),
    Index is A * N + B + 1,
    arg(Index, Cells, Mask).

bit(Calculus, A, B, C, Bit) :-
    cell(Calculus, A, B, Mask),
    Bit is (Mask >> C) /\ 1.

say(calculus(_, _, Names, _, _, _, _), Format, Numbers, Text) :-
    findall(Name, ( member(Number, Numbers), nth0(Number, Names, Name) ), Arguments),
    format(string(Text), Format, Arguments).

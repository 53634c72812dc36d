:- module(star_rcc5,
          [ calculus/2,          % ?Name, ?Title
            relation/1,          % ?Relation
            property/1,          % ?Property
            identity/1,          % ?Relation
            converse/2,          % ?Relation, ?Converse
            composition/3        % ?Relation, ?Relation, ?Relations
          ]).

/** <module> RCC-5: five relations of two regions, boundaries ignored

DR discrete, PO partial overlap, PP proper part, PPI its converse, EQ equal. Every relation is a union of RCC-8
relations, and so is every cell: the tests compare this table with RCC-8's.

@see Bennett (1994), Spatial reasoning with propositional logics
*/

calculus(rcc5, "RCC-5: five relations of two regions, boundaries ignored").

%!  relation(?Relation) is nondet.
%
%   The base relations, in the order that every file and every bit mask uses.

relation('DR').
relation('PO').
relation('PP').
relation('PPI').
relation('EQ').

%!  property(?Property) is nondet.
%
%   `patchwork`: networks that agree on what they share fit together, so that a triangulated network decides.

property(patchwork).

%!  identity(?Relation) is det.

identity('EQ').

%!  converse(?Relation, ?Converse) is nondet.

converse('DR', 'DR').
converse('PO', 'PO').
converse('PP', 'PPI').
converse('PPI', 'PP').
converse('EQ', 'EQ').

%!  composition(?A, ?B, ?Relations) is nondet.
%
%   If `A` holds from x to y and `B` from y to z, then one of `Relations` holds from x to z, and each of them can.

composition('DR', 'DR', ['DR', 'PO', 'PP', 'PPI', 'EQ']).
composition('DR', 'PO', ['DR', 'PO', 'PP']).
composition('DR', 'PP', ['DR', 'PO', 'PP']).
composition('DR', 'PPI', ['DR']).
composition('DR', 'EQ', ['DR']).

composition('PO', 'DR', ['DR', 'PO', 'PPI']).
composition('PO', 'PO', ['DR', 'PO', 'PP', 'PPI', 'EQ']).
composition('PO', 'PP', ['PO', 'PP']).
composition('PO', 'PPI', ['DR', 'PO', 'PPI']).
composition('PO', 'EQ', ['PO']).

composition('PP', 'DR', ['DR']).
composition('PP', 'PO', ['DR', 'PO', 'PP']).
composition('PP', 'PP', ['PP']).
composition('PP', 'PPI', ['DR', 'PO', 'PP', 'PPI', 'EQ']).
composition('PP', 'EQ', ['PP']).

composition('PPI', 'DR', ['DR', 'PO', 'PPI']).
composition('PPI', 'PO', ['PO', 'PPI']).
composition('PPI', 'PP', ['PO', 'PP', 'PPI', 'EQ']).
composition('PPI', 'PPI', ['PPI']).
composition('PPI', 'EQ', ['PPI']).

composition('EQ', 'DR', ['DR']).
composition('EQ', 'PO', ['PO']).
composition('EQ', 'PP', ['PP']).
composition('EQ', 'PPI', ['PPI']).
composition('EQ', 'EQ', ['EQ']).

:- module(star_rcc8,
          [ calculus/2,          % ?Name, ?Title
            relation/1,          % ?Relation
            property/1,          % ?Property
            identity/1,          % ?Relation
            converse/2,          % ?Relation, ?Converse
            composition/3        % ?Relation, ?Relation, ?Relations
          ]).

/** <module> RCC-8: eight relations of two regions

DC disconnected, EC touching from outside, PO partial overlap, TPP tangential proper part, NTPP non-tangential proper
part, TPPI and NTPPI their converses, EQ equal. The table is not taken from a publication: prolog/star/regions.pl
derives every cell from a topological model and the tests compare the two.

@see Randell, Cui and Cohn (1992)
*/

calculus(rcc8, "RCC-8: eight relations of two regions").

%!  relation(?Relation) is nondet.
%
%   The base relations, in the order that every file and every bit mask uses.

relation('DC').
relation('EC').
relation('PO').
relation('TPP').
relation('NTPP').
relation('TPPI').
relation('NTPPI').
relation('EQ').

%!  property(?Property) is nondet.
%
%   `patchwork`: networks that agree on what they share fit together, so that a triangulated network decides.

property(patchwork).

%!  identity(?Relation) is det.

identity('EQ').

%!  converse(?Relation, ?Converse) is nondet.

converse('DC', 'DC').
converse('EC', 'EC').
converse('PO', 'PO').
converse('TPP', 'TPPI').
converse('NTPP', 'NTPPI').
converse('TPPI', 'TPP').
converse('NTPPI', 'NTPP').
converse('EQ', 'EQ').

%!  composition(?A, ?B, ?Relations) is nondet.
%
%   If `A` holds from x to y and `B` from y to z, then one of `Relations` holds from x to z, and each of them can.

composition('DC', 'DC', ['DC', 'EC', 'PO', 'TPP', 'NTPP', 'TPPI', 'NTPPI', 'EQ']).
composition('DC', 'EC', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('DC', 'PO', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('DC', 'TPP', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('DC', 'NTPP', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('DC', 'TPPI', ['DC']).
composition('DC', 'NTPPI', ['DC']).
composition('DC', 'EQ', ['DC']).

composition('EC', 'DC', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('EC', 'EC', ['DC', 'EC', 'PO', 'TPP', 'TPPI', 'EQ']).
composition('EC', 'PO', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('EC', 'TPP', ['EC', 'PO', 'TPP', 'NTPP']).
composition('EC', 'NTPP', ['PO', 'TPP', 'NTPP']).
composition('EC', 'TPPI', ['DC', 'EC']).
composition('EC', 'NTPPI', ['DC']).
composition('EC', 'EQ', ['EC']).

composition('PO', 'DC', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('PO', 'EC', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('PO', 'PO', ['DC', 'EC', 'PO', 'TPP', 'NTPP', 'TPPI', 'NTPPI', 'EQ']).
composition('PO', 'TPP', ['PO', 'TPP', 'NTPP']).
composition('PO', 'NTPP', ['PO', 'TPP', 'NTPP']).
composition('PO', 'TPPI', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('PO', 'NTPPI', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('PO', 'EQ', ['PO']).

composition('TPP', 'DC', ['DC']).
composition('TPP', 'EC', ['DC', 'EC']).
composition('TPP', 'PO', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('TPP', 'TPP', ['TPP', 'NTPP']).
composition('TPP', 'NTPP', ['NTPP']).
composition('TPP', 'TPPI', ['DC', 'EC', 'PO', 'TPP', 'TPPI', 'EQ']).
composition('TPP', 'NTPPI', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('TPP', 'EQ', ['TPP']).

composition('NTPP', 'DC', ['DC']).
composition('NTPP', 'EC', ['DC']).
composition('NTPP', 'PO', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('NTPP', 'TPP', ['NTPP']).
composition('NTPP', 'NTPP', ['NTPP']).
composition('NTPP', 'TPPI', ['DC', 'EC', 'PO', 'TPP', 'NTPP']).
composition('NTPP', 'NTPPI', ['DC', 'EC', 'PO', 'TPP', 'NTPP', 'TPPI', 'NTPPI', 'EQ']).
composition('NTPP', 'EQ', ['NTPP']).

composition('TPPI', 'DC', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('TPPI', 'EC', ['EC', 'PO', 'TPPI', 'NTPPI']).
composition('TPPI', 'PO', ['PO', 'TPPI', 'NTPPI']).
composition('TPPI', 'TPP', ['PO', 'TPP', 'TPPI', 'EQ']).
composition('TPPI', 'NTPP', ['PO', 'TPP', 'NTPP']).
composition('TPPI', 'TPPI', ['TPPI', 'NTPPI']).
composition('TPPI', 'NTPPI', ['NTPPI']).
composition('TPPI', 'EQ', ['TPPI']).

composition('NTPPI', 'DC', ['DC', 'EC', 'PO', 'TPPI', 'NTPPI']).
composition('NTPPI', 'EC', ['PO', 'TPPI', 'NTPPI']).
composition('NTPPI', 'PO', ['PO', 'TPPI', 'NTPPI']).
composition('NTPPI', 'TPP', ['PO', 'TPPI', 'NTPPI']).
composition('NTPPI', 'NTPP', ['PO', 'TPP', 'NTPP', 'TPPI', 'NTPPI', 'EQ']).
composition('NTPPI', 'TPPI', ['NTPPI']).
composition('NTPPI', 'NTPPI', ['NTPPI']).
composition('NTPPI', 'EQ', ['NTPPI']).

composition('EQ', 'DC', ['DC']).
composition('EQ', 'EC', ['EC']).
composition('EQ', 'PO', ['PO']).
composition('EQ', 'TPP', ['TPP']).
composition('EQ', 'NTPP', ['NTPP']).
composition('EQ', 'TPPI', ['TPPI']).
composition('EQ', 'NTPPI', ['NTPPI']).
composition('EQ', 'EQ', ['EQ']).

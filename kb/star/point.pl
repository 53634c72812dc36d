:- module(star_point,
          [ calculus/2,          % ?Name, ?Title
            relation/1,          % ?Relation
            property/1,          % ?Property
            identity/1,          % ?Relation
            converse/2,          % ?Relation, ?Converse
            composition/3        % ?Relation, ?Relation, ?Relations
          ]).

/** <module> The point algebra: three relations of two instants

< before, = at the same time, > after.

@see Vilain and Kautz (1986)
*/

calculus(point, "The point algebra: three relations of two instants").

%!  relation(?Relation) is nondet.
%
%   The base relations, in the order that every file and every bit mask uses.

relation('<').
relation('=').
relation('>').

%!  property(?Property) is nondet.
%
%   `patchwork`: networks that agree on what they share fit together, so that a triangulated network decides.

property(patchwork).

%!  identity(?Relation) is det.

identity('=').

%!  converse(?Relation, ?Converse) is nondet.

converse('<', '>').
converse('=', '=').
converse('>', '<').

%!  composition(?A, ?B, ?Relations) is nondet.
%
%   If `A` holds from x to y and `B` from y to z, then one of `Relations` holds from x to z, and each of them can.

composition('<', '<', ['<']).
composition('<', '=', ['<']).
composition('<', '>', ['<', '=', '>']).

composition('=', '<', ['<']).
composition('=', '=', ['=']).
composition('=', '>', ['>']).

composition('>', '<', ['<', '=', '>']).
composition('>', '=', ['>']).
composition('>', '>', ['>']).

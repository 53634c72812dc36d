:- module(star_allen,
          [ calculus/2,          % ?Name, ?Title
            relation/1,          % ?Relation
            property/1,          % ?Property
            identity/1,          % ?Relation
            converse/2,          % ?Relation, ?Converse
            composition/3        % ?Relation, ?Relation, ?Relations
          ]).

/** <module> Allen's interval algebra: thirteen relations of two intervals

= equal, < before, d during, o overlaps, m meets, s starts, f finishes; >, di, oi, mi, si, fi are their converses.
The table is not taken from a publication: prolog/star/intervals.pl derives every cell from end points and the tests
compare the two.

@see Allen (1983), Maintaining knowledge about temporal intervals
*/

calculus(allen, "Allen's interval algebra: thirteen relations of two intervals").

%!  relation(?Relation) is nondet.
%
%   The base relations, in the order that every file and every bit mask uses.

relation('=').
relation('<').
relation('>').
relation(d).
relation(di).
relation(o).
relation(oi).
relation(m).
relation(mi).
relation(s).
relation(si).
relation(f).
relation(fi).

%!  property(?Property) is nondet.
%
%   `patchwork`: networks that agree on what they share fit together, so that a triangulated network decides.

property(patchwork).

%!  identity(?Relation) is det.

identity('=').

%!  converse(?Relation, ?Converse) is nondet.

converse('=', '=').
converse('<', '>').
converse('>', '<').
converse(d, di).
converse(di, d).
converse(o, oi).
converse(oi, o).
converse(m, mi).
converse(mi, m).
converse(s, si).
converse(si, s).
converse(f, fi).
converse(fi, f).

%!  composition(?A, ?B, ?Relations) is nondet.
%
%   If `A` holds from x to y and `B` from y to z, then one of `Relations` holds from x to z, and each of them can.

composition('=', '=', ['=']).
composition('=', '<', ['<']).
composition('=', '>', ['>']).
composition('=', d, [d]).
composition('=', di, [di]).
composition('=', o, [o]).
composition('=', oi, [oi]).
composition('=', m, [m]).
composition('=', mi, [mi]).
composition('=', s, [s]).
composition('=', si, [si]).
composition('=', f, [f]).
composition('=', fi, [fi]).

composition('<', '=', ['<']).
composition('<', '<', ['<']).
composition('<', '>', ['=', '<', '>', d, di, o, oi, m, mi, s, si, f, fi]).
composition('<', d, ['<', d, o, m, s]).
composition('<', di, ['<']).
composition('<', o, ['<']).
composition('<', oi, ['<', d, o, m, s]).
composition('<', m, ['<']).
composition('<', mi, ['<', d, o, m, s]).
composition('<', s, ['<']).
composition('<', si, ['<']).
composition('<', f, ['<', d, o, m, s]).
composition('<', fi, ['<']).

composition('>', '=', ['>']).
composition('>', '<', ['=', '<', '>', d, di, o, oi, m, mi, s, si, f, fi]).
composition('>', '>', ['>']).
composition('>', d, ['>', d, oi, mi, f]).
composition('>', di, ['>']).
composition('>', o, ['>', d, oi, mi, f]).
composition('>', oi, ['>']).
composition('>', m, ['>', d, oi, mi, f]).
composition('>', mi, ['>']).
composition('>', s, ['>', d, oi, mi, f]).
composition('>', si, ['>']).
composition('>', f, ['>']).
composition('>', fi, ['>']).

composition(d, '=', [d]).
composition(d, '<', ['<']).
composition(d, '>', ['>']).
composition(d, d, [d]).
composition(d, di, ['=', '<', '>', d, di, o, oi, m, mi, s, si, f, fi]).
composition(d, o, ['<', d, o, m, s]).
composition(d, oi, ['>', d, oi, mi, f]).
composition(d, m, ['<']).
composition(d, mi, ['>']).
composition(d, s, [d]).
composition(d, si, ['>', d, oi, mi, f]).
composition(d, f, [d]).
composition(d, fi, ['<', d, o, m, s]).

composition(di, '=', [di]).
composition(di, '<', ['<', di, o, m, fi]).
composition(di, '>', ['>', di, oi, mi, si]).
composition(di, d, ['=', d, di, o, oi, s, si, f, fi]).
composition(di, di, [di]).
composition(di, o, [di, o, fi]).
composition(di, oi, [di, oi, si]).
composition(di, m, [di, o, fi]).
composition(di, mi, [di, oi, si]).
composition(di, s, [di, o, fi]).
composition(di, si, [di]).
composition(di, f, [di, oi, si]).
composition(di, fi, [di]).

composition(o, '=', [o]).
composition(o, '<', ['<']).
composition(o, '>', ['>', di, oi, mi, si]).
composition(o, d, [d, o, s]).
composition(o, di, ['<', di, o, m, fi]).
composition(o, o, ['<', o, m]).
composition(o, oi, ['=', d, di, o, oi, s, si, f, fi]).
composition(o, m, ['<']).
composition(o, mi, [di, oi, si]).
composition(o, s, [o]).
composition(o, si, [di, o, fi]).
composition(o, f, [d, o, s]).
composition(o, fi, ['<', o, m]).

composition(oi, '=', [oi]).
composition(oi, '<', ['<', di, o, m, fi]).
composition(oi, '>', ['>']).
composition(oi, d, [d, oi, f]).
composition(oi, di, ['>', di, oi, mi, si]).
composition(oi, o, ['=', d, di, o, oi, s, si, f, fi]).
composition(oi, oi, ['>', oi, mi]).
composition(oi, m, [di, o, fi]).
composition(oi, mi, ['>']).
composition(oi, s, [d, oi, f]).
composition(oi, si, ['>', oi, mi]).
composition(oi, f, [oi]).
composition(oi, fi, [di, oi, si]).

composition(m, '=', [m]).
composition(m, '<', ['<']).
composition(m, '>', ['>', di, oi, mi, si]).
composition(m, d, [d, o, s]).
composition(m, di, ['<']).
composition(m, o, ['<']).
composition(m, oi, [d, o, s]).
composition(m, m, ['<']).
composition(m, mi, ['=', f, fi]).
composition(m, s, [m]).
composition(m, si, [m]).
composition(m, f, [d, o, s]).
composition(m, fi, ['<']).

composition(mi, '=', [mi]).
composition(mi, '<', ['<', di, o, m, fi]).
composition(mi, '>', ['>']).
composition(mi, d, [d, oi, f]).
composition(mi, di, ['>']).
composition(mi, o, [d, oi, f]).
composition(mi, oi, ['>']).
composition(mi, m, ['=', s, si]).
composition(mi, mi, ['>']).
composition(mi, s, [d, oi, f]).
composition(mi, si, ['>']).
composition(mi, f, [mi]).
composition(mi, fi, [mi]).

composition(s, '=', [s]).
composition(s, '<', ['<']).
composition(s, '>', ['>']).
composition(s, d, [d]).
composition(s, di, ['<', di, o, m, fi]).
composition(s, o, ['<', o, m]).
composition(s, oi, [d, oi, f]).
composition(s, m, ['<']).
composition(s, mi, [mi]).
composition(s, s, [s]).
composition(s, si, ['=', s, si]).
composition(s, f, [d]).
composition(s, fi, ['<', o, m]).

composition(si, '=', [si]).
composition(si, '<', ['<', di, o, m, fi]).
composition(si, '>', ['>']).
composition(si, d, [d, oi, f]).
composition(si, di, [di]).
composition(si, o, [di, o, fi]).
composition(si, oi, [oi]).
composition(si, m, [di, o, fi]).
composition(si, mi, [mi]).
composition(si, s, ['=', s, si]).
composition(si, si, [si]).
composition(si, f, [oi]).
composition(si, fi, [di]).

composition(f, '=', [f]).
composition(f, '<', ['<']).
composition(f, '>', ['>']).
composition(f, d, [d]).
composition(f, di, ['>', di, oi, mi, si]).
composition(f, o, [d, o, s]).
composition(f, oi, ['>', oi, mi]).
composition(f, m, [m]).
composition(f, mi, ['>']).
composition(f, s, [d]).
composition(f, si, ['>', oi, mi]).
composition(f, f, [f]).
composition(f, fi, ['=', f, fi]).

composition(fi, '=', [fi]).
composition(fi, '<', ['<']).
composition(fi, '>', ['>', di, oi, mi, si]).
composition(fi, d, [d, o, s]).
composition(fi, di, [di]).
composition(fi, o, [o]).
composition(fi, oi, [di, oi, si]).
composition(fi, m, [m]).
composition(fi, mi, [di, oi, si]).
composition(fi, s, [o]).
composition(fi, si, [di]).
composition(fi, f, ['=', f, fi]).
composition(fi, fi, [fi]).

:- module(star_rcc8_model,
          [ side/1,              % ?Side
            always/3,            % ?Relation, ?If, ?Then
            some/2               % ?Relation, ?Conditions
          ]).

/** <module> What the RCC-8 relations mean: regions in a space of forks

A _fork_ is one point with two sides, left and right. A region is a regular closed set: in each fork it holds any of the
two sides; it holds the point exactly if it holds a side, and the point is interior exactly if it holds both. A space is
any number of forks. On a line this is a row of pairs of touching segments, so every model can be drawn.

Conditions speak of one fork: in(Region, Side) and out(Region, Side), where Region is `x` or `y`.

Depth one and two sides are enough for RCC-8: this is the shape of the Kripke models to which Renz and Nebel reduce it.
*/

%!  side(?Side) is nondet.

side(left).
side(right).

%!  always(?Relation, ?If, ?Then) is nondet.
%
%   If `Relation` holds from x to y, then in every fork `If` implies `Then`.

always('DC',    in(x, A), out(y, B)) :- side(A), side(B).
always('EC',    in(x, A), out(y, A)) :- side(A).
always('TPP',   in(x, A), in(y, A))  :- side(A).
always('NTPP',  in(x, A), in(y, B))  :- side(A), side(B).
always('TPPI',  in(y, A), in(x, A))  :- side(A).
always('NTPPI', in(y, A), in(x, B))  :- side(A), side(B).
always('EQ',    in(x, A), in(y, A))  :- side(A).
always('EQ',    in(y, A), in(x, A))  :- side(A).

%!  some(?Relation, ?Conditions) is nondet.
%
%   If `Relation` holds from x to y, then some fork meets all `Conditions`. Forks may be mirrored, so each need is stated
%   for one side only. No region is empty.

some(R, [in(x, left)]) :- base(R).
some(R, [in(y, left)]) :- base(R).
some('EC',    [in(x, left), in(y, right)]).
some('PO',    [in(x, left), in(y, left)]).
some('PO',    [in(x, left), out(y, left)]).
some('PO',    [in(y, left), out(x, left)]).
some('TPP',   [in(y, left), out(x, left)]).
some('TPP',   [in(x, left), out(y, right)]).
some('NTPP',  [in(y, left), out(x, left)]).
some('TPPI',  [in(x, left), out(y, left)]).
some('TPPI',  [in(y, left), out(x, right)]).
some('NTPPI', [in(x, left), out(y, left)]).

base('DC').
base('EC').
base('PO').
base('TPP').
base('NTPP').
base('TPPI').
base('NTPPI').
base('EQ').

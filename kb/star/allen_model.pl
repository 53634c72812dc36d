:- module(star_allen_model,
          [ means/2              % ?Relation, ?Order
          ]).

/** <module> What Allen's relations mean: the order of end points

Points are start(x), end(x), start(y) and end(y); every interval starts before it ends.
*/

%!  means(?Relation, ?Order) is nondet.
%
%   `Relation` holds from x to y exactly if every before(P, Q) and same(P, Q) of `Order` does.

means('=', [same(start(x), start(y)), same(end(x), end(y))]).
means('<', [before(end(x), start(y))]).
means('>', [before(end(y), start(x))]).
means(d,   [before(start(y), start(x)), before(end(x), end(y))]).
means(di,  [before(start(x), start(y)), before(end(y), end(x))]).
means(o,   [before(start(x), start(y)), before(start(y), end(x)), before(end(x), end(y))]).
means(oi,  [before(start(y), start(x)), before(start(x), end(y)), before(end(y), end(x))]).
means(m,   [same(end(x), start(y))]).
means(mi,  [same(end(y), start(x))]).
means(s,   [same(start(x), start(y)), before(end(x), end(y))]).
means(si,  [same(start(x), start(y)), before(end(y), end(x))]).
means(f,   [before(start(y), start(x)), same(end(x), end(y))]).
means(fi,  [before(start(x), start(y)), same(end(x), end(y))]).

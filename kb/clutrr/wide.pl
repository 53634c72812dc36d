:- module(kin_wide,
          [ means/2             % ?Relation, ?Expression
          ]).

/** <module> The wide reading of two words

Under which published data is judged too: the husband of an aunt is an uncle, and the nephew of one's wife is a nephew.
wide.lp says the same of families.
*/

%!  means(?Relation, ?Expression) is nondet.
%
%   What Relation means beside what kinship.pl says.

means(pibling, path([parent, sibling, spouse])).
means(nibling, path([spouse, sibling, child])).

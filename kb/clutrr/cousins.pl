:- module(kin_cousins,
          [ relation/4,         % ?Relation, ?Male, ?Female, ?Generation
            inverse/2,          % ?Relation, ?Inverse
            means/2,            % ?Relation, ?Expression
            composes/3          % ?First, ?Second, ?Whole
          ]).

/** <module> The pack of cousins

A cousin is the child of a parent's sibling. English has one word for both genders. The families are those of
the base.
*/

%!  relation(?Relation, ?Male, ?Female, ?Generation) is nondet.
%
%   As in kinship.pl.

relation(cousin, cousin, cousin,  0).

%!  inverse(?Relation, ?Inverse) is nondet.
%
%   As in kinship.pl.

inverse(cousin, cousin).

%!  means(?Relation, ?Expression) is nondet.
%
%   As in kinship.pl.

means(cousin, path([pibling, child])).

%!  composes(?First, ?Second, ?Whole) is nondet.
%
%   As in kinship.pl. A rule that names a relation of another pack holds when that pack is there too.

composes(parent,  nibling, cousin).
composes(sibling, cousin,  cousin).
composes(pibling, child,   cousin).
composes(cousin,  sibling, cousin).

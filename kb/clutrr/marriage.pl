:- module(kin_marriage,
          [ relation/4,         % ?Relation, ?Male, ?Female, ?Generation
            inverse/2,          % ?Relation, ?Inverse
            means/2,            % ?Relation, ?Expression
            composes/3          % ?First, ?Second, ?Whole
          ]).

/** <module> The pack of relations by marriage

The spouses of uncles and grandchildren, the relatives of a spouse. In the base an uncle is a parent's brother;
here his wife has a name of her own, so that no rule of the base changes. The families are those of marriage.lp: no
double in-laws.
*/

%!  relation(?Relation, ?Male, ?Female, ?Generation) is nondet.
%
%   As in kinship.pl.

relation(pibling_by_marriage, 'uncle-by-marriage',  'aunt-by-marriage',      1).
relation(nibling_by_marriage, 'nephew-by-marriage', 'niece-by-marriage',    -1).
relation(co_sibling_in_law,   'co-brother-in-law',  'co-sister-in-law',      0).
relation(grandparent_in_law,  'grandfather-in-law', 'grandmother-in-law',    2).
relation(grandchild_in_law,   'grandson-in-law',    'granddaughter-in-law', -2).
relation(co_parent_in_law,    'co-father-in-law',   'co-mother-in-law',      0).

%!  inverse(?Relation, ?Inverse) is nondet.
%
%   As in kinship.pl.

inverse(pibling_by_marriage, nibling_by_marriage).
inverse(nibling_by_marriage, pibling_by_marriage).
inverse(co_sibling_in_law,   co_sibling_in_law).
inverse(grandparent_in_law,  grandchild_in_law).
inverse(grandchild_in_law,   grandparent_in_law).
inverse(co_parent_in_law,    co_parent_in_law).

%!  means(?Relation, ?Expression) is nondet.
%
%   As in kinship.pl.

means(pibling_by_marriage, path([pibling, spouse])).
means(nibling_by_marriage, path([spouse, nibling])).
means(co_sibling_in_law,   path([spouse, sibling, spouse])).
means(grandparent_in_law,  path([spouse, grandparent])).
means(grandchild_in_law,   path([grandchild, spouse])).
means(co_parent_in_law,    path([child, spouse, parent])).

%!  composes(?First, ?Second, ?Whole) is nondet.
%
%   As in kinship.pl. A rule that names a relation of another pack holds when that pack is there too.

composes(parent,              nibling_by_marriage, cousin).
composes(parent,              co_sibling_in_law,   pibling_by_marriage).
composes(parent,              grandparent_in_law,  great_grandparent).
composes(child,               parent_in_law,       co_parent_in_law).
composes(child,               child_in_law,        grandchild_in_law).
composes(spouse,              grandparent,         grandparent_in_law).
composes(spouse,              nibling,             nibling_by_marriage).
composes(spouse,              nibling_by_marriage, nibling).
composes(spouse,              co_sibling_in_law,   sibling_in_law).
composes(spouse,              grandparent_in_law,  grandparent).
composes(spouse,              grandchild_in_law,   grandchild_in_law).
composes(spouse,              co_parent_in_law,    co_parent_in_law).
composes(sibling,             pibling_by_marriage, pibling_by_marriage).
composes(grandchild,          spouse,              grandchild_in_law).
composes(pibling,             spouse,              pibling_by_marriage).
composes(parent_in_law,       parent,              grandparent_in_law).
composes(parent_in_law,       parent_in_law,       grandparent_in_law).
composes(parent_in_law,       child_in_law,        co_sibling_in_law).
composes(child_in_law,        parent,              co_parent_in_law).
composes(child_in_law,        child_in_law,        grandchild_in_law).
composes(child_in_law,        nibling_by_marriage, grandchild).
composes(child_in_law,        co_sibling_in_law,   child_in_law).
composes(pibling_by_marriage, child,               cousin).
composes(pibling_by_marriage, spouse,              pibling).
composes(pibling_by_marriage, parent_in_law,       grandparent).
composes(pibling_by_marriage, grandparent_in_law,  great_grandparent).
composes(nibling_by_marriage, sibling,             nibling_by_marriage).
composes(co_sibling_in_law,   child,               nibling_by_marriage).
composes(co_sibling_in_law,   spouse,              sibling_in_law).
composes(co_sibling_in_law,   parent_in_law,       parent_in_law).
composes(co_sibling_in_law,   co_sibling_in_law,   co_sibling_in_law).
composes(co_sibling_in_law,   grandparent_in_law,  grandparent_in_law).
composes(grandparent_in_law,  spouse,              grandparent_in_law).
composes(grandchild_in_law,   child,               great_grandchild).
composes(grandchild_in_law,   spouse,              grandchild).
composes(grandchild_in_law,   nibling_by_marriage, great_grandchild).
composes(grandchild_in_law,   co_sibling_in_law,   grandchild_in_law).
composes(co_parent_in_law,    spouse,              co_parent_in_law).

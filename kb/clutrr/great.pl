:- module(kin_great,
          [ relation/4,         % ?Relation, ?Male, ?Female, ?Generation
            inverse/2,          % ?Relation, ?Inverse
            means/2,            % ?Relation, ?Expression
            composes/3          % ?First, ?Second, ?Whole
          ]).

/** <module> The pack of great-grandparents

Great-grandparents and great-grandchildren, great-uncles and great-nephews. The families are those of the base.
*/

%!  relation(?Relation, ?Male, ?Female, ?Generation) is nondet.
%
%   As in kinship.pl.

relation(great_grandparent, 'great-grandfather', 'great-grandmother',    3).
relation(great_grandchild,  'great-grandson',    'great-granddaughter', -3).
relation(great_pibling,     'great-uncle',       'great-aunt',           2).
relation(great_nibling,     'great-nephew',      'great-niece',         -2).

%!  inverse(?Relation, ?Inverse) is nondet.
%
%   As in kinship.pl.

inverse(great_grandparent, great_grandchild).
inverse(great_grandchild,  great_grandparent).
inverse(great_pibling,     great_nibling).
inverse(great_nibling,     great_pibling).

%!  means(?Relation, ?Expression) is nondet.
%
%   As in kinship.pl.

means(great_grandparent, path([parent, grandparent])).
means(great_grandchild,  path([grandchild, child])).
means(great_pibling,     path([grandparent, sibling])).
means(great_nibling,     path([sibling, grandchild])).

%!  composes(?First, ?Second, ?Whole) is nondet.
%
%   As in kinship.pl. A rule that names a relation of another pack holds when that pack is there too.

composes(parent,            grandparent,       great_grandparent).
composes(parent,            pibling,           great_pibling).
composes(child,             grandchild,        great_grandchild).
composes(child,             great_nibling,     great_grandchild).
composes(spouse,            great_grandchild,  great_grandchild).
composes(sibling,           grandchild,        great_nibling).
composes(sibling,           great_grandparent, great_grandparent).
composes(sibling,           great_pibling,     great_pibling).
composes(grandparent,       parent,            great_grandparent).
composes(grandparent,       sibling,           great_pibling).
composes(grandparent,       parent_in_law,     great_grandparent).
composes(grandchild,        child,             great_grandchild).
composes(grandchild,        nibling,           great_grandchild).
composes(pibling,           grandparent,       great_grandparent).
composes(pibling,           pibling,           great_pibling).
composes(nibling,           child,             great_nibling).
composes(nibling,           nibling,           great_nibling).
composes(child_in_law,      grandchild,        great_grandchild).
composes(great_grandparent, spouse,            great_grandparent).
composes(great_grandchild,  sibling,           great_grandchild).
composes(great_pibling,     parent,            great_grandparent).
composes(great_nibling,     sibling,           great_nibling).

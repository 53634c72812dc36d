:- module(kinship,
          [ relation/4,         % ?Relation, ?Male, ?Female, ?Generation
            inverse/2,          % ?Relation, ?Inverse
            link/2,             % ?Link, ?Generation
            means/2,            % ?Relation, ?Expression
            composes/3          % ?First, ?Second, ?Whole
          ]).

/** <module> The kinship theory

Every relation is read "Y is the R of X": parent(X,Y) says that Y is a parent of X. Relations are neutral;
the gender of Y gives the word.

The families meant are those of families.lp and nuclear.lp: a man and a woman marry once and for life, children
have both as parents, nobody marries a blood relative, and spouses are of one generation. In such a family each
pair of persons has at most one relation. Over all of them composes/3 is sound, and it is complete for
compositions of two relations: clingo finds for each pair of relations that is not listed either two outcomes
or none.

Of the sixteen rules of the CLUTRR paper fourteen are here. The other two do not hold: a child's uncle may
be the brother of one's spouse, and a child's grandparent may be one's parent-in-law. What follows is
only that a child's parent is one's spouse, and that the spouse's sibling and parent are in-laws.
*/

%!  relation(?Relation, ?Male, ?Female, ?Generation) is nondet.
%
%   Relation is the neutral name of what English calls Male or Female. Generation is how many generations
%   older Y is than X.

relation(parent,         father,           mother,            1).
relation(child,          son,              daughter,         -1).
relation(spouse,         husband,          wife,              0).
relation(sibling,        brother,          sister,            0).
relation(grandparent,    grandfather,      grandmother,       2).
relation(grandchild,     grandson,         granddaughter,    -2).
relation(pibling,        uncle,            aunt,              1).
relation(nibling,        nephew,           niece,            -1).
relation(parent_in_law,  'father-in-law',  'mother-in-law',   1).
relation(child_in_law,   'son-in-law',     'daughter-in-law', -1).
relation(sibling_in_law, 'brother-in-law', 'sister-in-law',   0).

%!  inverse(?Relation, ?Inverse) is nondet.
%
%   Y is the Relation of X exactly when X is the Inverse of Y.

inverse(parent,         child).
inverse(child,          parent).
inverse(spouse,         spouse).
inverse(sibling,        sibling).
inverse(grandparent,    grandchild).
inverse(grandchild,     grandparent).
inverse(pibling,        nibling).
inverse(nibling,        pibling).
inverse(parent_in_law,  child_in_law).
inverse(child_in_law,   parent_in_law).
inverse(sibling_in_law, sibling_in_law).

%!  link(?Link, ?Generation) is nondet.
%
%   A family itself says who is the Link of whom. Generation is how many generations older Y is than X.

link(father,  1).
link(mother,  1).
link(parent,  1).
link(child,  -1).
link(spouse,  0).

%!  means(?Relation, ?Expression) is nondet.
%
%   Relation in terms of a family's father/2, mother/2, parent/2, child/2 and spouse/2. Expression is
%   path(Relations), all(Expressions) or except(Expression, Relations); several clauses are alternatives.
%   Nobody is related to themselves.

means(parent,         path([parent])).
means(child,          path([child])).
means(spouse,         path([spouse])).
means(sibling,        path([parent, child])).
means(grandparent,    path([parent, parent])).
means(grandchild,     path([child, child])).
means(pibling,        path([parent, sibling])).
means(nibling,        path([sibling, child])).
means(parent_in_law,  path([spouse, parent])).
means(child_in_law,   path([child, spouse])).
means(sibling_in_law, path([spouse, sibling])).
means(sibling_in_law, path([sibling, spouse])).

%!  composes(?First, ?Second, ?Whole) is nondet.
%
%   If Y is the First of X and Z is the Second of Y, and Z is not X, then Z is the Whole of X.

composes(child,         child,         grandchild).
composes(child,         spouse,        child_in_law).
composes(child,         sibling,       child).
composes(child,         parent,        spouse).
composes(child,         nibling,       grandchild).
composes(parent,        parent,        grandparent).
composes(parent,        child,         sibling).
composes(parent,        sibling,       pibling).
composes(parent,        spouse,        parent).
composes(parent,        parent_in_law, grandparent).
composes(spouse,        child,         child).
composes(spouse,        grandchild,    grandchild).
composes(spouse,        parent,        parent_in_law).
composes(spouse,        sibling,       sibling_in_law).
composes(spouse,        parent_in_law, parent).
composes(spouse,        child_in_law,  child_in_law).
composes(sibling,       sibling,       sibling).
composes(sibling,       parent,        parent).
composes(sibling,       child,         nibling).
composes(sibling,       grandparent,   grandparent).
composes(sibling,       pibling,       pibling).
composes(sibling,       spouse,        sibling_in_law).
composes(grandchild,    sibling,       grandchild).
composes(grandparent,   spouse,        grandparent).
composes(pibling,       parent,        grandparent).
composes(nibling,       sibling,       nibling).
composes(parent_in_law, spouse,        parent_in_law).
composes(child_in_law,  spouse,        child).
composes(child_in_law,  child,         grandchild).
composes(child_in_law,  parent_in_law, spouse).

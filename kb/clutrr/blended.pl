:- module(kin_blended,
          [ relation/4,         % ?Relation, ?Male, ?Female, ?Generation
            inverse/2,          % ?Relation, ?Inverse
            means/2,            % ?Relation, ?Expression
            comes_with/2,       % ?Link, ?Generation
            composes/3,         % ?First, ?Second, ?Whole
            withdrawn/3         % ?First, ?Second, ?Whole
          ]).

/** <module> The pack of half- and step-families

Parents may part and marry again, so that a parent's spouse need not be a parent, and a parent's child may be a
half-sibling. A sibling is one with whom both parents are shared. The families are those of blended.lp. In
them eleven rules of the base do not hold: withdrawn/3 has them, and clingo has a counterexample for each.

Combine this pack with the base only: the rules of the other packs are proven for nuclear families.
*/

%!  relation(?Relation, ?Male, ?Female, ?Generation) is nondet.
%
%   As in kinship.pl.

relation(half_sibling, 'half-brother', 'half-sister',  0).
relation(step_parent,  stepfather,     stepmother,     1).
relation(step_child,   stepson,        stepdaughter,  -1).
relation(step_sibling, stepbrother,    stepsister,     0).

%!  inverse(?Relation, ?Inverse) is nondet.
%
%   As in kinship.pl.

inverse(half_sibling, half_sibling).
inverse(step_parent,  step_child).
inverse(step_child,   step_parent).
inverse(step_sibling, step_sibling).

%!  means(?Relation, ?Expression) is nondet.
%
%   As in kinship.pl.

means(sibling,      all([path([father, child]), path([mother, child])])).
means(half_sibling, except(path([parent, child]), [sibling])).
means(step_parent,  except(path([parent, spouse]), [parent])).
means(step_child,   except(path([spouse, child]), [child])).
means(step_sibling, except(path([step_parent, child]), [sibling, half_sibling])).

%!  comes_with(?Link, ?Generation) is nondet.
%
%   Of each child both parents are told, or neither: where somebody is the Link of X, there is one more parent, Generation
%   generations older than X.

comes_with(father, 1).
comes_with(mother, 1).
comes_with(parent, 1).
comes_with(child,  0).

%!  composes(?First, ?Second, ?Whole) is nondet.
%
%   As in kinship.pl. A rule that names a relation of another pack holds when that pack is there too.

composes(spouse,       step_child,    child).
composes(sibling,      half_sibling,  half_sibling).
composes(sibling,      step_parent,   step_parent).
composes(sibling,      step_sibling,  step_sibling).
composes(child_in_law, step_child,    grandchild).
composes(half_sibling, sibling,       half_sibling).
composes(step_parent,  spouse,        parent).
composes(step_parent,  parent_in_law, grandparent).
composes(step_child,   sibling,       step_child).
composes(step_sibling, sibling,       step_sibling).

%!  withdrawn(?First, ?Second, ?Whole) is nondet.
%
%   A rule of the base that does not hold in these families.

withdrawn(parent,        child,         sibling).
withdrawn(parent,        spouse,        parent).
withdrawn(parent,        parent_in_law, grandparent).
withdrawn(child,         parent,        spouse).
withdrawn(spouse,        child,         child).
withdrawn(spouse,        grandchild,    grandchild).
withdrawn(spouse,        child_in_law,  child_in_law).
withdrawn(grandparent,   spouse,        grandparent).
withdrawn(parent_in_law, spouse,        parent_in_law).
withdrawn(child_in_law,  child,         grandchild).
withdrawn(child_in_law,  parent_in_law, spouse).

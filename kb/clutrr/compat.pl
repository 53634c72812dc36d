:- module(kin_compat,
          [ composes/3,         % ?First, ?Second, ?Whole
            original/2          % ?Relation, ?Name
          ]).

/** <module> The rules of the CLUTRR paper, as printed

The sixteen rules of the paper's appendix, for reading data that was made with them. Two are unsound:
a child's uncle need not be a sibling, and a child's grandparent need not be a parent. tests/clutrr shows the
family that refutes each.
*/

%!  original(?Relation, ?Name) is nondet.
%
%   The neutral Relation is called Name in the paper and in the original's rule files.

original(child,          child).
original(parent,         'inv-child').
original(spouse,         'SO').
original(sibling,        sibling).
original(grandchild,     grand).
original(grandparent,    'inv-grand').
original(child_in_law,   'in-law').
original(parent_in_law,  'inv-in-law').
original(sibling_in_law, 'sibling-in-law').
original(nibling,        un).
original(pibling,        'inv-un').

%!  composes(?First, ?Second, ?Whole) is nondet.
%
%   As in kinship.pl, but as the paper has it.

composes(child,      child,       grandchild).
composes(spouse,     grandchild,  grandchild).
composes(grandchild, sibling,     grandchild).
composes(parent,     parent,      grandparent).
composes(sibling,    grandparent, grandparent).
composes(child,      sibling,     child).
composes(spouse,     child,       child).
composes(sibling,    parent,      parent).
composes(child,      grandparent, parent).
composes(child,      pibling,     sibling).
composes(parent,     child,       sibling).
composes(sibling,    sibling,     sibling).
composes(child,      spouse,      child_in_law).
composes(spouse,     parent,      parent_in_law).
composes(sibling,    child,       nibling).
composes(parent,     sibling,     pibling).

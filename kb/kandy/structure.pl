/*  What is in a tree.

    Included by natural.pl and pointer.pl, which say what the operator and the
    children of a node are.
*/

%!  contains(+Node, ?Child) is nondet.
%
%   Child is a direct child of Node.

contains(Node, Child) :-
    extract_children(Node, Children),
    member(Child, Children).

%!  recursive_contains(+Node, ?Object:atom) is nondet.
%
%   Object is an object, at any depth, below Node.  The paper asks whether the
%   child is an atom; pointers are atoms too, so here the domain decides.

recursive_contains(Node, Object) :-
    contains(Node, Object),
    atom_props(Object, _, _, _).
recursive_contains(Node, Object) :-
    contains(Node, Child),
    recursive_contains(Child, Object).

%!  recursive_contains2(+Node, ?Descendant, ?Depth:nonneg) is nondet.
%
%   Descendant, an object or a composition, is below Node with Depth nodes in
%   between.

recursive_contains2(Node, Descendant, 0) :-
    contains(Node, Descendant).
recursive_contains2(Node, Descendant, Depth) :-
    contains(Node, Child),
    recursive_contains2(Child, Descendant, Above),
    Depth is Above + 1.

%!  contains_composition(+Node, ?Operator:atom) is nondet.
%
%   Operator makes Node or some composition below it.

contains_composition(Node, Operator) :-
    contains_composition_depth(Node, Operator, _).

%!  contains_composition_depth(+Node, ?Operator:atom, ?Depth:nonneg) is nondet.
%
%   Operator makes Node (then Depth is 0) or a composition Depth levels below.

contains_composition_depth(Node, Operator, 0) :-
    extract_operator(Node, Operator).
contains_composition_depth(Node, Operator, Depth) :-
    recursive_contains2(Node, Descendant, Between),
    extract_operator(Descendant, Operator),
    Depth is Between + 1.

:- module(kandy_compositions,
          [ any_composition/1,          % ?Operator
            non_random/1,               % ?Operator
            non_diag/1,                 % ?Operator
            diag/1,                     % ?Operator
            line/1,                     % ?Operator
            displacement/1,             % ?Operator
            upright/1,                  % ?Operator
            quadrant/1,                 % ?Operator
            quadrant_or_center/1,       % ?Operator
            quadrant_ul/1,              % ?Operator
            quadrant_ur/1,              % ?Operator
            quadrant_ll/1,              % ?Operator
            quadrant_lr/1               % ?Operator
          ]).

/** <module> The thirteen compositional operators and their classes

An operator says where the children of a node are drawn.  The classes serve two
readers: rules, which may speak of `line(Operator)`, and the curriculum
language, whose random groups (`any_line`, `any_diag`, ...) draw from them.

In the paper's background knowledge non_random/1, and with it any_composition/1,
leave out `in`, so that one of the thirteen operators is no composition.  Here
`in` belongs to both: it places its children, and nothing about it is random.

The order of the answers is that in which the random groups draw: it is part of
what a seed means.
*/

%!  non_diag(?Operator:atom) is nondet.
%
%   Operator lays its children out along rows and columns.

non_diag(stack).
non_diag(side_by_side).
non_diag(stack_reduce_bb).
non_diag(side_by_side_reduce_bb).
non_diag(grid).

%!  diag(?Operator:atom) is nondet.
%
%   Operator lays its children out along a diagonal.

diag(diag_ul_lr).
diag(diag_ll_ur).

%!  upright(?Operator:atom) is nondet.
%
%   Operator is one of the two plain lines: what the curriculum language calls
%   `any_non_diag`.  Narrower than non_diag/1, which is the paper's class for rules.

upright(stack).
upright(side_by_side).

%!  displacement(?Operator:atom) is nondet.
%
%   Operator gives each child a place of its own, in order.

displacement(Operator) :-
    line(Operator).
displacement(grid).

%!  line(?Operator:atom) is nondet.
%
%   Operator lays its children out on one line: every displacement but the grid.

line(stack).
line(stack_reduce_bb).
line(side_by_side).
line(side_by_side_reduce_bb).
line(Operator) :-
    diag(Operator).

%!  quadrant(?Operator:atom) is nondet.
%
%   Operator draws its children in one quarter of its canvas.

quadrant(quadrant_ul).
quadrant(quadrant_ur).
quadrant(quadrant_ll).
quadrant(quadrant_lr).

%!  quadrant_or_center(?Operator:atom) is nondet.
%
%   Operator is a quadrant, or `in`, which draws on the whole canvas.

quadrant_or_center(Operator) :-
    quadrant(Operator).
quadrant_or_center(in).

%!  quadrant_ul(?Operator:atom) is semidet.
%!  quadrant_ur(?Operator:atom) is semidet.
%!  quadrant_ll(?Operator:atom) is semidet.
%!  quadrant_lr(?Operator:atom) is semidet.
%
%   Operator is this very quadrant: a learner that may not name constants can
%   name the quadrant by its predicate.

quadrant_ul(quadrant_ul).
quadrant_ur(quadrant_ur).
quadrant_ll(quadrant_ll).
quadrant_lr(quadrant_lr).

%!  non_random(?Operator:atom) is nondet.
%
%   Operator fixes the places of its children.

non_random(Operator) :-
    quadrant_or_center(Operator).
non_random(Operator) :-
    displacement(Operator).

%!  any_composition(?Operator:atom) is nondet.
%
%   Operator is one of the thirteen compositional operators.

any_composition(in).
any_composition(Operator) :-
    quadrant(Operator).
any_composition(random).
any_composition(Operator) :-
    displacement(Operator).

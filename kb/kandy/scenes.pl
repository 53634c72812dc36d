:- module(kandy_scenes,
          [ defined_as/3,               % ?Pointer, ?Operator, ?Children
            sample_is/2                 % ?Sample, ?Node
          ]).

/** <module> Pictures as facts: the pointer encoding

Every composition has a name, its pointer, and one fact:

    sample_is(s00001, c000000).
    defined_as(c000000, in, [c000001]).
    defined_as(c000001, grid, [circle_red_small, square_red_large]).

Equal compositions share one pointer, so that equality of nodes is equality of
pointers.  The facts are dynamic and none are here: the engine puts in the
pictures that it is asked about, and a generated dataset carries this file with
its own samples.
*/

:- dynamic
    defined_as/3,
    sample_is/2.

%!  defined_as(?Pointer:atom, ?Operator:atom, ?Children:list) is nondet.
%
%   Pointer names the composition by Operator of Children, each of which is an
%   object or a pointer.  Semidet if Pointer is bound.

%!  sample_is(?Sample:atom, ?Node:atom) is nondet.
%
%   Node, a pointer or an object, is the whole picture of Sample.  Semidet if
%   Sample is bound.

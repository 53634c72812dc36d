:- module(kandy_modes,
          [ mode/3,                     % ?Size, ?Encoding, ?Mode
            head_mode/2                 % ?Encoding, ?Mode
          ]).

/** <module> Which predicates a learner is given, and how it may call them

For each size of the background knowledge and each encoding, the predicates
with the types of their arguments: `+Type` is given, `-Type` is found, `#(Type)`
is a constant of the domain.  The sizes are nested: a learner with the mid-size
knowledge has the minimal one as well.

    minimal  17 predicates in the natural encoding, 15 in the pointer encoding
    mid      22 more
    large     7 more

The types: `node` an object or a composition, `list` a list of nodes, `sample` a
picture, `int`, and the constants `shape`, `color`, `size`, `operator`, `kind`.
*/

%!  head_mode(?Encoding:oneof([natural,pointer]), ?Mode) is nondet.
%
%   Mode is the mode of the predicate to learn.

head_mode(natural, valid(+node)).
head_mode(pointer, valid(+sample)).

%!  mode(?Size:oneof([minimal,mid,large]), ?Encoding:oneof([natural,pointer]), ?Mode) is nondet.
%
%   Mode belongs to this Size of the background knowledge, and to no smaller
%   one, in this Encoding.

mode(Size, Encoding, Mode) :-
    mode_in(Encodings, Size, Mode),
    encoding_of(Encodings, Encoding).

encoding_of(both, natural).
encoding_of(both, pointer).
encoding_of(natural, natural).
encoding_of(pointer, pointer).

mode_in(pointer, minimal, sample_is(+sample, -node)).
mode_in(pointer, minimal, defined_as(+node, #(operator), -list)).
mode_in(natural, minimal, extract_operator(+node, #(operator))).
mode_in(natural, minimal, extract_children(+node, -list)).
mode_in(natural, minimal, extract_op_and_chld(+node, #(operator), -list)).
mode_in(natural, minimal, atom(+node)).
mode_in(both, minimal, extract_shape(+node, #(shape))).
mode_in(both, minimal, extract_color(+node, #(color))).
mode_in(both, minimal, extract_size(+node, #(size))).
mode_in(both, minimal, exists_shape(#(shape), +list)).
mode_in(both, minimal, exists_color(#(color), +list)).
mode_in(both, minimal, exists_size(#(size), +list)).
mode_in(both, minimal, same_shape(#(shape), +list)).
mode_in(both, minimal, same_color(#(color), +list)).
mode_in(both, minimal, same_size(#(size), +list)).
mode_in(both, minimal, contains(+node, -node)).
mode_in(both, minimal, recursive_contains(+node, -node)).
mode_in(both, minimal, reverse(+list, -list)).
mode_in(both, minimal, length(+list, -int)).

mode_in(both, mid, contains_composition(+node, #(operator))).
mode_in(both, mid, contains_composition_depth(+node, #(operator), -int)).
mode_in(both, mid, same_attribute(+list)).
mode_in(both, mid, same_non_size(+list)).
mode_in(both, mid, all_same(-node, +list)).
mode_in(both, mid, first(+list, -node)).
mode_in(both, mid, last(+list, -node)).
mode_in(both, mid, prepend(+node, +list, -list)).
mode_in(both, mid, droplast(+list, -list)).
mode_in(both, mid, middle(+list, -list)).
mode_in(both, mid, dropmiddle(+list, -list)).
mode_in(both, mid, getmiddle(+list, -node)).
mode_in(both, mid, less(+int, +int)).
mode_in(both, mid, less_eq(+int, +int)).
mode_in(both, mid, greater(+int, +int)).
mode_in(both, mid, same_int(+int, +int)).
mode_in(both, mid, different_int(+int, +int)).
mode_in(both, mid, same_obj(+node, +node)).
mode_in(both, mid, different_obj(+node, +node)).
mode_in(both, mid, delete(+list, +node, -list)).
mode_in(both, mid, nth0(+int, +list, -node)).
mode_in(both, mid, member(-node, +list)).

mode_in(both, large, symmetric_list(+list)).
mode_in(both, large, is_named_object(+node, #(kind))).
mode_in(both, large, forall_shared_shape(+node, #(shape))).
mode_in(both, large, forall_shared_color(+node, #(color))).
mode_in(both, large, forall_shared_named_obj(+node, #(kind))).
mode_in(both, large, pseudo_palindrome(+list)).
mode_in(both, large, pseudo_palindrome2(+list)).

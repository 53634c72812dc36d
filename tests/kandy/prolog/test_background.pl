:- module(test_kandy_background, []).

:- use_module(library(plunit)).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [append/3, member/2, subtract/3]).
:- use_module(hornbeam(kb/kandy/natural/full)).
:- use_module(hornbeam(kb/kandy/pointer/full), []).
:- use_module(hornbeam(kb/kandy/pointer/large), []).
:- use_module(hornbeam(kb/kandy/modes), [head_mode/2, mode/3]).
:- use_module(hornbeam(prolog/kandy/trees), [with_scenes/3]).

a_house(stack([triangle_red_small, square_blue_small])).

% The domain and single objects ------------------------------------------------

:- begin_tests(kandy_domain).

test(objects_are_all_combinations, Rows == Expected) :-
    findall(Object-[Shape, Color, Size], atom_props(Object, Shape, Color, Size), Rows),
    findall(Object-[Shape, Color, Size],
            ( shape(Shape), color(Color), size(Size),
              atomic_list_concat([Shape, Color, Size], '_', Object)
            ),
            Expected).

test(order_of_the_colours, Colors == [red, yellow, green, cyan, blue, magenta]) :-
    findall(Color, color(Color), Colors).

test(attributes_of_an_object, [Shape, Color, Size] == [square, cyan, large]) :-
    extract_shape(square_cyan_large, Shape),
    extract_color(square_cyan_large, Color),
    extract_size(square_cyan_large, Size).

test(an_attribute_finds_its_objects, Count == 6) :-
    aggregate_all(count, ( extract_shape(Object, circle), extract_size(Object, small) ), Count).

test(a_composition_has_no_shape, fail) :-
    extract_shape(in([circle_red_small]), _).

test(another_atom_is_no_object, fail) :-
    extract_color(red, _).

:- end_tests(kandy_domain).

% Lists of objects ---------------------------------------------------------------

:- begin_tests(kandy_attributes).

test(exists, all(Color == [red, blue])) :-
    exists_color(Color, [circle_red_small, in([]), square_blue_small]).
test(exists_size, nondet) :-
    exists_size(large, [circle_red_small, circle_red_large, in([])]).
test(exists_shape_fails, fail) :-
    exists_shape(triangle, [circle_red_small, in([triangle_red_small])]).

test(same_shape, Shape == circle) :-
    same_shape(Shape, [circle_red_small, circle_blue_large]).
test(same_color_of_one, Color == red) :-
    same_color(Color, [circle_red_small]).
test(same_size, fail) :-
    same_size(_, [circle_red_small, circle_red_large]).
test(same_of_none, fail) :-
    same_color(_, []).
test(same_needs_objects, fail) :-
    same_color(_, [circle_red_small, in([circle_red_small])]).

test(same_attribute_once_for_each, Count == 2) :-
    aggregate_all(count, same_attribute([circle_red_small, circle_blue_small]), Count).
test(same_non_size, fail) :-
    same_non_size([circle_red_small, square_blue_small]).

:- end_tests(kandy_attributes).

:- begin_tests(kandy_sequences).

test(first_and_last, First-Last == a-c) :-
    first([a, b, c], First),
    last([a, b, c], Last).
test(prepend, List == [x, a]) :-
    prepend(x, [a], List).
test(droplast, Front == [a, b]) :-
    droplast([a, b, c], Front).
test(droplast_of_none, fail) :-
    droplast([], _).
test(middle, Inner == [b, c]) :-
    middle([a, b, c, d], Inner).
test(middle_of_two, Inner == []) :-
    middle([a, b], Inner).
test(middle_of_one, fail) :-
    middle([a], _).
test(getmiddle, Middle == c) :-
    getmiddle([a, b, c, d, e], Middle).
test(getmiddle_of_an_even_number, fail) :-
    getmiddle([a, b], _).
test(dropmiddle_takes_one_element, Rest == [a, b, c, a]) :-
    dropmiddle([a, b, a, c, a], Rest).
test(dropmiddle_of_one, Rest == []) :-
    dropmiddle([a], Rest).
test(symmetric) :-
    symmetric_list([a, b, a]).
test(not_symmetric, fail) :-
    symmetric_list([a, b, b]).
test(all_same, Element == a) :-
    all_same(Element, [a, a, a]).
test(all_same_fails, fail) :-
    all_same(_, [a, b]).
test(all_same_of_none, fail) :-
    all_same(_, []).
test(expand, [A, D] == [a, d]) :-
    expand4([a, _, _, d], A, _, _, D).
test(odd_and_even) :-
    odd(3), even(4), even(0), \+ odd(2), \+ even(1).
test(numbers) :-
    less(1, 2), \+ less(2, 2), less_eq(2, 2), greater(3, 2), same_int(2, 2), different_int(1, 2).
test(nodes) :-
    same_obj(a, a), different_obj(a, b), \+ different(a, a), same(f(x), f(x)).

:- end_tests(kandy_sequences).

% Compositions and trees -----------------------------------------------------------

:- begin_tests(kandy_compositions).

test(thirteen_operators, Count == 13) :-
    aggregate_all(count, any_composition(_), Count).
test(no_operator_twice, Operators == Sorted) :-
    findall(Operator, any_composition(Operator), Unsorted),
    msort(Unsorted, Operators),
    sort(Unsorted, Sorted).
test(in_is_a_composition, nondet) :-
    any_composition(in), non_random(in).
test(random_is_random, fail) :-
    non_random(random).
test(seven_displacements, Count == 7) :-
    aggregate_all(count, displacement(_), Count).
test(a_line_is_no_grid, Rest == [grid]) :-
    findall(Operator, displacement(Operator), Displacements),
    findall(Operator, line(Operator), Lines),
    subtract(Displacements, Lines, Rest).
test(five_places, set(Operator == [in, quadrant_ll, quadrant_lr, quadrant_ul, quadrant_ur])) :-
    quadrant_or_center(Operator).

:- end_tests(kandy_compositions).

tree(in([stack([circle_red_small, grid([square_red_small])]), triangle_cyan_large])).

:- begin_tests(kandy_structure).

test(operator_and_children, Operator-Children == in-[circle_red_small]) :-
    extract_op_and_chld(in([circle_red_small]), Operator, Children).
test(an_object_has_no_children, fail) :-
    extract_children(circle_red_small, _).
test(contains_direct_children, all(Child == [stack([circle_red_small, grid([square_red_small])]),
                                             triangle_cyan_large])) :-
    tree(Tree),
    contains(Tree, Child).
test(recursive_contains_objects, all(Object == [triangle_cyan_large, circle_red_small, square_red_small])) :-
    tree(Tree),
    recursive_contains(Tree, Object).
test(recursive_contains_depth, all(Depth == [2])) :-
    tree(Tree),
    recursive_contains2(Tree, square_red_small, Depth).
test(contains_composition, set(Operator == [grid, in, stack])) :-
    tree(Tree),
    contains_composition(Tree, Operator).
test(contains_composition_depth, set(Operator-Depth == [grid-2, in-0, stack-1])) :-
    tree(Tree),
    contains_composition_depth(Tree, Operator, Depth).

test(pointers_say_the_same, set(Operator-Depth == [grid-2, in-0, stack-1])) :-
    tree(Tree),
    with_scenes([Tree], [Sample],
                findall(O-D,
                        ( kandy_scenes:sample_is(Sample, Node),
                          kandy_pointer:contains_composition_depth(Node, O, D)
                        ),
                        Found)),
    member(Operator-Depth, Found).
test(pointers_are_no_objects, Objects == [triangle_cyan_large, circle_red_small, square_red_small]) :-
    tree(Tree),
    with_scenes([Tree], [Sample],
                findall(Object,
                        ( kandy_scenes:sample_is(Sample, Node),
                          kandy_pointer:recursive_contains(Node, Object)
                        ),
                        Objects)).

:- end_tests(kandy_structure).

:- begin_tests(kandy_objects).

test(five_kinds, Count == 5) :-
    aggregate_all(count, named_object(_), Count).
test(house_leaves_no_choice_point) :-
    a_house(House),
    house(House).
test(tower_leaves_no_choice_point) :-
    tower(stack([square_red_small, square_red_small, square_blue_small])).
test(a_node_is_of_one_kind, all(Name == [house])) :-
    a_house(House),
    is_named_object(House, Name).
test(shared_shape) :-
    forall_shared_shape(grid([stack([circle_red_small]), stack([square_red_small, circle_blue_small])]), circle).
test(shared_color_fails, fail) :-
    forall_shared_color(grid([stack([circle_red_small]), stack([square_cyan_small])]), red).
test(shared_object) :-
    a_house(House),
    forall_shared_named_obj(grid([diag_ul_lr([House, circle_red_small]), diag_ll_ur([House])]), house).
test(pseudo_palindrome_leaves_no_choice_point) :-
    pseudo_palindrome([circle_red_small, square_red_small, circle_blue_small]).
test(long_pseudo_palindromes_are_cheap, Result == true) :-
    numlist(1, 40, Numbers),
    findall(circle_red_small, member(_, Numbers), Half),
    append(Half, [square_blue_small, triangle_cyan_small|Half], Nodes),
    call_with_inference_limit(\+ pseudo_palindrome(Nodes), 20_000, Result0),
    ( Result0 == inference_limit_exceeded -> Result = Result0 ; Result = true ).
test(pseudo_palindrome_with_objects) :-
    a_house(House),
    pseudo_palindrome2([House, circle_red_small, stack([triangle_cyan_large, square_cyan_large])]).

:- end_tests(kandy_objects).

% The sizes of the background knowledge ---------------------------------------------

:- begin_tests(kandy_sizes).

count(Sizes, Encoding, Count) :-
    aggregate_all(count, ( member(Size, Sizes), mode(Size, Encoding, _) ), Count).

test(as_in_the_paper, Counts == [17, 15, 39, 37, 46, 44]) :-
    findall(Count,
            ( member(Sizes, [[minimal], [minimal, mid], [minimal, mid, large]]),
              member(Encoding, [natural, pointer]),
              count(Sizes, Encoding, Count)
            ),
            Counts).

test(heads, all(Encoding == [natural, pointer])) :-
    head_mode(Encoding, valid(_)).

sizes(minimal, [minimal]).
sizes(mid, [minimal, mid]).
sizes(large, [minimal, mid, large]).

%   A module offers the predicates of its modes, and nothing else; what is built in needs no export.
test(modules_offer_what_the_modes_say,
     [forall(( member(Encoding, [natural, pointer]), sizes(Size, Sizes) )), Exports == Expected]) :-
    atomic_list_concat([kandy, Encoding, Size], '_', Module),
    module_property(Module, exports(Unsorted)),
    sort(Unsorted, Exports),
    findall(Name/Arity,
            ( member(Part, Sizes),
              mode(Part, Encoding, Mode),
              functor(Mode, Name, Arity),
              \+ predicate_property(system:Mode, built_in)
            ),
            Found),
    sort(Found, Expected).

test(the_large_pointer_knowledge_is_whole) :-
    a_house(House),
    with_scenes([in([House])], [Sample],
                ( kandy_scenes:sample_is(Sample, Node),
                  kandy_pointer_large:contains(Node, Child),
                  kandy_pointer_large:is_named_object(Child, house)
                )).

:- end_tests(kandy_sizes).

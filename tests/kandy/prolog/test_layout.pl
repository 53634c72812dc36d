:- module(test_kandy_layout, []).

:- use_module(library(plunit)).
:- use_module(hornbeam(kb/kandy/compositions), [any_composition/1]).
:- use_module(hornbeam(kb/kandy/pictures/layout)).
:- use_module(hornbeam(prolog/kandy/parsing)).

:- begin_tests(layout).

measures(Geometry, measures(Geometry, 15, 2)).

test(every_composition_but_random_has_cells, all(Operator == [random])) :-
    measures(right, Measures),
    any_composition(Operator),
    \+ cells(Operator, 3, 221, 221, Measures, _).

test(a_stack_divides_its_height_evenly, Cells == [cell(-1, 17, 223, 112), cell(-1, 91, 223, 112)]) :-
    measures(right, Measures),
    cells(stack, 2, 221, 221, Measures, Cells).

test(a_row_is_a_turned_stack) :-
    measures(right, Measures),
    cells(stack, 3, 100, 200, Measures, Stack),
    cells(side_by_side, 3, 200, 100, Measures, Row),
    forall(nth1(N, Stack, cell(L, T, W, H)), nth1(N, Row, cell(T, L, H, W))).

test(the_original_draws_the_lower_left_in_the_upper_right) :-
    measures(right, Right),
    measures(compat, Compat),
    cells(quadrant_ll, 1, 221, 221, Right, [cell(0, 110, 110, 110)]),
    cells(quadrant_ll, 1, 221, 221, Compat, Upper),
    cells(quadrant_ur, 1, 221, 221, Compat, Upper).

test(a_small_canvas_is_widened_for_an_object, Canvas == canvas(3, 4, 17, 17)) :-
    measures(right, Measures),
    object_canvas(canvas(3, 4, 10, 40), Measures, Canvas).

:- end_tests(layout).

:- begin_tests(parsing).

%   The numbers of a patch in the middle of a canvas, eight pixels wide.

patch(canvas(Left, Top, Width, Height), [X, X, Y, Y, L, T, R, B]) :-
    X is 2 * Left + Width,
    Y is 2 * Top + Height,
    L is X // 2 - 4, R is L + 8,
    T is Y // 2 - 4, B is T + 8.

parsed(Operator, Count, Grammar, Parses) :-
    Measures = measures(right, 15, 2),
    cells(Operator, Count, 221, 221, Measures, Cells),
    findall(Numbers,
            ( member(cell(L0, T0, W, H), Cells), L is L0 + 1, T is T0 + 1, patch(canvas(L, T, W, H), Numbers) ),
            Patches),
    append(Patches, Picture),
    parse_pictures(canvas(1, 1, 221, 221), Measures, [Picture], Grammar, 4, 1000000, [Parses]).

test(what_a_composition_draws_is_parsed_as_it,
     [forall(member(Operator, [stack, side_by_side, diag_ul_lr, diag_ll_ur, grid])), true(Parses == [[Operator, 3, 0, 1, 2]])]) :-
    parsed(Operator, 3, plain, Parses).

test(an_object_in_the_middle_is_in, Parses == [[in, 1, 0]]) :-
    parsed(in, 1, plain, Parses).

test(an_object_in_a_quadrant, [forall(member(Operator, [quadrant_ul, quadrant_lr])), true(Parses == [[Operator, 1, 0]])]) :-
    parsed(Operator, 1, plain, Parses).

test(objects_on_each_other_are_parsed_by_the_widest_grammar_only) :-
    parsed(in, 2, plain, []),
    parsed(in, 2, any, Parses),
    memberchk([in, 2, 0, 1], Parses),
    memberchk([in, 2, 1, 0], Parses).

test(patches_that_no_composition_explains_have_no_parse, Parses == [[]]) :-
    parse_pictures(canvas(1, 1, 221, 221), measures(right, 15, 2),
                   [[20, 21, 30, 31, 8, 12, 14, 18, 201, 202, 77, 78, 98, 36, 104, 42]], places, 4, 1000000, Parses).

test(a_picture_that_takes_too_long_has_no_parse, Parses == [[]]) :-
    parse_pictures(canvas(1, 1, 221, 221), measures(right, 15, 2),
                   [[223, 223, 223, 223, 107, 107, 115, 115]], plain, 4, 3, Parses).

test(a_grammar_that_is_none, error(type_error(_, wide))) :-
    parse_pictures(canvas(1, 1, 221, 221), measures(right, 15, 2), [], wide, 4, 10, _).

:- end_tests(parsing).

:- module(test_kandy_engine, []).

:- use_module(library(plunit)).
:- use_module(library(lists), [member/2]).
:- use_module(task_cases, [case/3]).
:- use_module(hornbeam(prolog/kandy/certificates), [certificate/3]).
:- use_module(hornbeam(prolog/kandy/calls), [undefined_predicates/2]).
:- use_module(hornbeam(prolog/kandy/domains), [current_domain/3, set_domain/3]).
:- use_module(hornbeam(prolog/kandy/explain), [explanation/3, explanation_text/2]).
:- use_module(hornbeam(prolog/kandy/marking), [marked_lines/3]).
:- use_module(hornbeam(prolog/kandy/labels), [labels/4, pointer_labels/4, proof_labels/4]).
:- use_module(hornbeam(prolog/kandy/rules),
              [ forget_rule/1, load_rule/2, rule_clauses/2, rule_module/3
              ]).
:- use_module(hornbeam(prolog/kandy/service),
              [ check/4, check_pointer/4, check_safe/1, operator_class/2, portable_rule/1, task_table/1,
                vocabulary/1
              ]).
:- use_module(hornbeam(prolog/kandy/texts), [domain_text/1, module_text/3, rule_text/2]).
:- use_module(hornbeam(prolog/kandy/trees),
              [ coded_trees/2, scene_tree/2, set_scenes/2, trees_scenes/3, with_scenes/3
              ]).

% Trees ----------------------------------------------------------------------------

:- begin_tests(kandy_trees).

test(coded, Trees == [in([stack([a, b])]), c, grid([])]) :-
    coded_trees([1, in, 2, stack, a, b, c, 0, grid], Trees).
test(a_code_that_ends_early, error(_)) :-
    coded_trees([2, in, a], _).

test(equal_compositions_share_a_pointer, Roots-Facts ==
        [c000001, c000002]-[ defined_as(c000000, stack, [a, b]),
                             defined_as(c000001, in, [c000000, c000000]),
                             defined_as(c000002, grid, [c000000])
                           ]) :-
    trees_scenes([in([stack([a, b]), stack([a, b])]), grid([stack([a, b])])], Roots, Facts).
test(an_object_is_its_own_root, Roots-Facts == [a]-[]) :-
    trees_scenes([a], Roots, Facts).

test(there_and_back, [forall(case(_, _, Tree)), Back == Tree]) :-
    with_scenes([Tree], [Sample],
                ( kandy_scenes:sample_is(Sample, Node),
                  scene_tree(Node, Back)
                )).
test(scenes_are_put_back, Node == c000000) :-
    set_scenes([mine], [in([circle_red_small])]),
    with_scenes([grid([a]), grid([b])], _, true),
    kandy_scenes:sample_is(mine, Node),
    set_scenes([], []).

:- end_tests(kandy_trees).

% Domains ---------------------------------------------------------------------------

:- begin_tests(kandy_domains, [cleanup(set_domain([circle, triangle, square],
                                                  [red, yellow, green, cyan, blue, magenta],
                                                  [small, large]))]).

test(names_of_several_words, Labels-Pointers == [1, 0, 0]-[1, 0, 0]) :-
    set_domain([circle, 'star fish'], [light_blue, 'Dark Blue'], [very_small]),
    load_rule(blue_star, "valid(C) :- contains(C, O), extract_color(O, light_blue), extract_shape(O, 'star fish')."),
    Trees = [ in(['star fish_light_blue_very_small']),
              in(['star fish_Dark Blue_very_small']),
              in([circle_light_blue_very_small])
            ],
    labels(blue_star, Trees, 10_000, Labels),
    pointer_labels(blue_star, Trees, 10_000, Pointers),
    forget_rule(blue_star).
test(current, [Shapes, Colors, Sizes] == [[a], [b, c], [d]]) :-
    set_domain([a], [b, c], [d]),
    current_domain(Shapes, Colors, Sizes).
test(two_objects_of_one_name, error(domain_error(distinct_object_names, a_b_c_d))) :-
    set_domain([a, a_b], [b_c, c], [d]).
test(a_name_twice, error(domain_error(kandy_domain, [a, a]))) :-
    set_domain([a, a], [b], [c]).
test(no_name, error(domain_error(kandy_domain, []))) :-
    set_domain([a], [], [c]).
test(a_refused_domain_changes_nothing, Shapes == [x]) :-
    set_domain([x], [b], [c]),
    catch(set_domain([a, a], [b], [c]), error(_, _), true),
    current_domain(Shapes, _, _).
test(text_reads_back, Rows == ['odd one_b_c'-['odd one', b, c], x_b_c-[x, b, c]]) :-
    set_domain(['odd one', x], [b], [c]),
    domain_text(Text),
    setup_call_cleanup(open_string(Text, In), findall(Term, read_all(In, Term), Terms), close(In)),
    findall(Object-[Shape, Color, Size], member(atom_props(Object, Shape, Color, Size), Terms), Rows).

read_all(In, Term) :-
    repeat,
    read(In, Read),
    (   Read == end_of_file
    ->  !,
        fail
    ;   Term = Read
    ).

:- end_tests(kandy_domains).

% Rules ------------------------------------------------------------------------------

:- begin_tests(kandy_rules, [cleanup(forget_rule(r))]).

labels_of(Text, Trees, Labels) :-
    load_rule(r, Text),
    labels(r, Trees, 10_000, Labels),
    pointer_labels(r, Trees, 10_000, Labels).

test(floats_univ_quotes_and_comments, Labels == [1, 0]) :-
    load_rule(r, "% a comment. with stops\nvalid(C) :- C =.. [Op, [_]], /* 1.5 */ X = 2.5, X > 1.0e0, Op \\== 'odd. name'."),
    labels(r, [in([circle_red_small]), in([])], 10_000, Labels).
test(the_last_stop_may_be_missing, Labels == [1, 0]) :-
    labels_of("valid(C) :- helper(C).\nhelper(C) :- contains(C, circle_red_small)",
              [in([circle_red_small]), in([])], Labels).
test(own_helpers_hide_the_background, Labels == [1]) :-
    labels_of("valid(C) :- house(C). house(_).", [in([])], Labels).
test(and_only_in_their_own_rule, Labels == [0]) :-
    load_rule(r, "valid(C) :- house(C). house(_)."),
    load_rule(other, "valid(C) :- house(C)."),
    labels(other, [in([])], 10_000, Labels),
    forget_rule(other).
test(loading_again_replaces, Labels == [0]) :-
    load_rule(r, "valid(_)."),
    labels_of("valid(_) :- fail.", [in([])], Labels).
test(grammar_rules, Labels == [1, 0]) :-
    load_rule(r, "valid(C) :- extract_children(C, L), phrase(pairs, L). pairs --> []. pairs --> [X, X], pairs."),
    labels(r, [in([a, a, b, b]), in([a, b])], 10_000, Labels).
test(a_rule_without_end, Labels == [-1, 1]) :-
    labels_of("valid(C) :- contains(C, a), valid(C). valid(C) :- contains(C, b).", [in([a]), in([b])], Labels).
test(a_syntax_error_has_its_place, error(syntax_error(_), file(positive_rule, 2, _, _))) :-
    load_rule(r, "valid(_).\nvalid(X :- y.").
test(no_directive, error(permission_error(load, directive, halt))) :-
    load_rule(r, "valid(_). :- halt.").
test(no_valid, error(existence_error(procedure, valid/1))) :-
    load_rule(r, "vald(_).").
test(an_unknown_predicate, error(existence_error(procedure, contans/2))) :-
    load_rule(r, "valid(C) :- forall(contains(C, X), \\+ contans(X, _)).").
test(no_change_of_the_database, error(permission_error(call, sandboxed, assertz/1))) :-
    load_rule(r, "valid(C) :- ( true -> assertz(seen(C)) ; true ).").
test(no_chance, error(permission_error(call, sandboxed, random_float/0))) :-
    load_rule(r, "valid(C) :- contains(C, _), \\+ 1 - random_float > 0.5.").
test(no_chance_of_a_library, error(permission_error(call, sandboxed, random_member/2))) :-
    load_rule(r, "valid(C) :- extract_children(C, L), random_member(circle_red_small, L).").
test(no_clock, error(permission_error(call, sandboxed, get_time/1))) :-
    load_rule(r, "valid(_) :- get_time(Now), Now > 1.").
test(the_composition_random_is_no_chance, Labels == [1, 0]) :-
    load_rule(r, "valid(C) :- C = random([_, _]), extract_operator(C, random)."),
    labels(r, [random([a, a]), in([a, a])], 10_000, Labels).
test(no_other_modules, error(permission_error(call, sandboxed, (:)/2))) :-
    load_rule(r, "valid(C) :- kandy_domain:retractall(shape(C)).").
test(no_built_in, error(permission_error(modify, static_procedure, length/2))) :-
    load_rule(r, "valid(_). length(_, _).").
test(unsafe, error(permission_error(_, sandboxed, _))) :-
    load_rule(r, "valid(C) :- open(C, read, _)."),
    check_safe(r).
test(safe) :-
    load_rule(r, "valid(C) :- contains(C, X), house(X)."),
    check_safe(r).
test(an_unknown_rule, error(existence_error(kandy_rule, no_such_rule))) :-
    rule_module(no_such_rule, natural, _).

test(clauses_of_a_task, Count == 5) :-
    rule_clauses(hard_17_implications_everywhere, Clauses),
    length(Clauses, Count).
test(text_of_a_task, Text == "valid(Node) :-\n    contains(Node, Object),\n    extract_shape(Object, triangle).\n") :-
    rule_text(easy_00_triangle, Text).
test(module_of_a_text) :-
    module_text(mine, "valid(X) :- first(X). first(X) :- contains(X, _)", Text),
    once(sub_string(Text, _, _, _, "except([first/1])")),
    once(sub_string(Text, _, _, _, "module(kandy_mine")).
test(the_rules_of_the_kb_are_whole, [forall(( task_table(Rows), member([Rule|_], Rows) )), Undefined == []]) :-
    rule_module(Rule, pointer, Module),
    undefined_predicates(Module, Undefined).

:- end_tests(kandy_rules).

% The service -------------------------------------------------------------------------

:- begin_tests(kandy_service).

test(check, Labels-Pointers == [1, 0, 0]-[1, 0, 0]) :-
    Codes = [1, in, triangle_red_small, 1, in, circle_red_small, triangle_red_small],
    check(easy_00_triangle, Codes, 10_000, Labels),
    check_pointer(easy_00_triangle, Codes, 10_000, Pointers).
test(the_limit_is_a_trees_own, Labels == [0, 0, 0]) :-
    check(easy_13_same_colour_pair,
          [1, in, circle_red_small, 1, in, circle_red_small, 1, in, circle_red_small], 200, Labels).
test(groups, Operators == [stack, side_by_side]) :-
    operator_class(any_non_diag, Operators).
test(no_such_group, error(domain_error(operator_class, any_thing))) :-
    operator_class(any_thing, _).
test(vocabulary) :-
    vocabulary(Names),
    memberchk('contains/2', Names).

test(published_rules_are_portable, [forall(( task_table(Rows), member([Rule|_], Rows) ))]) :-
    portable_rule(Rule).
test(portable, [forall(member(Text, ["valid(C) :- extract_children(C, L), length(L, N), N > 2, \\+ member(circle_red_small, L).",
                                     "valid(C) :- p(C). p(C) :- forall(contains(C, X), house(X))."])),
                cleanup(forget_rule(r))]) :-
    load_rule(r, Text),
    portable_rule(r).
test(not_portable, [forall(member(Text, ["valid(in(_)).",
                                         "valid(C) :- C =.. [_|_].",
                                         "valid(C) :- contains(C, X), atom(X).",
                                         "valid(C) :- contains(C, stack(_)).",
                                         "valid(C) :- contains(C, X), contains(C, Y), X @< Y."])),
                    cleanup(forget_rule(r)), fail]) :-
    load_rule(r, Text),
    portable_rule(r).
test(proofs_give_the_same_labels, [forall(case(Rule, Label, Tree)), Labels == [Label]]) :-
    proof_labels(Rule, [Tree], 100_000, Labels).

:- end_tests(kandy_service).

% Explanations ---------------------------------------------------------------------------

:- begin_tests(kandy_explain, [cleanup(forget_rule(r))]).

lines(Rule, Tree, Lines) :-
    rule_module(Rule, natural, Module),
    explanation(Module, Tree, Explanation),
    explanation_text(Explanation, Text),
    split_string(Text, "\n", "\n", Lines).

text_lines(Text, Tree, Lines) :-
    load_rule(r, Text),
    lines(r, Tree, [_|Lines]).

test(explains_every_case_as_its_label, [forall(case(Rule, Label, Tree)), Found == Label]) :-
    rule_module(Rule, natural, Module),
    explanation(Module, Tree, Explanation),
    functor(Explanation, How, 2),
    (   How == holds
    ->  Found = 1
    ;   Found = 0
    ).
test(every_failure_names_a_literal, [forall(case(Rule, 0, Tree))]) :-
    lines(Rule, Tree, Lines),
    once(( member(Line, Lines),
           split_string(Line, "", " ", [Trimmed]),
           string_concat("- ", _, Trimmed)
         )).

test(a_proof, Lines == [ "Picture = in([circle_blue_small, triangle_red_small])",
                         "valid(Picture) holds:",
                         "  + contains(Picture, triangle_red_small)",
                         "  + extract_shape(triangle_red_small, triangle)"
                       ]) :-
    lines(easy_00_triangle, in([circle_blue_small, triangle_red_small]), Lines).
test(the_first_literal_that_fails,
     Lines == [ "Picture = in([A])",
                "  A = stack([triangle_red_small, square_red_large])",
                "valid(Picture) does not hold:",
                "  + contains(Picture, A)",
                "  - house(A)",
                "    + extract_op_and_chld(A, stack, [triangle_red_small, square_red_large])",
                "    + extract_shape(triangle_red_small, triangle)",
                "    + extract_shape(square_red_large, square)",
                "    - same_size(_, [triangle_red_small, square_red_large])"
              ]) :-
    lines(easy_15_house, in([stack([triangle_red_small, square_red_large])]), Lines).
test(the_way_that_gets_furthest_is_told,
     Lines == [ "valid(Picture) does not hold:",
                "  + contains(Picture, circle_red_large)",
                "  + extract_shape(circle_red_large, circle)",
                "  - extract_size(circle_red_large, small)"
              ]) :-
    text_lines("valid(C) :- contains(C, X), extract_shape(X, circle), extract_size(X, small).",
               in([square_red_small, circle_red_large]), Lines).
test(of_ways_that_get_as_far_the_most_telling_come_first, First == "  + contains(Picture, A)") :-
    lines(easy_15_house, in([circle_red_small, stack([triangle_red_small, square_red_large])]),
          [_, _, _, First|_]).
test(equal_compositions_share_a_name, Line == "Picture = in([A, A])") :-
    lines(easy_15_house, in([stack([circle_red_small]), stack([circle_red_small])]), [Line|_]).
test(what_is_no_tree, Lines == ["Picture = odd(1, 2)", "valid(Picture) does not hold:",
                                "  - contains(Picture, _)"]) :-
    lines(easy_15_house, odd(1, 2), Lines).
test(negation, Lines == [ "valid(Picture) does not hold:",
                          "  - \\+contains(Picture, circle_red_small)",
                          "    because this holds",
                          "    + contains(Picture, circle_red_small)"
                        ]) :-
    text_lines("valid(C) :- \\+ contains(C, circle_red_small).", in([circle_red_small]), Lines).
test(counterexample, Lines == [ "valid(Picture) does not hold:",
                                "  - forall(contains(Picture, _), extract_shape(_, circle))",
                                "    not for",
                                "    + contains(Picture, square_red_small)",
                                "    - extract_shape(square_red_small, circle)"
                              ]) :-
    text_lines("valid(C) :- forall(contains(C, X), extract_shape(X, circle)).",
               in([circle_red_small, square_red_small]), Lines).
test(disjunction_and_condition,
     Lines == [ "valid(Picture) does not hold:",
                "  - first([circle_red_small], square_red_small);last([circle_red_small], square_red_small)",
                "    - first([circle_red_small], square_red_small)",
                "    - last([circle_red_small], square_red_small)"
              ]) :-
    text_lines("valid(in(L)) :- ( first(L, square_red_small) ; last(L, square_red_small) ).",
               in([circle_red_small]), Lines).
test(if_then_else, Lines == [ "valid(Picture) holds:",
                              "  + extract_children(Picture, [circle_red_small])",
                              "  + length([circle_red_small], 1)"
                            ]) :-
    text_lines("valid(C) :- extract_children(C, L), ( length(L, 2) -> fail ; length(L, 1) ).",
               in([circle_red_small]), Lines).
test(a_cut_commits, Lines == [ "valid(Picture) does not hold:",
                               "  + contains(Picture, circle_red_small)",
                               "  - extract_shape(circle_red_small, square)"
                             ]) :-
    text_lines("valid(C) :- contains(C, X), !, extract_shape(X, square).",
               in([circle_red_small, square_red_small]), Lines).
test(a_cut_shuts_out_later_clauses, How == fails) :-
    load_rule(r, "valid(C) :- contains(C, _), !, fail. valid(_)."),
    rule_module(r, natural, Module),
    explanation(Module, in([a]), Explanation),
    functor(Explanation, How, _).
test(no_clause_matches, Lines == ["valid(Picture) does not hold:", "  no clause is for this"]) :-
    text_lines("valid(grid(_)).", in([]), Lines).
test(without_end, Lines == ["The rule does not come to an end on this picture."]) :-
    text_lines("valid(C) :- valid(C).", in([]), Lines).

test(marks_what_a_literal_names, Places == [[0], [1]]) :-
    load_rule(r, "valid(C) :- extract_children(C, [X, Y]), same_color(_, [X, Y])."),
    marked(r, stack([circle_red_small, square_red_large]), "  + same_color", Places).
test(marks_every_place_of_a_node, Places == [[0], [2]]) :-
    load_rule(r, "valid(C) :- contains(C, X), extract_shape(X, circle)."),
    marked(r, stack([circle_red_small, square_red_large, circle_red_small]), "  + extract_shape", Places).
test(does_not_mark_the_whole_picture, Places == []) :-
    load_rule(r, "valid(C) :- extract_operator(C, stack)."),
    marked(r, stack([circle_red_small]), "  + extract_operator", Places).
test(marks_inside_a_negation, Places == [[0]]) :-
    load_rule(r, "valid(C) :- contains(C, X), \\+ extract_shape(X, square)."),
    marked(r, stack([circle_red_small]), "  + \\+", Places).
test(marks_what_fails, Places == [[0, 0]]) :-
    load_rule(r, "valid(C) :- contains(C, X), contains(X, Y), extract_shape(Y, square)."),
    marked(r, in([stack([circle_red_small])]), "  - extract_shape", Places).
test(marked_lines_are_the_text, [forall(case(Rule, _, Tree)), Lines == Texts]) :-
    lines(Rule, Tree, Lines),
    rows(Rule, Tree, Rows),
    findall(Text, member([Text, _], Rows), Texts).

rows(Rule, Tree, Rows) :-
    rule_module(Rule, natural, Module),
    explanation(Module, Tree, Explanation),
    marked_lines(Explanation, Tree, Rows).

marked(Rule, Tree, Start, Places) :-
    rows(Rule, Tree, Rows),
    member([Text, Places], Rows),
    string_concat(Start, _, Text),
    !.

:- end_tests(kandy_explain).

% Certificates ------------------------------------------------------------------------------

:- begin_tests(kandy_certificates, [cleanup(forget_rule(r))]).

of(Rule, Tree, Certificate) :-
    rule_module(Rule, natural, Module),
    certificate(Module, Tree, Certificate).

test(every_case_by_its_label, [forall(case(Rule, Label, Tree)), Found == Label]) :-
    of(Rule, Tree, [Found|_]).
test(holds, Certificate == [1, 1, ["contains(Picture,triangle_red_small)", "extract_shape(triangle_red_small,triangle)"]]) :-
    of(easy_00_triangle, in([circle_red_small, triangle_red_small]), Certificate).
test(fails, Certificate == [0, [ [1, ["extract_children(Picture,[])", "length([],0)"], "odd(0)"],
                                 [2, ["extract_children(Picture,[])", "length([],0)", "even(0)"], "same_shape(_,[])"]
                               ]]) :-
    of(hard_15_parity, stack([]), Certificate).
test(inside_control, Certificate == [1, 1, ["shape(circle)", "forall(contains(Picture,_),(contains(_,_),extract_shape(_,circle)))"]]) :-
    of(hard_09_shared_shape, grid([in([circle_red_small])]), Certificate).
test(the_clause_that_holds, Certificate == [1, 2, ["b=b"]]) :-
    load_rule(r, "valid(_) :- a = b. valid(_) :- b = b."),
    of(r, in([]), Certificate).
test(a_fact, Certificate == [1, 1, []]) :-
    load_rule(r, "valid(_)."),
    of(r, in([]), Certificate).
test(no_clause, Certificate == [0, []]) :-
    load_rule(r, "valid(grid(_))."),
    of(r, in([]), Certificate).

:- end_tests(kandy_certificates).

:- module(test_rudas_category, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/rudas/category)).
:- use_module(hornbeam(prolog/rudas/conflicts)).
:- use_module(hornbeam(kb/rudas/properties), [property_rule/4]).
:- use_module(hornbeam(kb/rudas/labels), [label/4, original_file/3]).
:- use_module(hornbeam(kb/rudas/sizes), [size/4]).

% The three rule sets of the paper's Figure 1.
figure(chain, 2,
       [ rule(p8(X0,X1), [p6(X0,X2), p4(X1,X0)]),
         rule(p6(X0,X2), [p0(_,X0), p9(_,X2)])
       ]).
figure(rdg, 2,
       [ rule(p6(X0,X1), [p0(X0,X2), p8(X1,X1)]),
         rule(p0(X0,X2), [p4(X0,_), p2(X2,X0)]),
         rule(p8(X1,X1), [p2(X1,X1)])
       ]).
figure(drdg, 2,
       [ rule(p5(X0,X1), [p7(X0,X2), p2(X0,X1)]),
         rule(p7(X0,X2), [p1(X2,X3), p0(X3,X0)]),
         rule(p7(X0,X2), [p6(X2,X0)]),
         rule(p2(X0,X1), [p6(X0,X4), p9(X1,X4)])
       ]).

violations(Rules, Category, Depth, Claims, Violations) :-
    check_rule_set([component(Category, Depth, Rules)], Claims, Violations).

:- begin_tests(rudas_category).

test(figure_1, [forall(figure(Category, Depth, Rules)), true(Found-Deep == Category-Depth)]) :-
    rule_set_category(Rules, Found),
    rule_graph(Rules, Graph),
    graph_depth(Graph, Deep).

test(each_figure_is_of_no_other_category,
     [forall(( figure(Category, Depth, Rules), member(Other, [chain, rdg, drdg]), Other \== Category )),
      true(V == [component(1, not_of_category(Other))])]) :-
    violations(Rules, Other, Depth, [], V).

test(recursion_is_no_edge, true(C == chain)) :-
    rule_set_category([rule(p(X,Y), [p(X,Z), q(Z,Y)]), rule(q(X,Y), [r(Y,X)])], C).

test(two_parents_are_no_chain, true(C == rdg)) :-
    rule_set_category([ rule(p(X,Y), [q(X,Y), r(X,Y)]),
                        rule(q(X,Y), [r(Y,X)]),
                        rule(r(X,Y), [s(Y,X)])
                      ], C).

test(two_roots_are_no_category, fail) :-
    rule_set_category([rule(p(X,Y), [q(X,Y)]), rule(r(X,Y), [q(Y,X)])], _).

test(depth_is_the_longest_of_the_shortest_paths, true(Depth == 2)) :-
    % s is a child of the root, though also reached through r.
    rule_graph([ rule(p(X,Y), [r(X,Y), s(X,Y)]),
                 rule(r(X,Y), [s(X,Y), t(X,Y)]),
                 rule(s(X,Y), [t(X,Y)])
               ], Graph),
    graph_depth(Graph, Depth).

test(wrong_depth, true(V == [component(1, depth(2))])) :-
    figure(chain, 2, Rules),
    violations(Rules, chain, 3, [], V).

test(cross_product, true(V = [unconnected(p6(_,_))])) :-
    figure(chain, 2, Rules),
    violations(Rules, chain, 2, [connected], V).

test(long_way_round_is_connected, true(V == [])) :-
    violations([rule(p(X), [q(X,Y), r(Z,W), s(Y,Z), t(W)])], chain, 1, [connected], V).

test(tautology, true(V = [tautology(p(_,_))])) :-
    violations([rule(p(X,Y), [q(X,Y), p(X,Y)])], chain, 1, [sound], V).

test(variants_are_redundant, true(Length == 2)) :-
    violations([ rule(t(X,Y), [p(X,Y)]),
                 rule(p(X,Y), [q(X,Z), r(Z,Y)]),
                 rule(p(A,B), [r(C,B), q(A,C)])
               ], drdg, 2, [sound], V),
    length(V, Length).

test(a_more_general_rule_makes_one_redundant, true(V = [redundant(rule(p(A,B), [q(A,B), r(A)]))])) :-
    violations([ rule(t(X,Y), [p(X,Y)]),
                 rule(p(X,Y), [q(X,Y)]),
                 rule(p(X,Y), [q(X,Y), r(X)])
               ], drdg, 2, [sound], V).

test(different_alternatives_are_sound, true(V == [])) :-
    figure(drdg, 2, Rules),
    violations(Rules, drdg, 2, [sound, connected], V).

test(unsafe_head, true(V = [unsafe(p(_,_))])) :-
    violations([rule(p(X,_), [q(X)])], chain, 1, [], V).

test(unsafe_negation, true(V = [unsafe(p(_))])) :-
    violations([rule(p(X), [q(X), \+ r(_)])], chain, 1, [], V).

test(two_arities, true(V == [two_arities(q)])) :-
    violations([rule(p(X), [q(X), q(X,X)])], chain, 1, [], V).

test(negation_through_a_cycle, true(memberchk(not_stratified(q), V))) :-
    violations([rule(p(X), [r(X), \+ q(X)]), rule(q(X), [p(X)])], chain, 1, [], V).

test(negation_of_a_lower_predicate, true(V == [])) :-
    violations([rule(p(X), [q(X), \+ s(X)]), rule(q(X), [s(X), \+ t(X)])], chain, 2, [sound, connected], V).

test(no_recursion_allowed, true(V = [recursive(p(_,_))])) :-
    violations([rule(p(X,Y), [p(Y,X)])], chain, 1, [recursion(none)], V).

test(recursion_required, true(V == [component(1, no_recursion)])) :-
    violations([rule(p(X,Y), [q(Y,X)])], chain, 1, [recursion(required)], V).

test(long_body, true(V = [too_long(p(_))])) :-
    violations([rule(p(X), [q(X), r(X), \+ s(X)])], chain, 1, [max_atoms(1)], V).

test(components_that_share_a_predicate, true(V == [shared_predicate(q)])) :-
    check_rule_set([ component(chain, 1, [rule(p(X), [q(X)])]),
                     component(chain, 1, [rule(r(Y), [q(Y)])])
                   ], [disjoint], V).

test(mixed_needs_two_categories, true(V == [same_category(chain)])) :-
    check_rule_set([ component(chain, 1, [rule(p(X), [q(X)])]),
                     component(chain, 1, [rule(r(Y), [s(Y)])])
                   ], [disjoint, mixed], V).

test(rules_below_a_target, true(Heads == [p, q])) :-
    rules_below([rule(p(X), [q(X)]), rule(r(X), [q(X)]), rule(q(X), [s(X)])], p, Rules),
    findall(P, ( member(rule(H, _), Rules), functor(H, P, _) ), Heads).

test(components_must_be_a_list, error(type_error(list, nonsense))) :-
    check_rule_set(nonsense, [], _).

:- end_tests(rudas_category).

:- begin_tests(rudas_knowledge).

test(transitive, true(Head-Body =@= p(X,Z)-[p(X,Y), p(Y,Z)])) :-
    property_rule(transitive, p, Head, Body).

test(functional_is_no_rule, fail) :-
    property_rule(functional, p, _, _).

test(functional_facts, true(Pairs == [[a,b]-[a,c], [d,e,1]-[d,e,2]])) :-
    conflicts(functional, [[a,c], [b,c], [a,b], [d,e,2], [d,e,1], [d,f,1], [a,b]], Pairs).

test(every_label_has_a_place_in_some_file, [forall(label(Label, World, _, _)), nondet]) :-
    original_file(_, World, Labels),
    memberchk(Label, Labels).

test(the_training_file_is_the_training_split, true(Given == Labels)) :-
    findall(L, label(L, _, train, _), Given0),
    sort(Given0, Given),
    once(original_file(train, train, Labels0)),
    sort(Labels0, Labels).

test(sizes_follow_each_other, true(Gaps == [])) :-
    findall(Name, ( size(Name, Least, _, _), Least > 50, Before is Least - 1, \+ size(_, _, Before, _) ), Gaps).

:- end_tests(rudas_knowledge).

:- module(test_mdie, []).
:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(yall)).
:- use_module(hornbeam(prolog/mdie/mdie)).
:- use_module(hornbeam(prolog/theory/subsumption), [clause_relation/3]).
:- use_module(hornbeam(prolog/mdie/session)).
:- use_module(hornbeam(prolog/mdie/settings)).
:- use_module(hornbeam(prolog/mdie/scores)).
:- use_module(hornbeam(prolog/mdie/shuffle)).
:- use_module(hornbeam(prolog/mdie/pool)).

/*  Small tasks with known answers.
*/

% Michalski's trains, cut down: two short closed cars make the difference.

has_car(east1, c11). has_car(east1, c12). has_car(east2, c21). has_car(east3, c31). has_car(east3, c32).
has_car(west1, c51). has_car(west1, c52). has_car(west2, c61). has_car(west3, c71). has_car(west3, c72).
short(c11). short(c21). short(c32). short(c51). short(c71).
closed(c11). closed(c21). closed(c32). closed(c52). closed(c61). closed(c72).
load(c11, circle, 1). load(c12, square, 3). load(c21, triangle, 1). load(c31, circle, 2). load(c32, square, 1).
load(c51, circle, 1). load(c52, square, 3). load(c61, circle, 2). load(c71, triangle, 2). load(c72, square, 1).

trains([ background(test_mdie),
         head(eastbound(+train)),
         body(has_car(+train, -car)), body(short(+car)), body(closed(+car)), body(load(+car, #(shape), #(int))),
         positive(eastbound(east1)), positive(eastbound(east2)), positive(eastbound(east3)),
         negative(eastbound(west1)), negative(eastbound(west2)), negative(eastbound(west3))
       ]).

parent(ann, mary). parent(ann, tom). parent(tom, eve). parent(tom, ian). parent(eve, joe). parent(ian, sue).
female(ann). female(mary). female(eve). female(sue).

kin([ background(test_mdie),
      head(daughter(+person, +person)),
      body(parent(+person, -person)), body(parent(-person, +person)), body(female(+person)),
      positive(daughter(mary, ann)), positive(daughter(eve, tom)), positive(daughter(sue, ian)),
      negative(daughter(tom, ann)), negative(daughter(eve, ann)), negative(daughter(ann, mary)),
      negative(daughter(joe, eve))
    ]).

ancestor_(X, Y) :- parent(X, Y).
ancestor_(X, Y) :- parent(X, Z), ancestor_(Z, Y).

person(Person) :-
    member(Person, [ann, mary, tom, eve, ian, joe, sue]).

ancestors(Task) :-
    findall(positive(ancestor(X, Y)), ancestor_(X, Y), Positives),
    findall(negative(ancestor(X, Y)), ( person(X), person(Y), \+ ancestor_(X, Y) ), Negatives),
    append([ [ background(test_mdie), head(ancestor(+person, +person)),
               body(parent(+person, -person)), body(ancestor(+person, +person))
             ], Positives, Negatives ], Task).

paint(1, red). paint(2, blue). paint(3, red). paint(4, green). paint(5, red). paint(6, blue).
paint(9, green).
heavy(2). heavy(3). heavy(6). heavy(4).
thing(N) :- between(1, 6, N).
thing(9).

painted(Task) :-
    append([ background(test_mdie), head(light(+thing)) ], Rest, Task),
    Rest = [ body(thing(+thing)), body(heavy(+thing), [negated(true)]), body(paint(+thing, #(color)), [negated(true)]),
             positive(light(1)), positive(light(5)), positive(light(9)),
             negative(light(2)), negative(light(3)), negative(light(4)), negative(light(6)), negative(light(7)) ].

%   The same clauses, up to the order of clauses and literals and the names of variables.

variant_theory(Theory, Expected) :-
    same_length(Theory, Expected),
    forall(member(Clause, Expected),
           ( member(Learned, Theory),
             clause_relation(Clause, Learned, variant)
           )).

:- begin_tests(learn).

test(trains, true(variant_theory(Theory, [(eastbound(T) :- has_car(T, C), short(C), closed(C))]))) :-
    trains(Task),
    learn(Task, Theory, []).

test(kinship, true(variant_theory(Theory, [(daughter(X, Y) :- parent(Y, X), female(X))]))) :-
    kin(Task),
    learn(Task, Theory, []).

test(every_strategy, [ forall(member(Strategy, [cover, few, max])),
                       true(variant_theory(Theory, [(daughter(X, Y) :- parent(Y, X), female(X))])) ]) :-
    kin(Task),
    learn(Task, Theory, [strategy(Strategy)]).

test(every_evaluation, [ forall(member(Evaluation, [coverage, compression, laplace, m_estimate, accuracy])),
                         true(variant_theory(Theory, [(daughter(X, Y) :- parent(Y, X), female(X))])) ]) :-
    kin(Task),
    learn(Task, Theory, [evaluation(Evaluation)]).

test(recursion, true(variant_theory(Theory, [ (ancestor(X, Y) :- parent(X, Y)),
                                              (ancestor(A, B) :- parent(A, C), ancestor(C, B)) ]))) :-
    ancestors(Task),
    learn(Task, Theory, []).

test(negation, true(variant_theory(Theory, [(light(X) :- thing(X), \+ heavy(X))]))) :-
    painted(Task),
    learn(Task, Theory, []).

test(constants_from_proofs, true(variant_theory(Theory, [(warm(X) :- paint(X, red))]))) :-
    learn([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), body(heavy(+thing)),
            positive(warm(1)), positive(warm(3)), positive(warm(5)), negative(warm(2)), negative(warm(4)),
            negative(warm(6)) ], Theory, []).

test(constants_of_negated_literals, true(variant_theory(Theory, [(cold(X) :- \+ paint(X, red))]))) :-
    learn([ background(test_mdie), head(cold(+thing)), body(paint(+thing, #(color)), [negated(true)]),
            positive(cold(2)), positive(cold(4)), positive(cold(7)), negative(cold(1)), negative(cold(3)),
            negative(cold(5)) ], Theory, [max_body(1)]).

test(constants_that_a_proof_leaves_open, true(variant_theory(Theory, [(only(X) :- all_painted(X, red))]))) :-
    learn([ background(test_mdie), head(only(+box)), body(all_painted(+box, #(color))),
            constants(color, [blue, green, red]),
            positive(only([1, 3])), positive(only([3, 5])), negative(only([1, 2])), negative(only([2, 6])) ], Theory, []).

test(output_of_the_head_is_bound, true(variant_theory(Theory, [(child(X, Y) :- parent(X, Y))]))) :-
    learn([ background(test_mdie), head(child(+person, -person)), body(parent(+person, -person)), body(female(+person)),
            positive(child(ann, tom)), positive(child(tom, ian)), negative(child(tom, ann)), negative(child(sue, sue))
          ], Theory, []).

test(either_way_place, true(variant_theory(Theory, [(daughter(X, Y) :- parent(Y, X), female(X))]))) :-
    kin(Task0),
    exclude([body(parent(_, _))]>>true, Task0, Task),
    learn([body(parent(?(person), ?(person)))|Task], Theory, []).

test(nothing_to_learn, true(Theory == [])) :-
    learn([ background(test_mdie), head(odd(+thing)), body(thing(+thing)),
            positive(odd(1)), positive(odd(3)), negative(odd(2)), negative(odd(4)) ], Theory, []).

test(noise, true(variant_theory(Theory, [(warm(X) :- paint(X, red))]))) :-
    learn([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), body(thing(+thing)),
            positive(warm(1)), positive(warm(3)), negative(warm(5)), negative(warm(2)), negative(warm(4)),
            negative(warm(6)) ], Theory, [noise(1), min_acc(0.6)]).

test(without_noise_there_is_no_clause, true(Theory == [])) :-
    learn([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), body(thing(+thing)),
            positive(warm(1)), positive(warm(3)), negative(warm(5)), negative(warm(2)), negative(warm(4)),
            negative(warm(6)) ], Theory, []).

test(a_call_that_does_not_end_costs_only_itself,
     true(variant_theory(Theory, [(warm(X) :- paint(X, red))]))) :-
    learn([ background(test_mdie), head(warm(+thing)), body(endless(+thing)), body(wrong(+thing)),
            body(paint(+thing, #(color))),
            positive(warm(1)), positive(warm(3)), negative(warm(2)), negative(warm(4)) ], Theory,
          [inferences(2000)]).

test(without_negatives_nothing_need_be_asked, [ forall(member(Strategy, [cover, few, max])),
                                                true(variant_theory(Theory, [(warm(_) :- true)])) ]) :-
    learn([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), positive(warm(1)),
            positive(warm(2)) ], Theory0, [strategy(Strategy)]),
    maplist([Fact, (Fact :- true)]>>true, Theory0, Theory).

test(as_much_noise_as_there_are_negatives, true(Theory =@= [warm(_)])) :-
    learn([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), positive(warm(1)),
            positive(warm(2)), positive(warm(4)), positive(warm(7)), negative(warm(3)) ], Theory, [noise(1)]).

test(declared_constants_only, true(Theory == [])) :-
    learn([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), constants(color, [blue, green]),
            positive(warm(1)), positive(warm(3)), negative(warm(2)), negative(warm(4)) ], Theory, []).

test(an_example_that_is_given_twice_counts_twice, true(Ps-Ns == [1, 2, 3]-[])) :-
    findall(Ps0-Ns0,
            learning([ background(test_mdie), head(warm(+thing)), body(paint(+thing, #(color))), positive(warm(1)),
                       positive(warm(1)), positive(warm(3)), negative(warm(2)) ], theory(_, Ps0, Ns0), []),
            Theories),
    last(Theories, Ps-Ns).

test(size_of_a_body, true(Theory == [])) :-
    trains(Task),
    learn(Task, Theory, [max_body(2), min_pos(2)]).

test(number_of_variables, true(Theory == [])) :-
    trains(Task),
    learn(Task, Theory, [max_vars(1)]).

test(examples_of_another_predicate, throws(error(domain_error(mdie_example_of(_), _), _))) :-
    learn([head(p(+t)), positive(q(a))], _, []).

test(no_head, throws(error(existence_error(mdie_declaration, _), _))) :-
    learn([positive(q(a))], _, []).

test(bad_mode, throws(error(type_error(mode, _), _))) :-
    learn([head(p(t)), positive(p(a))], _, []).

test(bad_declaration, throws(error(domain_error(mdie_declaration, _), _))) :-
    learn([modeh(p(+t)), positive(p(a))], _, []).

:- end_tests(learn).

all_painted(Things, Color) :-
    forall(member(Thing, Things), paint(Thing, Color)).

endless(X) :- endless(X).
wrong(X) :- X > foo.

%   The literals of the bottom clause of an example, its variables numbered in their order of appearance, sorted.

bottom_literals(Task, Example, Options, Literals) :-
    bottom(Task, Example, (Head :- Body), Options),
    numbervars(Head-Body, 0, _),
    conjuncts(Body, Literals0),
    msort(Literals0, Literals).

conjuncts((Literal, Body), Literals) =>
    Literals = [Literal|Rest],
    conjuncts(Body, Rest).
conjuncts(Literal, Literals) =>
    Literals = [Literal].

:- begin_tests(bottom).

test(all_that_is_true_of_the_example,
     true(Literals == [ closed('$VAR'(1)), short('$VAR'(1)), has_car('$VAR'(0), '$VAR'(1)),
                        has_car('$VAR'(0), '$VAR'(2)), load('$VAR'(1), circle, 1), load('$VAR'(2), square, 3) ])) :-
    trains(Task),
    bottom_literals(Task, 1, [], Literals).

test(at_depth_0_there_are_only_tests_of_the_head,
     true(Literals == [female('$VAR'(0)), female('$VAR'(1)), parent('$VAR'(1), '$VAR'(0))])) :-
    kin(Task),
    bottom_literals(Task, 1, [depth(0)], Literals).

test(recall_bounds_the_answers_of_a_call, true(Cars == 1)) :-
    trains(Task0),
    selectchk(body(has_car(+train, -car)), Task0, Task),
    bottom_literals([body(has_car(+train, -car), [recall(1)])|Task], 1, [], Literals),
    aggregate_all(count, member(has_car(_, _), Literals), Cars).

test(size, true(Count == 3)) :-
    trains(Task),
    bottom_literals(Task, 1, [max_bottom(3)], Literals),
    length(Literals, Count).

test(negated_literals_are_those_that_fail,
     true(Literals == [ \+ heavy('$VAR'(0)), \+ paint('$VAR'(0), blue), \+ paint('$VAR'(0), green), thing('$VAR'(0)),
                        paint('$VAR'(0), red) ])) :-
    painted(Task),
    bottom(Task, 1, (Head :- Body), []),
    numbervars(Head-Body, 0, _),
    conjuncts(Body, Literals0),
    partition([\+ _]>>true, Literals0, Negative0, Positive),
    msort(Negative0, Negative),
    append(Negative, Positive, Literals).

:- end_tests(bottom).

:- begin_tests(events).

test(they_end_with_how_the_search_ended, true(Last == finished(exhausted))) :-
    trains(Task),
    findall(Event, learning(Task, Event, []), Events),
    last(Events, Last).

test(clauses_tried_are_bounded, true(Last-Most == finished(nodes)-true)) :-
    trains(Task),
    findall(Event, learning(Task, Event, [nodes(3), chunk(1), strategy(cover)]), Events),
    last(Events, Last),
    aggregate_all(sum(Count), member(tried(Count), Events), Tried),
    ( Tried < 30 -> Most = true ; Most = Tried ).

test(the_same_task_tells_the_same, true(Events1 =@= Events2)) :-
    ancestors(Task),
    findall(Event, learning(Task, Event, [passes(2)]), Events1),
    findall(Event, learning(Task, Event, [passes(2)]), Events2).

test(seeds_in_the_given_order, true(Seed == 3)) :-
    trains(Task),
    once(learning(Task, seed(Seed, _, _), [order([3, 1])])).

test(a_theory_tells_what_it_covers, true(Ps-Ns == [1, 2, 3]-[])) :-
    trains(Task),
    findall(Ps0-Ns0, learning(Task, theory(_, Ps0, Ns0), []), Theories),
    last(Theories, Ps-Ns).

test(no_example_is_left_behind, true(Left == [])) :-
    kin(Task),
    learn(Task, _, []),
    findall(Module, ( current_module(Module), sub_atom(Module, 0, _, _, mdie_examples_),
                      predicate_property(Module:'mdie example'(_, _), number_of_clauses(Count)), Count > 0 ), Left).

test(a_session_gives_them_in_parts, true(Events1 =@= Events2)) :-
    trains(Task),
    findall(Event, learning(Task, Event, [chunk(2)]), Events0),
    maplist([Event, Event]>>numbervars(Event, 0, _), Events0, Events1),
    open_session(Task, [chunk(2)], Session),
    parts(Session, Events2),
    close_session(Session).

test(a_session_can_be_closed_early, true(Events == [])) :-
    trains(Task),
    open_session(Task, [chunk(1)], Session),
    session_events(Session, 1, [_|_]),
    close_session(Session),
    session_events(Session, 1, Events).

:- end_tests(events).

parts(Session, Events) :-
    session_events(Session, 1, Part),
    (   Part == []
    ->  Events = []
    ;   append(Part, Rest, Events),
        parts(Session, Rest)
    ).

:- begin_tests(settings).

test(defaults, true(Value == 5)) :-
    settings([], Settings),
    setting(max_body, Settings, Value).

test(a_name_that_is_none, throws(error(domain_error(mdie_setting, _), _))) :-
    settings([minpos(2)], _).

test(a_value_out_of_range, throws(error(type_error(_, _), _))) :-
    settings([nodes(0)], _).

test(a_value_that_is_none_of_the_choices, throws(error(type_error(oneof(_), best), _))) :-
    settings([strategy(best)], _).

:- end_tests(settings).

:- begin_tests(parts).

test(scores, forall(member(Evaluation-Score, [ coverage-2, compression-(-1), laplace-0.625, accuracy-(2/3),
                                               m_estimate(2, 0.5)-0.625 ]))) :-
    score(Evaluation, 4, 2, 3, Found),
    assertion(abs(Found-Score) < 1.0e-9).

test(order_0_is_the_given_one, true(Shuffled == [a, b, c])) :-
    shuffled(0, [a, b, c], Shuffled).

test(an_order_is_a_permutation, forall(between(1, 20, Number))) :-
    numlist(1, 50, List),
    shuffled(Number, List, Shuffled),
    assertion(Shuffled \== List),
    msort(Shuffled, Sorted),
    assertion(Sorted == List).

test(pool_leaves_out_what_another_clause_covers, true(News-Count == [true, false, true, true]-2)) :-
    empty_pool(Pool0),
    pool_add(good(p, [a, b], [1, 2], [], 2), Pool0, Pool1, New1),
    pool_add(good(p, [a, b, c], [1], [], 3), Pool1, Pool2, New2),
    pool_add(good(p, [d, e, f], [3], [], 3), Pool2, Pool3, New3),
    pool_add(good(p, [d, g], [3, 4], [], 2), Pool3, Pool4, New4),
    News = [New1, New2, New3, New4],
    length(Pool4, Count).

test(pool_select_drops_what_is_not_needed, true(Bodies == [[b], [c]])) :-
    empty_pool(Pool0),
    foldl([Good, Before, After]>>pool_add(Good, Before, After, _),
          [good(p, [a], [1, 2, 3, 4], [], 1), good(p, [b], [1, 2, 5], [], 1), good(p, [c], [3, 4, 6], [], 1)],
          Pool0, Pool),
    pool_select(Pool, Chosen, _),
    findall(Body, member(pooled(_, _, _, _-Body), Chosen), Bodies).

:- end_tests(parts).

:- module(test_kinship, []).
:- use_module(library(plunit)).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [member/2, same_length/2]).
:- use_module(library(error)).

:- use_module(hornbeam(prolog/clutrr/theory)).
:- use_module(hornbeam(prolog/clutrr/kin)).

:- begin_tests(clutrr_theory).

test(twenty_two_words, Count == 22) :-
    findall(Word, ( theory_relation([base], _, M, F, _), member(Word, [M,F]) ), Words),
    sort(Words, Distinct),
    length(Distinct, Count).

test(inverses_are_mutual, [forall(member(Pack, [great,cousins,marriage,blended]))]) :-
    forall(theory_inverse([base,Pack], R, S), theory_inverse([base,Pack], S, R)).

test(rules_are_closed_under_inversion, [forall(member(Theory, [[base], [base,great,cousins,marriage], [base,blended]]))]) :-
    forall(theory_rule(Theory, R, S, T),
           ( theory_inverse(Theory, R, RI), theory_inverse(Theory, S, SI), theory_inverse(Theory, T, TI),
             theory_rule(Theory, SI, RI, TI) )).

test(rules_respect_generations, [forall(member(Theory, [[base], [base,great,cousins,marriage], [base,blended]]))]) :-
    forall(theory_rule(Theory, R, S, T),
           ( theory_relation(Theory, R, _, _, G1), theory_relation(Theory, S, _, _, G2),
             theory_relation(Theory, T, _, _, G3), G3 =:= G1+G2 )).

test(two_relations_compose_to_one, [forall(member(Theory, [[base], [base,great,cousins,marriage], [base,blended]]))]) :-
    findall(R-S, theory_rule(Theory, R, S, _), Pairs),
    sort(Pairs, Distinct),
    same_length(Pairs, Distinct).

test(the_paper_has_sixteen_rules, Count == 16) :-
    aggregate_all(count, theory_rule(compat, _, _, _), Count).

test(fourteen_of_them_are_kept, Count == 14) :-
    aggregate_all(count, ( theory_rule(compat, R, S, T), theory_rule([base], R, S, T) ), Count).

test(the_two_others_are_the_unsound_ones, set(R-S == [child-pibling, child-grandparent])) :-
    theory_rule(compat, R, S, T),
    \+ theory_rule([base], R, S, T).

test(eleven_rules_are_withdrawn_from_blended_families, Count == 11) :-
    aggregate_all(count, ( theory_rule([base], R, S, T), \+ theory_rule([base,blended], R, S, T) ), Count).

% An uncle speaks of a parent and of a grandparent; in the wide reading also of the aunt whose husband he is.
test(witnesses, [forall(member(Reading-Relation-Steps, [narrow-parent-[], narrow-sibling-[1], narrow-pibling-[1,2],
                                                        narrow-sibling_in_law-[0,1], wide-pibling-[1,1,2],
                                                        wide-nibling-[0,0,1], wide-sibling-[1]])),
                 true(Found == Steps), nondet]) :-
    theory_witnesses([base], Reading, Relation, Found).
test(in_blended_families_a_parent_comes_with_the_other, all(Steps == [[1]])) :-
    theory_witnesses([base,blended], narrow, parent, Steps).
test(links, Links == [child,father,mother,parent,spouse]) :-
    setof(Link, Step^theory_link(Link, Step), Links).

test(unknown_packs_are_refused, error(domain_error(kinship_pack, nonsense))) :-
    theory_rule([base,nonsense], _, _, _).

test(rules_of_absent_packs_are_left_out) :-
    \+ theory_rule([base,cousins], _, _, great_nibling),
    \+ theory_rule([base,marriage], _, _, cousin).

:- end_tests(clutrr_theory).

:- begin_tests(clutrr_kin).

test(any_bracketing, all(Whole == [grandparent])) :-
    derives([base], [sibling,parent,parent], Whole).
test(ambiguous_chains_have_no_answer, fail) :-
    derives([base], [child,grandparent], _).
test(the_literal_rules_answer_them, all(Whole == [parent])) :-
    derives(compat, [child,grandparent], Whole).
test(the_literal_rules_can_derive_two_answers, set(Whole == [parent,parent_in_law])) :-
    derives(compat, [spouse,child,grandparent], Whole).

% The numbers of neutral clauses that the paper's rules derive.
test(clauses_of_the_paper, [forall(member(K-Count, [2-16, 3-50, 4-176, 5-642])), true(Found == Count)]) :-
    findall(Body, clause_of_length(compat, K, _, Body), Bodies),
    sort(Bodies, Distinct),
    length(Distinct, Found).

test(derivation_is_a_tree,
     Tree == so(grandparent,a,c, told(parent,a,b), told(parent,b,c))) :-
    derivation([base], [parent-a-b, parent-b-c], grandparent, Tree), !.

test(valid_proofs, Verdicts == [ok,bad,bad,bad]) :-
    Facts = [[parent,a,b],[parent,b,c]],
    Step = [[grandparent,a,c],[parent,a,b],[parent,b,c]],
    valid_steps([base],
                [ [Facts, [Step], [grandparent,a,c]],
                  [Facts, [Step], [parent,a,c]],
                  [Facts, [[[sibling,a,c],[parent,a,b],[parent,b,c]]], [sibling,a,c]],
                  [[[parent,a,b]], [Step], [grandparent,a,c]] ],
                Verdicts).

test(couples_of_a_clause, Couples == [[0,2]]) :-
    clauses([base], 2, Clauses),
    once(member([spouse,[child,parent],Couples], Clauses)).

:- end_tests(clutrr_kin).

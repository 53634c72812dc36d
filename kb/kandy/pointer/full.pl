:- module(kandy_pointer_full,
          [ extract_shape/2, extract_color/2, extract_size/2,
            exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
            same_color/2, same_size/2, contains/2, recursive_contains/2,
            defined_as/3, sample_is/2, reverse/2, same_attribute/1,
            same_non_size/1, contains_composition/2,
            contains_composition_depth/3, all_same/2, first/2, prepend/3,
            droplast/2, middle/2, dropmiddle/2, getmiddle/2, less/2,
            less_eq/2, greater/2, same_int/2, different_int/2, same_obj/2,
            different_obj/2, last/2, delete/3, nth0/3, member/2,
            is_named_object/2, forall_shared_shape/2, forall_shared_color/2,
            forall_shared_named_obj/2, pseudo_palindrome/1,
            pseudo_palindrome2/1, symmetric_list/1, extract_operator/2,
            extract_children/2, extract_op_and_chld/3,
            recursive_contains2/3, house/1, car/1, tower/1, wagon/1,
            traffic_light/1, named_object/1, expand2/3, expand4/5,
            expand8/9, expand9/10, odd/1, even/1, same/2, different/2,
            shape/1, color/1, size/1, atom_props/4, any_composition/1,
            non_random/1, non_diag/1, diag/1, line/1, displacement/1,
            upright/1, quadrant/1, quadrant_or_center/1, quadrant_ul/1,
            quadrant_ur/1, quadrant_ll/1, quadrant_lr/1
          ]).

:- use_module(large).
:- use_module('../pointer',
              [ extract_operator/2, extract_children/2,
                extract_op_and_chld/3, recursive_contains2/3, house/1,
                car/1, tower/1, wagon/1, traffic_light/1, named_object/1
              ]).
:- use_module('../sequences',
              [ expand2/3, expand4/5, expand8/9, expand9/10, odd/1, even/1,
                same/2, different/2
              ]).
:- use_module('../domain', [shape/1, color/1, size/1, atom_props/4]).
:- use_module('../compositions',
              [ any_composition/1, non_random/1, non_diag/1, diag/1, line/1,
                displacement/1, upright/1, quadrant/1, quadrant_or_center/1,
                quadrant_ul/1, quadrant_ur/1, quadrant_ll/1, quadrant_lr/1
              ]).

/** <module> Everything that a rule may speak of, pointer encoding

What rules of curricula are checked against: the large background knowledge,
the domain, the classes of operators, the named objects one by one, and small
helpers that no learner is given.
*/

:- module(kandy_natural_large,
          [ extract_shape/2, extract_color/2, extract_size/2,
            exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
            same_color/2, same_size/2, contains/2, recursive_contains/2,
            extract_operator/2, extract_children/2, extract_op_and_chld/3,
            reverse/2, same_attribute/1, same_non_size/1,
            contains_composition/2, contains_composition_depth/3,
            all_same/2, first/2, prepend/3, droplast/2, middle/2,
            dropmiddle/2, getmiddle/2, less/2, less_eq/2, greater/2,
            same_int/2, different_int/2, same_obj/2, different_obj/2,
            last/2, delete/3, nth0/3, member/2, is_named_object/2,
            forall_shared_shape/2, forall_shared_color/2,
            forall_shared_named_obj/2, pseudo_palindrome/1,
            pseudo_palindrome2/1, symmetric_list/1
          ]).

:- use_module(mid).
:- use_module('../natural',
              [ is_named_object/2, forall_shared_shape/2,
                forall_shared_color/2, forall_shared_named_obj/2,
                pseudo_palindrome/1, pseudo_palindrome2/1
              ]).
:- use_module('../sequences', [symmetric_list/1]).

/** <module> The large background knowledge, natural encoding

The mid-size one and seven predicates that all but state some of the tasks:
mirror images, named objects, and what all groups of a scene share.
*/

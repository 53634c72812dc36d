:- module(kandy_natural_mid,
          [ extract_shape/2, extract_color/2, extract_size/2,
            exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
            same_color/2, same_size/2, contains/2, recursive_contains/2,
            extract_operator/2, extract_children/2, extract_op_and_chld/3,
            reverse/2, same_attribute/1, same_non_size/1,
            contains_composition/2, contains_composition_depth/3,
            all_same/2, first/2, prepend/3, droplast/2, middle/2,
            dropmiddle/2, getmiddle/2, less/2, less_eq/2, greater/2,
            same_int/2, different_int/2, same_obj/2, different_obj/2,
            last/2, delete/3, nth0/3, member/2
          ]).

:- use_module(minimal).
:- use_module('../attributes', [same_attribute/1, same_non_size/1]).
:- use_module('../natural',
              [ contains_composition/2, contains_composition_depth/3
              ]).
:- use_module('../sequences',
              [ all_same/2, first/2, prepend/3, droplast/2, middle/2,
                dropmiddle/2, getmiddle/2, less/2, less_eq/2, greater/2,
                same_int/2, different_int/2, same_obj/2, different_obj/2
              ]).
:- use_module(library(lists), [last/2, delete/3, nth0/3, member/2]).

/** <module> The mid-size background knowledge, natural encoding

Thirty-nine predicates: the minimal ones, and what makes the ground-truth rules
short.  Lists can be taken apart, and compositions found at any depth.
*/

:- module(kandy_natural_minimal,
          [ extract_shape/2, extract_color/2, extract_size/2,
            exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
            same_color/2, same_size/2, contains/2, recursive_contains/2,
            extract_operator/2, extract_children/2, extract_op_and_chld/3,
            reverse/2
          ]).

:- use_module('../attributes',
              [ extract_shape/2, extract_color/2, extract_size/2,
                exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
                same_color/2, same_size/2
              ]).
:- use_module('../natural',
              [ contains/2, recursive_contains/2, extract_operator/2,
                extract_children/2, extract_op_and_chld/3
              ]).
:- use_module(library(lists), [reverse/2]).

/** <module> The minimal background knowledge, natural encoding

Seventeen predicates for a learner that knows what pictures are made of, and
nothing of the tasks.  The modes are in modes.pl; atom/1 and length/2, which
belong to the seventeen, are built in.
*/

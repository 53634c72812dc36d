:- module(kandy_pointer_minimal,
          [ extract_shape/2, extract_color/2, extract_size/2,
            exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
            same_color/2, same_size/2, contains/2, recursive_contains/2,
            defined_as/3, sample_is/2, reverse/2
          ]).

:- use_module('../attributes',
              [ extract_shape/2, extract_color/2, extract_size/2,
                exists_shape/2, exists_color/2, exists_size/2, same_shape/2,
                same_color/2, same_size/2
              ]).
:- use_module('../pointer', [contains/2, recursive_contains/2]).
:- use_module('../scenes', [defined_as/3, sample_is/2]).
:- use_module(library(lists), [reverse/2]).

/** <module> The minimal background knowledge, pointer encoding

Fifteen predicates for a learner that knows what pictures are made of, and
nothing of the tasks.  The modes are in modes.pl; length/2, which belongs to
the fifteen, is built in.
*/

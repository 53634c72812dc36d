:- module(hornbeam_paths, []).

/** <module> The alias `hornbeam`

`hornbeam` is the folder that holds prolog/ and kb/, in a checkout and in an installed wheel. Our sources load files of
another folder by this alias, and files of their own folder by the bare name:

    :- use_module(hornbeam(prolog/proving), [told_answers/6]).
    :- use_module(hornbeam(kb/star/rcc8), []).
    :- use_module(calculus).

bridge.pl loads this file first, so every SWI-Prolog that Python starts has the alias. In plain `swipl`, load this file
or start with `swipl -p hornbeam=DIR`, as the plunit tests do.

Files that are copied into datasets never use the alias, because a dataset works on a machine without Hornbeam. Those
with relative paths: prolog/kandy_kb.pl, prolog/kandy/trees.pl, kb/kandy/natural, kb/kandy/pointer and kb/kandy/tasks.
*/

:- multifile user:file_search_path/2.
:- dynamic user:file_search_path/2.

%!  define_alias(+Root:atom) is det.
%
%   Make Root the first folder of the alias, so that an engine never mixes its files with those of another
%   version. Nothing changes if it is the first one already, by `-p`.

define_alias(Root) :-
    (   absolute_file_name(hornbeam('.'), First, [file_type(directory), file_errors(fail)]),
        same_file(First, Root)
    ->  true
    ;   asserta(user:file_search_path(hornbeam, Root))
    ).

:- prolog_load_context(directory, Here),
   file_directory_name(Here, Root),
   define_alias(Root).

:- module(hornbeam_modules,
          [ load_source/3,          % +Module, +Source, -Loaded
            forget_source/2,        % +Module, +Source
            unload_module/1         % +Module
          ]).
:- use_module(outside, [contained/0, load_outside/2, load_outside_text/3]).
:- autoload(library(error), [must_be/2, existence_error/2]).
:- autoload(library(lists), [member/2]).

/** <module> Program text in and out of modules

What is loaded under a module's name is remembered, so that it can be taken out again without a trace: clauses, tables and
the files that came with it.
*/

:- dynamic loaded_source/2.         % Module, Source id

%!  load_source(+Module, +Source, -Loaded) is det.
%
%   Load a file, `-(file, Path)`, or text, `-(text, Name, Text)`, into Module. A file with a module header keeps its own
%   module, and Module imports what it exports; Loaded is the module in which the predicates live. A file is
%   loaded again only where it has changed; text replaces the text of the same name.

load_source(Module, -(file, Path), Loaded) :-
    must_be(atom, Module),
    (   exists_file(Path)
    ->  true
    ;   existence_error(source_file, Path)
    ),
    source_id(Module, -(file, Path), Source),
    (   loaded_source(_, Source)
    ->  If = changed
    ;   If = true
    ),
    (   from_outside(Source)
    ->  load_outside(Module:Source, [if(If), silent(true)])
    ;   load_own(Module:Source, [if(If), silent(true)])
    ),
    remember(Module, Source),
    (   source_file_property(Source, module(Loaded))
    ->  true
    ;   Loaded = Module
    ).
load_source(Module, -(text, Name, Text), Module) :-
    must_be(atom, Module),
    source_id(Module, -(text, Name, Text), Source),
    (   contained
    ->  load_outside_text(Module:Source, Text, [silent(true)])
    ;   setup_call_cleanup(
            open_string(Text, Stream),
            load_files(Module:Source, [stream(Stream), silent(true)]),
            close(Stream))
    ),
    remember(Module, Source).

%   In a contained process only the files of Hornbeam itself are trusted.

from_outside(Path) :-
    contained,
    \+ ( own_folder(Folder),
         atom_concat(Folder, Relative, Path),
         sub_atom(Relative, 0, 1, _, /) ).

%   The sandbox of a contained process would judge the expansion of outside.pl, which runs for our own files, too.

load_own(Source, Options) :-
    current_prolog_flag(sandboxed_load, Sandboxed),
    setup_call_cleanup(
        set_prolog_flag(sandboxed_load, false),
        load_files(Source, Options),
        set_prolog_flag(sandboxed_load, Sandboxed)).

own_folder(Folder) :-
    absolute_file_name(hornbeam(prolog), Folder, [file_type(directory), file_errors(fail)]).
own_folder(Folder) :-
    absolute_file_name(hornbeam(kb), Folder, [file_type(directory), file_errors(fail)]).

source_id(_, -(file, Path), Source) :-
    absolute_file_name(Path, Source).
source_id(Module, -(text, Name, _), Source) :-
    % A source belongs to one module, but two modules may each have text of the same name.
    format(atom(Source), '~w (~w)', [Name, Module]).

remember(Module, Source) :-
    (   loaded_source(Module, Source)
    ->  true
    ;   assertz(loaded_source(Module, Source))
    ).

%!  forget_source(+Module, +Source) is det.
%
%   Take out what load_source/3 loaded: a source with errors must not pass for loaded when it is asked for again.

forget_source(Module, Source0) :-
    source_id(Module, Source0, Source),
    retractall(loaded_source(_, Source)),
    unload_source(Source).

%!  unload_module(+Module) is det.
%
%   Forget all that was loaded under Module's name, and what its program asserted since.

unload_module(Module) :-
    must_be(atom, Module),
    abolish_module_tables(Module),
    forall(retract(loaded_source(Module, Source)), unload_source(Source)),
    (   Module == user
    ->  true
    ;   forall(own_dynamic(Module, Head), retractall(Module:Head))
    ).

%   A static predicate that the running query has called survives unload_file/1, so it is abolished too. Multifile
%   predicates have clauses of others.

unload_source(Source) :-
    findall(Module:Head,
            ( source_file(Module:Head, Source),
              \+ predicate_property(Module:Head, multifile)
            ),
            Heads),
    unload_file(Source),
    forall(member(Module:Head, Heads),
           ( functor(Head, Name, Arity),
             abolish(Module:Name, Arity)
           )).

own_dynamic(Module, Head) :-
    current_module(Module),
    predicate_property(Module:Head, dynamic),
    \+ predicate_property(Module:Head, imported_from(_)).

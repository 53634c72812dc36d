:- module(hornbeam_outside,
          [ contain/0,
            contained/0,
            load_outside/2,         % :Source, +Options
            load_outside_text/3,    % :Source, +Text, +Options
            term_place/2            % -File, -Line
          ]).
:- use_module(admission, [admit/4, note_hooks/0]).
:- use_module(depth, [most_depth/1, too_deep/3]).
:- autoload(library(lists), [member/2]).

/** <module> Programs from outside: read as terms, then loaded

SWI-Prolog's loader runs code while it reads a file: conditional compilation, directives, expansion, hooks. So it never sees
the text of a file from outside. This module reads the text itself, term by term, asks admission.pl about each, and hands the
admitted terms to the loader.

The loader gets a stream whose only content is a placeholder, again and again. term_expansion/2 replaces a placeholder by
the next terms of the real text, with their places. What is refused is reported as an error at its line, and reading goes on,
so that all of it is reported at once. Nothing is evaluated on the way: the admitted directives are declarations.
*/

:- meta_predicate
    load_outside(:, +),
    load_outside_text(:, +, +),
    guarded(0, +).

:- dynamic is_contained/0.
:- thread_local
    guard/1,                        % Root
    source/5,                       % Number, Placeholders, Text, File, Origin
    waiting/2,                      % Number, Read
    scattered/3.                    % Module, Name, Arity

%!  contain is det.
%
%   From now on this process takes programs from outside. The files of Hornbeam itself and SWI-Prolog's library are trusted.

contain :-
    (   is_contained
    ->  true
    ;   note_hooks,
        assertz(is_contained)
    ).

%!  contained is semidet.
%
%   Whether this process takes programs from outside.

contained :-
    is_contained.

%!  term_place(-File, -Line) is semidet.
%
%   The place of the term from outside that is being loaded.

term_place(File, Line) :-
    nb_current(hornbeam_place, File:Line).

%!  load_outside(:Source, +Options) is det.
%
%   Load a file from outside as load_files/2 does. Its program may load other files of its folder.

load_outside(Module:Path, Options) :-
    file_directory_name(Path, Root),
    guarded(load_files(Module:Path, Options), Root).

%!  load_outside_text(:Source, +Text, +Options) is det.
%
%   Load Text under the name Source as load_files/2 does.

load_outside_text(Module:Source, Text, Options) :-
    setup_call_cleanup(
        ( open_string(Text, Stream), set_stream(Stream, file_name(Source)) ),
        guarded(load_text(Module:Source, Stream, Options), none),
        close(Stream)).

load_text(Module:Source, Text, Options) :-
    setup_call_cleanup(
        placeholders(Text, Source, none, Placeholders),
        load_files(Module:Source, [stream(Placeholders)|Options]),
        close(Placeholders)).

%   The sandbox of the loader would judge our own expansion; admission.pl is stricter than it.

guarded(Goal, Root) :-
    current_prolog_flag(sandboxed_load, Sandboxed),
    setup_call_cleanup(
        ( asserta(guard(Root), Ref),
          set_prolog_flag(sandboxed_load, false) ),
        once(Goal),
        ( set_prolog_flag(sandboxed_load, Sandboxed),
          erase(Ref),
          retractall(scattered(_, _, _)),
          nb_setval(hornbeam_place, none) )).

:- multifile prolog:open_source_hook/3.

prolog:open_source_hook(Path, Placeholders, _) :-
    hornbeam_outside:guard(Root),
    !,
    Root \== none,
    hornbeam_outside:file_below(Path, Root),
    hornbeam_outside:open_outside(Path, Root, Placeholders).

file_below(Path, Root) :-
    atom_concat(Root, Relative, Path),
    sub_atom(Relative, 0, 1, _, /).

open_outside(Path, Root, Placeholders) :-
    file_directory_name(Path, Folder),
    open(Path, read, Text, [encoding(utf8)]),
    skip_script_line(Text),
    placeholders(Text, Path, -(Root, Folder), Placeholders),
    set_stream(Placeholders, file_name(Path)),
    set_stream(Text, file_name(Path)).

skip_script_line(Text) :-
    (   peek_char(Text, #)
    ->  skip(Text, 0'\n)
    ;   true
    ).

% The loader's stream ------------------------------------------------------------------------------------------------

placeholders(Text, File, Origin, Placeholders) :-
    open_prolog_stream(hornbeam_outside, read, Placeholders, []),
    flag(hornbeam_outside, Number, Number+1),
    asserta(source(Number, Placeholders, Text, File, Origin)).

:- public stream_read/2, stream_close/1.

stream_read(Placeholders, Data) :-
    source(Number, Placeholders, _, _, _),
    !,
    format(string(Data), "hornbeam_outside(~d).\n", [Number]).
stream_read(_, "").

stream_close(Placeholders) :-
    (   source(Number, Placeholders, _, _, _)
    ->  end_source(Number)
    ;   true
    ).

:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.

user:term_expansion(hornbeam_outside(Number), Terms) :-
    hornbeam_outside:guard(_),
    !,
    hornbeam_outside:next_terms(Number, Terms).

% Reading ------------------------------------------------------------------------------------------------------------

%   The next terms of the text as the loader gets them: a list, empty for what was refused and at the end.

next_terms(Number, Terms) :-
    source(Number, _, Text, File, Origin),
    !,
    prolog_load_context(module, Module),
    next_read(Number, Text, File, Module, Read),
    next_terms(Read, Number, Module, Origin, Terms).
next_terms(_, []).

next_terms(end_of_file, Number, _, _, []) :-
    end_source(Number).
next_terms(nothing, _, _, _, []).
next_terms(term(Term, Line), Number, Module, Origin, Terms) :-
    source(Number, _, Text, File, _),
    set_place(File, Line),
    catch(admit(Term, Module, Origin, Load), hornbeam_refused(Format, Arguments), true),
    (   nonvar(Format)
    ->  refused(File, Line, Format, Arguments),
        Terms = []
    ;   Load = [(:- encoding(Encoding))]
    ->  set_stream(Text, encoding(Encoding)),
        Terms = []
    ;   Load = [Clause],
        Clause \= (:- _)
    ->  Terms = ['$source_location'(File, Line):Clause|More],
        more_facts(Clause, Number, Text, File, Module, More)
    ;   Terms = Load
    ).

%   Facts of the same predicate follow at once, or of predicates that need not stand together: whatever the loader says of
%   a fact it says of the first one.

more_facts(Clause, Number, Text, File, Module, Terms) :-
    (   plain_fact(Clause, Name, Arity)
    ->  note_scattered(Module, Name, Arity, Clause),
        most_facts(Most),
        facts(Most, Name/Arity, Number, Text, File, Module, Terms)
    ;   Terms = []
    ).

most_facts(500).

note_scattered(Module, Name, Arity, Fact) :-
    (   \+ scattered(Module, Name, Arity),
        % predicate_property/2 would import the library's predicate of that name, if there is one.
        '$get_predicate_attribute'(Module:Fact, (discontiguous), 1)
    ->  assertz(scattered(Module, Name, Arity))
    ;   true
    ).

facts(Left, Predicate, Number, Text, File, Module, Terms) :-
    (   Left > 0,
        read_outside(Text, File, Module, Read)
    ->  (   Read = term(Fact, Line),
            plain_fact(Fact, Name, Arity),
            (   Predicate == Name/Arity
            ->  true
            ;   scattered(Module, Name, Arity)
            )
        ->  Terms = ['$source_location'(File, Line):Fact|More],
            Less is Left-1,
            facts(Less, Predicate, Number, Text, File, Module, More)
        ;   asserta(waiting(Number, Read)),
            Terms = []
        )
    ;   Terms = []
    ).

plain_fact(Term, Name, Arity) :-
    compound(Term),
    compound_name_arity(Term, Name, Arity),
    \+ special(Name).

special(:).
special(:-).
special(?-).
special(-->).
special(=>).
special(?=>).
special('[|]').
special(',').

next_read(Number, Text, File, Module, Read) :-
    (   retract(waiting(Number, Waiting))
    ->  Read = Waiting
    ;   read_outside(Text, File, Module, Read)
    ).

end_source(Number) :-
    retract(source(Number, _, Text, _, Origin)),
    (   Origin == none
    ->  true
    ;   close(Text)
    ).

%!  read_outside(+Text, +File, +Module, -Read) is det.
%
%   Read is `term(Term, Line)`, `end_of_file`, or `nothing` for text that is no term, or none that may be loaded, which
%   has been reported.

read_outside(Text, File, Module, Read) :-
    character_count(Text, Before),
    catch(read_term(Text, Term,
                    [ module(Module), term_position(Position), syntax_errors(error), cycles(false),
                      quasi_quotations(Quasi), singletons(Singletons)
                    ]),
          Error, true),
    character_count(Text, After),
    Length is After-Before,
    (   nonvar(Error)
    ->  unreadable(Error, File, Text, Length, Read)
    ;   Term == end_of_file
    ->  end_of_text(Text, File, Read)
    ;   stream_position_data(line_count, Position, Line),
        (   Quasi \== []
        ->  refused(File, Line, "quasi quotations are not allowed here", []),
            Read = nothing
        ;   too_deep(Term, Length, Levels)
        ->  refused(File, Line, "a term is nested more than ~d levels deep", [Levels]),
            Read = nothing
        ;   warn_singletons(Singletons, File, Line),
            Read = term(Term, Line)
        )
    ).

%   The term `end_of_file` ends a program before its text ends.

end_of_text(Text, File, Read) :-
    Read = end_of_file,
    (   peek_char(Text, end_of_file)
    ->  true
    ;   line_count(Text, Line),
        refused(File, Line, "end_of_file is not allowed here: there is text behind it", [])
    ).

set_place(File, Line) :-
    nb_setval(hornbeam_place, File:Line).

%   The text of a term is read whole before it is parsed, so reading goes on behind it; unless nothing could be read.

unreadable(error(resource_error(c_stack), _), File, Text, _, Read) =>
    most_depth(Levels),
    line_count(Text, Line),
    refused(File, Line, "a term is nested more than ~d levels deep", [Levels]),
    Read = nothing.
unreadable(Error, _, _, Length, Read), Error = error(syntax_error(_), _) =>
    print_message(error, Error),
    (   Length > 0
    ->  Read = nothing
    ;   Read = end_of_file
    ).
unreadable(Error, _, _, _, _) =>
    throw(Error).

warn_singletons(Singletons, File, Line) :-
    (   Singletons \== [],
        '$style_check'(Style, Style),
        Style /\ 0b10 =\= 0
    ->  findall(Name, member(Name=_, Singletons), Names),
        set_place(File, Line),
        print_message(warning, hornbeam_singletons(Names))
    ;   true
    ).

refused(File, Line, Format, Arguments) :-
    format(atom(Message), Format, Arguments),
    print_message(error, error(hornbeam_refused(Message), file(File, Line, 0, 0))).

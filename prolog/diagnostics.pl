:- module(hornbeam_diagnostics,
          [ collect_diagnostics/2,  % :Goal, -Diagnostics
            describe_error/2        % +Error, -Diagnostic
          ]).
:- use_module(depth, [most_depth/1]).
:- use_module(limits, [limit_met/2]).
:- use_module(throws, [thrown_memory_error/0]).
:- use_module(outside, [contained/0, term_place/2]).
:- autoload(library(lists), [append/3]).
:- autoload(library(occurs), [sub_term/2]).

/** <module> Errors and warnings as values

A diagnostic is `-(error, Kind, Message, Text, File, Line, Column)`: the message as SWI-Prolog prints it, the text of the
error term, and the place (`''` and 0 where unknown). The kinds are syntax, unknown, time, inferences, stack, cyclic,
sandbox, interrupt, warning and other.
*/

:- meta_predicate collect_diagnostics(0, -).

:- thread_local collecting/0, collected/1.
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(Term, Kind, Lines) :-
    hornbeam_diagnostics:collecting,
    hornbeam_diagnostics:collect(Kind, Term, Lines).
% A refused halt reaches the caller as an error; it need not be printed as well.
user:message_hook(cancel_halt(_), _, _).

:- multifile prolog:message//1.

prolog:message(error(hornbeam_refused(Message), _)) -->
    [ '~w'-[Message] ].
prolog:message(error(hornbeam_too_deep, _)) -->
    { most_depth(Levels) },
    [ 'a term is nested more than ~d levels deep'-[Levels] ].
prolog:message(error(hornbeam_too_long, _)) -->
    [ 'an integer has more than 4,200 digits'-[] ].
prolog:message(hornbeam_singletons(Names)) -->
    [ 'Singleton variables: ~w'-[Names] ].
prolog:message(hornbeam_limit(_, inferences, Limit)) -->
    [ 'Inference limit of ~D exceeded'-[Limit] ].
prolog:message(hornbeam_limit(_, time, Limit)) -->
    [ 'Time limit of ~w s exceeded'-[Limit] ].

%!  collect_diagnostics(:Goal, -Diagnostics) is det.
%
%   Run Goal once and gather what it would have printed as errors and warnings, in order. SWI-Prolog reports a syntax
%   error in a file by a message only, so this is how one learns of it.

collect_diagnostics(Goal, Diagnostics) :-
    retractall(collected(_)),
    setup_call_cleanup(
        asserta(collecting, Ref),
        ( once(Goal) -> true ; assertz(collected(-(error, other, 'the source could not be loaded', '', '', 0, 0))) ),
        erase(Ref)),
    findall(Diagnostic, retract(collected(Diagnostic)), Diagnostics).

collect(Kind, Term, Lines) :-
    severity(Kind, Severity),
    !,
    message_text(Lines, Message),
    (   error_kind(Term, Found)
    ->  true
    ;   Found = other
    ),
    (   Severity == warning
    ->  Reported = warning
    ;   Reported = Found
    ),
    message_place(Term, File, Line, Column),
    term_text(Term, Text),
    assertz(collected(-(error, Reported, Message, Text, File, Line, Column))).

severity(error, error).
severity(warning, warning).

%!  describe_error(+Error, -Diagnostic) is det.

describe_error(Error0, -(error, Kind, Message, Text, File, Line, Column)) :-
    without_our_frames(Error0, Error),
    (   error_kind(Error, Kind0)
    ->  Kind = Kind0
    ;   Kind = other
    ),
    error_message(Kind, Error, Message0),
    shortened(Kind, Message0, Message),
    term_text(Error, Text),
    error_place(Error, File, Line, Column).

%   A person wants to read of their own predicates, not of the bridge's.

without_our_frames(error(Formal, context(Module:Caller, Message)), error(Formal, context(_, Message))) :-
    atom(Module),
    (   sub_atom(Module, 0, _, _, hornbeam_)
    ->  true
    ;   Module:Caller == system:once/1
    ),
    !.
without_our_frames(Error, Error).

%   Stack overflows come with a dump of frames and advice on flags.

shortened(stack, Message0, Message) :-
    sub_atom(Message0, Before, _, _, '\n'),
    !,
    sub_atom(Message0, 0, Before, _, Message).
shortened(_, Message, Message).

error_kind(Error, _) :-
    var(Error),
    !,
    fail.
error_kind(error(Formal, Context), Kind) :-
    nonvar(Formal),
    formal_kind(Formal, Context, Kind).
error_kind(Ball, Kind) :-
    limit_met(Ball, Kind).

formal_kind(syntax_error(_), _, syntax).
formal_kind(existence_error(procedure, _), _, unknown).
formal_kind(resource_error(_), _, stack) :-
    \+ thrown_memory_error.
formal_kind(type_error(acyclic_term, _), _, cyclic).
formal_kind(type_error(acyclic, _), _, cyclic).
formal_kind(permission_error(_, sandboxed, _), _, sandbox).
formal_kind(hornbeam_refused(_), _, sandbox).
formal_kind(instantiation_error, Context, sandbox) :-
    nonvar(Context),
    Context = sandbox(_, _).
formal_kind(io_error(_, _), Context, stack) :-
    nonvar(Context),
    Context = context(_, Message),
    Message == 'Cannot allocate memory',
    \+ thrown_memory_error.
formal_kind(python_error(Type, _), _, interrupt) :-
    Type == 'KeyboardInterrupt',
    \+ contained.

%   A goal may throw any term, also one for which SWI-Prolog has a message of its own.

error_message(other, Error, Message) :-
    (   Error \= error(_, _)
    ;   thrown_memory_error
    ),
    !,
    term_text(Error, Text),
    format(atom(Message), 'the goal threw ~w', [Text]).
error_message(_, Error, Message) :-
    acyclic_term(Error),
    catch('$messages':translate_message(Error, Lines, []), _, fail),
    \+ calling(Lines),
    !,
    message_text(Lines, Message).
error_message(_, Error, Message) :-
    term_text(Error, Message).

%   A format with the directive ~@ calls a goal: the goal's own, if it threw the message.

calling(Lines) :-
    sub_term(Text, Lines),
    ( atom(Text) ; string(Text) ),
    sub_atom(Text, Before, _, _, ~),
    sub_atom(Text, Later, _, _, @),
    Later > Before,
    !.

message_text(Lines, Message) :-
    with_output_to(string(String), print_message_lines(current_output, '', Lines)),
    split_string(String, "", " \n\t", [Trimmed]),
    atom_string(Message, Trimmed).

%   Errors may carry whole stacks or cyclic terms: their text is cut.

term_text(Term, Text) :-
    catch(format(atom(Text), '~W', [Term, [quoted(true), max_depth(12), cycles(true)]]), _, Text = '').

message_place(Term, File, Line, Column) :-
    error_place(Term, File, Line, Column),
    File \== '',
    !.
message_place(_, File, Line, 0) :-
    term_place(File, Line),
    !.
message_place(_, File, Line, 0) :-
    source_location(File, Line),
    !.
message_place(_, '', 0, 0).

error_place(error(_, Context), File, Line, Column) :-
    nonvar(Context),
    context_place(Context, File, Line, Column),
    !.
error_place(_, '', 0, 0).

context_place(file(File, Line, Column, _), File, Line, Column).
context_place(file(File, Line), File, Line, 0).
context_place(string(String, Offset), '', Line, Column) :-
    sub_string(String, 0, Offset, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line),
    append(_, [Last], Lines),
    !,
    string_length(Last, Column).
context_place(stream(_, Line, Column, _), '', Line, Column).

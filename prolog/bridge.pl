:- module(hornbeam_bridge,
          [ serve/3,                % +Operation, +Request, -Reply
            interrupt_thread/1      % +Thread
          ]).
:- use_module(paths, []).
:- use_module(wire, [encode_term/2, decode_term/2, decode_term/4, name_variables/2, portable_integer/1]).
:- use_module(depth, [call_for_text/2, too_deep/3]).
:- use_module(diagnostics, [collect_diagnostics/2, describe_error/2]).
:- use_module(throws, [forget_throws/0]).
:- use_module(limits, [call_limited/2]).
:- use_module(modules, [load_source/3, forget_source/2, unload_module/1]).
:- autoload(library(apply), [include/3, maplist/2, maplist/3, maplist/4]).
:- autoload(library(yall), [(>>)/5]).
:- autoload(library(error), [must_be/2, existence_error/3]).
:- autoload(library(lists), [memberchk/2]).
:- autoload(library(sandbox), [safe_goal/1]).
:- autoload(library(solution_sequences), [limit/2]).

/** <module> What Python may ask of SWI-Prolog

Every bridge (Janus, pyswip, a process of its own) calls one predicate, serve/3, with plain wire values (see wire.pl) and
gets a reply that says how it went. Nothing is raised across the border, so that every bridge reports errors alike.

Goals come as text and are read once, also when they are run for thousands of rows: the text of a query does not vary
with its data.
*/

:- thread_local halt_refused/0, interrupted/0, serving/0.

%!  serve(+Operation, +Request, -Reply) is det.
%
%   Run one operation. Reply is `-(ok, Value)` or `-(error, Kind, Message, Text, File, Line, Column)`.
%
%   The operations and their requests:
%
%     - info: `[]`. Value is `-(Version, Home)`.
%     - load: `-(Module, Source, Strict)`, Source being `-(file, Path)` or `-(text, Name, Text)`.
%     - unload: the module.
%     - query: `-(Module, Goal, Given, Mode, Limits, Safety)`, Given a list of `-(Name, Value)`.
%       Value is `-(Names, Rows)`.
%     - many: `-(Module, Goal, Over, Rows, Get, Mode, Limits, Safety)`. Value is a list with the result of each row: 1 or 0 (ask),
%       the values or the tuple `-(no)` (once), a list of values (all).
%     - read: `-(Module, Text)`. Value is the term.
%
%   Mode is `ask`, `once` or `all`; Limits is a list of `-(Kind, Number)`, see limits.pl; Safety is `trusted` or
%   `sandboxed`.

serve(Operation, Request, Reply) :-
    retractall(halt_refused),
    retractall(interrupted),
    forget_throws,
    setup_call_cleanup(
        asserta(serving, Ref),
        catch(operate(Operation, Request, Reply0), Error, describe_error(Error, Reply0)),
        erase(Ref)),
    !,
    (   retract(interrupted)
    ->  Reply = -(error, interrupt, interrupted, interrupted, '', 0, 0)
    ;   retract(halt_refused)
    ->  Reply = -(error, halt, 'the goal called halt', halt, '', 0, 0)
    ;   Reply = Reply0
    ).
serve(Operation, _, -(error, other, Message, '', '', 0, 0)) :-
    format(atom(Message), 'the bridge could not serve ~q', [Operation]).

%!  interrupt_thread(+Thread) is det.
%
%   End the goal that is served in Thread, if any: a person's Ctrl-C, seen by another thread.

interrupt_thread(Thread) :-
    thread_signal(Thread, hornbeam_bridge:interrupt).

interrupt :-
    (   serving
    ->  assertz(interrupted),
        throw(hornbeam_interrupt)
    ;   true
    ).

:- at_halt(refuse_halt).

% Only while a goal of ours runs: the host program may end as it likes.
refuse_halt :-
    (   serving
    ->  assertz(halt_refused),
        cancel_halt('a goal may not end the process')
    ;   true
    ).

operate(info, _, -(ok, -(Version, Home))) :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    format(atom(Version), '~w.~w.~w', [Major, Minor, Patch]),
    current_prolog_flag(home, Home).
operate(load, -(Module, Source, Strict), Reply) :-
    collect_diagnostics(load_source(Module, Source, Loaded), Diagnostics),
    (   first_serious(Strict, Diagnostics, Diagnostic)
    ->  forget_source(Module, Source),
        Reply = Diagnostic
    ;   Reply = -(ok, Loaded)
    ).
operate(unload, Module, -(ok, [])) :-
    unload_module(Module).
operate(read, -(Module, Text), -(ok, Wire)) :-
    term_in(Module, Text, Term, Bindings),
    maplist([Name=Variable, Name, Variable]>>true, Bindings, Names, Variables),
    name_variables(Names, Variables),
    name_variables([''], [Term]),
    encode_term(Term, Wire).
operate(query, -(Module, Text, Given, Mode, Limits, Safety), -(ok, -(Names, Rows))) :-
    goal_in(Module, Text, Goal, Bindings, Safety),
    maplist(give(Bindings, Text), Given),
    answers(Mode, Module:Goal, Bindings, Limits, Names, Rows).
operate(many, -(Module, Text, Over, Rows, Get, Mode, Limits, Safety), -(ok, Results)) :-
    goal_in(Module, Text, Goal, Bindings, Safety),
    variables_named(Over, Bindings, Text, In),
    variables_named(Get, Bindings, Text, Out),
    run_rows(Mode, Rows, row(In, Out, Get, Module:Goal), Limits, Results).

serious(_, -(error, Kind, _, _, _, _, _)) :- Kind \== warning, !.
serious(true, _).

%   What was refused comes before all else, and all of it at once, with its places.

first_serious(_, Diagnostics, -(error, sandbox, Whole, Text, File, Line, Column)) :-
    include(refused, Diagnostics, [-(error, sandbox, Message, Text, File, Line, Column)|Others]),
    !,
    maplist(other_place(File), Others, Places),
    atomic_list_concat([Message|Places], '\n', Whole).
first_serious(Strict, Diagnostics, Diagnostic) :-
    include(serious(Strict), Diagnostics, [Diagnostic|_]).

refused(-(error, sandbox, _, _, _, _, _)).

other_place(File, -(error, _, Message, _, Other, Line, _), Place) :-
    (   Other == File
    ->  format(atom(Place), 'line ~d: ~w', [Line, Message])
    ;   format(atom(Place), '~w:~d: ~w', [Other, Line, Message])
    ).

% Reading goals ----------------------------------------------------------------------------------------------------

term_in(Module, Text, Term, Bindings) :-
    atom_string(Text, String),
    call_for_text(
        term_string(Term, String,
                    [variable_names(Bindings), module(Module), syntax_errors(error), quasi_quotations(Quasi)]),
        String),
    string_length(String, Length),
    (   too_deep(Term, Length, _)
    ->  throw(error(hornbeam_too_deep, _))
    ;   Quasi == []
    ->  true
    ;   throw(error(syntax_error(quasi_quotation), _))
    ),
    % Text without a term reads as the end of a file would.
    (   Term == end_of_file,
        \+ sub_string(String, _, _, _, "end_of_file")
    ->  throw(error(syntax_error(end_of_file), _))
    ;   true
    ).

goal_in(Module, Text, Goal, Bindings, Safety) :-
    term_in(Module, Text, Goal, Bindings),
    (   Safety == sandboxed
    ->  safe_goal(Module:Goal)
    ;   true
    ).

give(Bindings, Text, -(Name, Wire)) :-
    decode_term(Wire, Value),
    variable_named(Bindings, Text, Name, Value).

variables_named(Names, Bindings, Text, Variables) :-
    maplist(variable_named(Bindings, Text), Names, Variables).

variable_named(Bindings, Text, Name, Variable) :-
    (   memberchk(Name=Found, Bindings)
    ->  Variable = Found
    ;   existence_error(variable, Name, Text)
    ).

% One goal ---------------------------------------------------------------------------------------------------------

answers(ask, Goal, _, Limits, [], Rows) :-
    (   call_limited(once(Goal), Limits)
    ->  Rows = [[]]
    ;   Rows = []
    ).
answers(once, Goal, Bindings, Limits, Names, Rows) :-
    shown(Bindings, Names, Values),
    (   call_limited(once(Goal), Limits)
    ->  encoded_row(Names, Values, Row),
        Rows = [Row]
    ;   Rows = []
    ).
answers(all, Goal, Bindings, Limits, Names, Rows) :-
    shown(Bindings, Names, Values),
    call_limited(findall(Row, ( bounded(Goal, Limits), encoded_row(Names, Values, Row) ), Rows), Limits).

bounded(Goal, Limits) :-
    (   memberchk(-(answers, Count), Limits)
    ->  limit(Count, Goal)
    ;   call(Goal)
    ).

% Variables whose name starts with an underscore are not reported.
shown([], [], []).
shown([Name=Value|Rest], Names, Values) :-
    (   sub_atom(Name, 0, 1, _, '_')
    ->  Names = Names1,
        Values = Values1
    ;   Names = [Name|Names1],
        Values = [Value|Values1]
    ),
    shown(Rest, Names1, Values1).

encoded_row(Names, Values0, Row) :-
    % Copied only where it has variables: bulk answers are ground.
    (   ground(Values0)
    ->  Values = Values0
    ;   must_be(acyclic, Values0),
        copy_term_nat(Values0, Values),
        name_variables(Names, Values)
    ),
    maplist(encode_term, Values, Row).

% The same goal for many rows ----------------------------------------------------------------------------------------

%   A clause is compiled once per batch and called for each row: faster than copying the goal. Without limits an error
%   ends the batch; with limits a row that breaks them, or raises, costs its own result only, which is then the error.

run_rows(Mode, Rows, row(In, Out, Get, Goal), Limits, Results) :-
    row_argument(In, Argument),
    setup_call_cleanup(
        assertz((row_goal(Argument, Out) :- Goal), Ref),
        rows(Limits, Mode, Rows, In, Get, Results),
        erase(Ref)).

:- dynamic row_goal/2.

% A row of a single variable is the value itself.
row_argument([Single], Single) :- !.
row_argument(Several, Several).

rows([], ask, Rows, In, _, Results) :-
    !,
    maplist(ask_row(In), Rows, Results).
rows([], once, Rows, In, Get, Results) :-
    !,
    maplist(once_row(In, Get), Rows, Results).
rows(Limits, Mode, Rows, In, Get, Results) :-
    maplist(limited_row(Limits, Mode, In, Get), Rows, Results).

ask_row(In, Wire, Result) :-
    row_value(In, Wire, Row),
    (   row_goal(Row, _)
    ->  Result = 1
    ;   Result = 0
    ).

once_row(In, Get, Wire, Result) :-
    row_value(In, Wire, Row),
    (   row_goal(Row, Values)
    ->  encoded_values(Get, Values, Result)
    ;   Result = -(no)
    ).

% A result of a single variable is the value itself, like a row.
encoded_values([Name], [Value], Result) :-
    !,
    (   integer(Value)
    ->  portable_integer(Value),
        Result = Value
    ;   atom(Value)
    ->  Result = Value
    ;   encoded_row([Name], [Value], [Result])
    ).
encoded_values(Get, Values, Result) :-
    encoded_row(Get, Values, Result).

row_value([_], Wire, Value) :-
    !,
    (   atomic(Wire)
    ->  Value = Wire
    ;   decode_term(Wire, Value)
    ).
row_value(_, Wires, Values) :-
    decode_row(Wires, [], Values).

decode_row([], _, []).
decode_row([Wire|Wires], Names0, [Value|Values]) :-
    decode_term(Wire, Value, Names0, Names),
    decode_row(Wires, Names, Values).

limited_row([], Mode, In, Get, Wire, Result) :-
    !,
    row_value(In, Wire, Row),
    row_result(Mode, Row, Get, [], Result).
limited_row(Limits, Mode, In, Get, Wire, Result) :-
    forget_throws,
    catch(( row_value(In, Wire, Row),
            row_result(Mode, Row, Get, Limits, Result)
          ),
          Error, row_error(Error, Result)).

row_error(Error, Result) :-
    describe_error(Error, Result),
    (   ( interrupted ; Result = -(error, interrupt, _, _, _, _, _) )
    ->  throw(Error)
    ;   true
    ).

row_result(ask, Row, _, Limits, Result) :-
    (   call_limited(once(row_goal(Row, _)), Limits)
    ->  Result = 1
    ;   Result = 0
    ).
row_result(once, Row, Get, Limits, Result) :-
    (   call_limited(once(row_goal(Row, Values)), Limits)
    ->  encoded_values(Get, Values, Result)
    ;   Result = -(no)
    ).
row_result(all, Row, Get, Limits, Results) :-
    call_limited(findall(Result,
                         ( bounded(row_goal(Row, Values), Limits), encoded_values(Get, Values, Result) ),
                         Results),
                 Limits).

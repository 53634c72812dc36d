:- module(hornbeam_contained, []).
:- use_module(json_wire, [serve_lines/2]).
:- use_module(outside, [contain/0]).
:- use_module(throws, [note_throws/0]).
:- use_module(library(sandbox)).
% A library that is first loaded by a sandboxed program would itself be checked line by line, and refused.
:- use_module(library(aggregate), []).
:- use_module(library(apply), []).
:- use_module(library(assoc), []).
:- use_module(library(clpfd), []).
:- use_module(library(dcg/basics), []).
:- use_module(library(dcg/high_order), []).
:- use_module(library(listing), []).
:- use_module(library(lists), []).
:- use_module(library(arithmetic), []).
:- use_module(library(prolog_code), []).
:- use_module(library(option), []).
:- use_module(library(ordsets), []).
:- use_module(library(pairs), []).
:- use_module(library(random), []).
:- use_module(library(rbtrees), []).
:- use_module(library(readutil), []).
:- use_module(library(solution_sequences), []).
:- use_module(library(strings), []).
:- use_module(library(ugraphs), []).
:- use_module(library(error), []).
:- use_module(library(gensym), []).
:- use_module(library(heaps), []).
:- use_module(library(nb_set), []).
:- use_module(library(occurs), []).
:- use_module(library(tabling), []).
:- use_module(library(terms), []).
:- use_module(library(varnumbers), []).
:- use_module(library(dif), []).
:- use_module(library(when), []).
:- use_module(library(yall), []).

/** <module> A process for programs and goals from outside

Started by Python as a `swipl` of its own, under the operating system's limits on time, memory and files. Programs are
loaded sandboxed and goals are checked by safe_goal/1 before they run. What the sandbox lets through all the same (asserting
anywhere, sleeping, filling memory in C) ends with this process, which its parent ends by its id.
*/

:- multifile sandbox:safe_primitive/1.

% Properties of modules only tell: a dataset asks for the generation of the module `mine`, to know when a theory changed.
sandbox:safe_primitive('$syspreds':module_property(_, _)).

:- initialization(contained, main).

contained :-
    contain,
    note_throws,
    narrow_sandbox,
    keep_apart,
    set_prolog_flag(sandboxed_load, true),
    set_prolog_flag(autoload, true),
    prompt(_, ''),
    set_stream(user_input, encoding(utf8)),
    stream_duplicate_reply(Out),
    serve_lines(user_input, Out).

%   What library(sandbox) takes for safe, and is not: messages may hold a format with a goal to call (`~@`), abort ends this
%   process, the attribute of a frozen variable is a goal, and libraries that are loaded later may open files.

narrow_sandbox :-
    dynamic([sandbox:safe_primitive/1, sandbox:safe_meta/2]),
    forall(too_wide(Primitive), retractall(sandbox:safe_primitive(Primitive))),
    asserta((sandbox:safe_meta(Goal, _) :- hornbeam_contained:refuse_unsafe(Goal))),
    compile_predicates([sandbox:safe_primitive/1, sandbox:safe_meta/2]),
    forall(( current_module(Module), module_property(Module, class(library)) ),
           assertz(library_at_start(Module))).

too_wide('$messages':print_message(_, _)).
too_wide('$messages':message_to_string(_, _)).
too_wide(system:abort).

:- dynamic library_at_start/1.          % Module
:- public refuse_unsafe/1.

refuse_unsafe(Goal) :-
    unsafe(Goal),
    throw(error(permission_error(call, sandboxed, Goal), _)).

unsafe(system:put_attr(_, Module, _)) :-
    Module == freeze.
unsafe(Module:_) :-
    atom(Module),
    module_property(Module, class(library)),
    \+ library_at_start(Module).

%   A module inherits from `user`, where programs from outside are loaded: they could define what ours call.

keep_apart :-
    forall(( current_module(Module), sub_atom(Module, 0, _, _, hornbeam_) ),
           set_module(Module:base(system))).

%   Goals that print must not garble the replies: replies keep the real standard output, goals get none.

stream_duplicate_reply(Out) :-
    stream_property(Out, alias(user_output)),
    set_stream(Out, encoding(utf8)),
    open_null_stream(Null),
    set_stream(Null, alias(user_output)),
    set_output(Null).

:- module(hornbeam_throws,
          [ note_throws/0,
            forget_throws/0,
            thrown_memory_error/0,
            rethrow/1               % +Ball
          ]).
:- autoload(library(prolog_wrap), [wrap_predicate/4]).

/** <module> What a program throws by itself

A program may throw the term that SWI-Prolog raises when its stacks are full, and it is to be told as the program's own
exception. The terms are alike, but only a program's goes through throw/1: so throw/1 is watched.
*/

%!  note_throws is det.
%
%   Watch throw/1 from now on.

note_throws :-
    nb_setval(hornbeam_rethrown, false),
    forget_throws,
    wrap_predicate(system:throw(Ball), hornbeam_throws, Throw, ( hornbeam_throws:note(Ball), Throw )).

:- public note/1.

note(_), nb_current(hornbeam_rethrown, true) =>
    nb_setval(hornbeam_rethrown, false).
% No catch/3 stops this one, so it would end the process.
note('$aborted') =>
    throw(unwind(abort)).
note(error(Formal, _)), nonvar(Formal), memory_error(Formal) =>
    nb_setval(hornbeam_thrown, true).
note(_) =>
    true.

memory_error(resource_error(_)).
memory_error(io_error(_, _)).

%!  rethrow(+Ball)
%
%   Throw what was caught, which is nothing that the program throws by itself.

rethrow(Ball) :-
    nb_setval(hornbeam_rethrown, true),
    throw(Ball).

%!  forget_throws is det.
%
%   Another goal starts, which has thrown nothing yet.

forget_throws :-
    nb_setval(hornbeam_thrown, false).

%!  thrown_memory_error is semidet.
%
%   The goal has thrown an error by itself that tells of want of memory.

thrown_memory_error :-
    nb_current(hornbeam_thrown, true).

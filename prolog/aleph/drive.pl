/*  Runs Aleph on one task and keeps what it found, whole or not.

    swipl -f none -q drive.pl -- ALEPH KIND TASK SECONDS RULES

    ALEPH is the file aleph.pl; KIND is `original` (the program of 2007, with TASK.b, TASK.f and TASK.n) or `port` (the
    module for SWI-Prolog, with TASK.pl).  At the signal usr1, or after SECONDS on the clock, the search is broken off
    where it is.  The clauses found by then are written to the file RULES.

    Not a module: the original fills `user`, and expects to be alone there.
*/

:- use_module(library(time), [call_with_time_limit/2]).

:- style_check(-singleton).
:- style_check(-discontiguous).
:- style_check(-var_branches).

%   The original calls arithmetic_function/1 as a goal, which SWI-Prolog allows in directives only.  What it wants to
%   declare, `inf`, SWI-Prolog has.
:- redefine_system_predicate(arithmetic_function(_)).
arithmetic_function(_).

hornbeam_main :-
    current_prolog_flag(argv, [Aleph, Kind, Task, SecondsText, Rules]),
    atom_number(SecondsText, Seconds),
    hornbeam_load(Kind, Aleph, Task),
    on_signal(usr1, _, hornbeam_stop),
    hornbeam_induce_goal(Kind, Goal),
    catch(call_with_time_limit(Seconds, ignore(Goal)), time_limit_exceeded, hornbeam_broken_off),
    on_signal(usr1, _, ignore),
    hornbeam_write(Kind, Rules).

hornbeam_stop(_) :-
    throw(time_limit_exceeded).

hornbeam_broken_off :-
    format("[broken off]~n").

hornbeam_load(original, Aleph, Task) :-
    consult(Aleph),
    call(read_all(Task)).
hornbeam_load(port, Aleph, Task) :-
    use_module(Aleph),
    consult(Task).

hornbeam_induce_goal(original, induce).
hornbeam_induce_goal(port, induce(_)).

hornbeam_write(original, Rules) :-
    call(write_rules(Rules)).
hornbeam_write(port, Rules) :-
    aleph:write_rules(Rules, user).

:- initialization(hornbeam_main, main).

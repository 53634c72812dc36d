:- module(hornbeam_judge_tables,
          [ line_facts/3,           % :Admit, +Line, -Facts
            keep_line/2,            % +Facts, -Number
            kept_facts/2,           % +Numbers, -Facts
            forget_lines/0
          ]).
:- set_module(base(system)).
:- use_module(hornbeam(prolog/judge/reading), [terms/3]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/2]).

/** <module> Tables of facts, read line by line

Tables of one task differ in few lines, because models write the same facts again and again. So a line is read once and has a number
from then on.

A line counts only if it is complete by itself: at its end the reader stands between two clauses. A text of such lines says what
they say one after the other.
*/

:- meta_predicate line_facts(1, +, -).

:- dynamic
    kept/2,                         % Number, Facts
    last_number/1.

last_number(0).

%!  forget_lines is det.
%
%   Forget all lines: another language admits others.

forget_lines :-
    retractall(kept(_, _)),
    retractall(last_number(_)),
    assertz(last_number(0)).

%!  line_facts(:Admit, +Line:string, -Facts:list) is semidet.
%
%   Facts are all that Line says, none if it is a comment. Fails if the line is not complete, or if it has a term for which
%   call(Admit, Term) fails.
%
%   The term end_of_file ends a text for the reader, so it is no member of Terms. It takes its name or an escape to write it.

line_facts(Admit, Line, Facts) :-
    \+ sub_string(Line, _, _, _, "end_of_file"),
    \+ sub_string(Line, _, _, _, "\\"),
    catch(terms(Line, inf, Terms), hornbeam_unfit(_, _, _), fail),
    admitted(Terms, Admit, Facts).

admitted([], _, []).
admitted([t(_, Fact, _)|Terms], Admit, [Fact|Facts]) :-
    compound(Fact),
    call(Admit, Fact),
    !,
    admitted(Terms, Admit, Facts).

%!  keep_line(+Facts:list, -Number:integer) is det.

keep_line(Facts, Number) :-
    retract(last_number(Last)),
    !,
    Number is Last+1,
    assertz(last_number(Number)),
    assertz(kept(Number, Facts)).

%!  kept_facts(+Numbers:list(integer), -Facts:list) is det.
%
%   The facts of some lines, in order.

kept_facts(Numbers, Facts) :-
    maplist(kept, Numbers, Parts),
    append(Parts, Facts).

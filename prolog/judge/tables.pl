:- module(hornbeam_judge_tables,
          [ line_facts/3,           % :Admit, +Line, -Facts
            plain_facts/3,          % :Admit, +Lines, -Facts
            keep_line/2,            % +Facts, -Number
            kept_facts/2,           % +Numbers, -Facts
            kept_table/3,           % :Make, +Numbers, -Table
            number_relations/1,     % +Names
            forget_lines/0
          ]).
:- set_module(base(system)).
:- use_module(hornbeam(prolog/judge/reading), [terms/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/2, memberchk/2, nth0/3]).

/** <module> Tables of facts, read line by line

Tables of one task differ in few lines, because models write the same facts again and again. So a line is read once and has a number
from then on. Most lines have one composition: of these the place in the table is kept, too.

A line counts only if it is complete by itself: at its end the reader stands between two clauses. A text of such lines says what
they say one after the other.
*/

:- meta_predicate
    line_facts(1, +, -),
    plain_facts(1, +, -),
    kept_table(2, +, -).

:- dynamic
    kept/2,                         % Number, Facts
    cell/3,                         % Number, Place, Bit: the line has this composition only
    relation_number/2,              % Name, Number from 0
    all_relations/1,                % Names
    relation_count/1,
    last_empty/2.                   % Numbers, Table: of these lines

%!  forget_lines is det.
%
%   Forget all lines: another language admits others.

forget_lines :-
    retractall(kept(_, _)),
    retractall(cell(_, _, _)),
    retractall(relation_number(_, _)),
    retractall(all_relations(_)),
    retractall(last_empty(_, _)),
    flag(hornbeam_judge_lines, _, 0).

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

%!  plain_facts(:Admit, +Lines:list(string), -Facts:list) is semidet.
%
%   The facts of lines of which each is one fact and no more; the caller has looked at its characters. They are read as one text.
%   Fails if a term does not begin where its line does, or if call(Admit, Term) fails for one: then each line must be read by itself.

plain_facts(Admit, Lines, Facts) :-
    atomic_list_concat(Lines, '\n', Text),
    setup_call_cleanup(
        open_string(Text, Stream),
        catch(plain_terms(Lines, 1, Stream, Facts), error(syntax_error(_), _), fail),
        close(Stream)),
    maplist(Admit, Facts).

plain_terms([], _, Stream, []) :-
    read(Stream, end_of_file).
plain_terms([Text|Lines], Line, Stream, [Fact|Facts]) :-
    sub_string(Text, _, 2, 0, ")."),
    read_term(Stream, Fact, [module(hornbeam_judge_text), term_position(Position)]),
    compound(Fact),
    stream_position_data(line_count, Position, Line),
    Next is Line+1,
    plain_terms(Lines, Next, Stream, Facts).

admitted([], _, []).
admitted([t(_, Fact, _)|Terms], Admit, [Fact|Facts]) :-
    compound(Fact),
    call(Admit, Fact),
    !,
    admitted(Terms, Admit, Facts).

%!  keep_line(+Facts:list, -Number:integer) is det.

keep_line(Facts, Number) :-
    flag(hornbeam_judge_lines, Number, Number+1),
    assertz(kept(Number, Facts)),
    keep_cell(Facts, Number).

keep_cell([compose(R, S, T)], Number) :-
    relation_number(R, I),
    relation_number(S, J),
    relation_number(T, K),
    !,
    relation_count(Count),
    Place is I*Count + J + 2,
    Bit is 1 << K,
    assertz(cell(Number, Place, Bit)).
keep_cell(_, _).

%!  number_relations(+Names:list(atom)) is det.
%
%   Tables are likely to list the relations Names, in this order.

number_relations(Names) :-
    retractall(last_empty(_, _)),
    retractall(relation_number(_, _)),
    retractall(all_relations(_)),
    retractall(relation_count(_)),
    assertz(all_relations(Names)),
    length(Names, Count),
    assertz(relation_count(Count)),
    forall(nth0(Number, Names, Name), assertz(relation_number(Name, Number))).

%!  kept_facts(+Numbers:list(integer), -Facts:list) is det.
%
%   The facts of some lines, in order.

kept_facts(Numbers, Facts) :-
    maplist(kept, Numbers, Parts),
    append(Parts, Facts).

%!  kept_table(:Make, +Numbers:list(integer), -Table) is det.
%
%   The Table that call(Make, Facts, Table) makes of the facts of some lines.
%
%   Where the other facts say what the relations are and how the table is read, Make gets only these, and the compositions are entered
%   in the table: cells(Count, Masks...), as facts_table/2 of networks.pl makes it.

kept_table(Make, Numbers, Table) :-
    parted(Numbers, Cells, Others),
    empty_table(Make, Others, Table),
    !,
    Table = table(_, Masks, _, _, _),
    maplist(entered(Masks), Cells).
kept_table(Make, Numbers, Table) :-
    kept_facts(Numbers, Facts),
    call(Make, Facts, Table).

%   The table without the compositions that have a place; it is that of the text before, if all other lines are the same.

empty_table(_, Others, Table) :-
    last_empty(Others, Table),
    !.
empty_table(Make, Others, Table) :-
    kept_facts(Others, Facts),
    memberchk(reading(_), Facts),
    memberchk(relation(_), Facts),
    all_relations(Names),
    call(Make, Facts, Table),
    Table = table(Names, _, _, _, _),
    retractall(last_empty(_, _)),
    assertz(last_empty(Others, Table)).

parted([], [], []).
parted([Number|Numbers], Cells, Others) :-
    (   cell(Number, Place, Bit)
    ->  Cells = [Place-Bit|Cells1],
        Others = Others1
    ;   Cells = Cells1,
        Others = [Number|Others1]
    ),
    parted(Numbers, Cells1, Others1).

entered(Masks, Place-Bit) :-
    arg(Place, Masks, Mask0),
    Mask is Mask0 \/ Bit,
    setarg(Place, Masks, Mask).

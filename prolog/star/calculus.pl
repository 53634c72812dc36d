:- module(hornbeam_star_calculus,
          [ read_calculus/2,       % +File, -Calculus
            load_calculus/2,       % +File, -Calculus
            calculus_report/2      % +File, -Report
          ]).
:- use_module(library(apply), [foldl/4, maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3]).
:- use_module(laws, [law_violation/3]).

/** <module> A calculus is one file of facts

The file holds calculus(Name, Title), relation(R), identity(R), converse(R, C) and composition(A, B, Rs), and
property(patchwork) where networks that agree on what they share fit together. It is _read_, never run: a file from a stranger can be wrong, but it cannot do anything. What is read must be complete and must keep
the laws of a relation algebra (see laws.pl).

A calculus is the term calculus(Name, Title, Relations, Identity, Converses, Cells, Properties), where relations are numbered from 0
in the order of the file, sets of relations are bit masks, Converses is a compound of numbers and Cells a compound of
one mask for each ordered pair of relations, row by row.
*/

%!  load_calculus(+File, -Calculus) is det.
%
%   @error calculus_error(File, Line, Text) for the first thing that is wrong; Line is 0 if it is the whole file.

load_calculus(File, Calculus) :-
    read_calculus(File, Read),
    (   Read = ok(Calculus0)
    ->  (   law_violation(Calculus0, Law, Text)
        ->  format(string(Message), "~w: ~s", [Law, Text]),
            throw(error(calculus_error(File, 0, Message), _))
        ;   Calculus = Calculus0
        )
    ;   Read = wrong(Line, Message),
        throw(error(calculus_error(File, Line, Message), _))
    ).

%!  calculus_report(+File, -Report) is det.
%
%   For a program: `Report` is table(Name, Title, Relations, Identity, Converses, Cells, Properties) with lists in place of compounds,
%   or problem(Line, Text).

calculus_report(File, Report) :-
    must_be(atom, File),
    catch(( load_calculus(File, Calculus),
            report_of(Calculus, Report)
          ),
          error(calculus_error(_, Line, Problem), _),
          Report = problem(Line, Problem)).

report_of(calculus(Name, Title, Relations, Identity, Converses0, Cells0, Properties),
          table(Name, Title, Relations, Identity, Converses, Cells, Properties)) :-
    Converses0 =.. [_|Converses],
    Cells0 =.. [_|Cells].

%!  read_calculus(+File, -Result) is det.
%
%   `Result` is ok(Calculus), laws not yet checked, or wrong(Line, Text).

read_calculus(File, Result) :-
    catch(( setup_call_cleanup(open(File, read, In, [encoding(utf8)]),
                               read_facts(In, Facts),
                               close(In)),
            assemble(Facts, Calculus),
            Result = ok(Calculus)
          ),
          Error,
          problem_of(Error, Result)).

problem_of(wrong(Line, Text), Result) =>
    Result = wrong(Line, Text).
problem_of(error(syntax_error(What), Place), Result) =>
    place_line(Place, Line),
    format(string(Text), "not Prolog: ~w", [What]),
    Result = wrong(Line, Text).
problem_of(error(Formal, _), Result) =>
    format(string(Text), "~p", [Formal]),
    Result = wrong(0, Text).
problem_of(Other, _) =>
    throw(Other).

place_line(stream(_, Line0, _, _), Line)  => Line = Line0.
place_line(file(_, Line0, _, _), Line)    => Line = Line0.
place_line(_, Line)                       => Line = 0.

read_facts(In, Facts) :-
    read_term(In, Term, [term_position(Position), syntax_errors(error), module(hornbeam_star_calculus)]),
    (   Term == end_of_file
    ->  Facts = []
    ;   stream_position_data(line_count, Position, Line),
        (   Term = (:- module(_, _))
        ->  Facts = Rest
        ;   must_be_fact(Term, Line),
            Facts = [Line-Term|Rest]
        ),
        read_facts(In, Rest)
    ).

must_be_fact(Term, Line) :-
    (   ground(Term),
        fact_shape(Term)
    ->  true
    ;   format(string(Text), "~p is no fact of a calculus; expected calculus(Name, \"Title\"), relation(R), \c
                              identity(R), converse(R, C), composition(A, B, [R, ...]) or property(patchwork)", [Term]),
        throw(wrong(Line, Text))
    ).

fact_shape(calculus(Name, Title))      :- atom(Name), string(Title).
fact_shape(relation(R))                :- atom(R).
fact_shape(identity(R))                :- atom(R).
fact_shape(property(patchwork)).
fact_shape(converse(R, C))             :- atom(R), atom(C).
fact_shape(composition(A, B, Rs))      :- atom(A), atom(B), is_list(Rs).

%   Assembling: every name known, every fact there once.

assemble(Facts, calculus(Name, Title, Relations, Identity, Converses, Cells, Properties)) :-
    the_only(Facts, calculus(Name, Title), "calculus(Name, \"Title\")"),
    findall(R, member(_-relation(R), Facts), Relations),
    distinct_relations(Relations, Facts),
    forall(member(Line-relation(R), Facts), usable_name(R, Line)),
    the_only(Facts, identity(I), "identity(R)"),
    number_of(Relations, 0, I, Identity),
    findall(Line-(R-C), member(Line-converse(R, C), Facts), Conversed),
    all_known(Conversed, Relations),
    maplist(converse_of(Facts, Relations), Relations, ConverseList),
    Converses =.. [converses|ConverseList],
    findall(A-B, (member(A, Relations), member(B, Relations)), Pairs),
    findall(Line-(A-B), member(Line-composition(A, B, _), Facts), Given),
    all_known(Given, Relations),
    maplist(cell_of(Facts, Relations), Pairs, CellList),
    Cells =.. [cells|CellList],
    findall(P, member(_-property(P), Facts), Properties).

the_only(Facts, Pattern, Shape) :-
    findall(Line-Pattern, member(Line-Pattern, Facts), Found),
    (   Found = [_-Pattern]
    ->  true
    ;   Found = []
    ->  format(string(Text), "there is no ~s", [Shape]),
        throw(wrong(0, Text))
    ;   Found = [_, Line-_|_],
        format(string(Text), "a second ~s", [Shape]),
        throw(wrong(Line, Text))
    ).

distinct_relations([], _) :-
    throw(wrong(0, "there is no relation(R)")).
distinct_relations([R|Rs], Facts) :-
    (   append(Earlier, [Line-relation(Name)|_], Facts),
        memberchk(_-relation(Name), Earlier)
    ->  format(string(Text), "relation ~w is stated twice", [Name]),
        throw(wrong(Line, Text))
    ;   length([R|Rs], N),
        N > 62
    ->  throw(wrong(0, "more than 62 relations"))
    ;   true
    ).

%   Sets of relations are written with `|` between their names, and a network without any is `inconsistent`.

usable_name(R, Line) :-
    (   ( R == '' ; R == inconsistent ; sub_atom(R, _, _, _, '|') )
    ->  format(string(Text), "a relation cannot be called '~w'", [R]),
        throw(wrong(Line, Text))
    ;   true
    ).

number_of(Relations, Line, R, Number) :-
    (   nth0(Number, Relations, R0),
        R0 == R
    ->  true
    ;   format(string(Text), "~w is not one of the relations", [R]),
        throw(wrong(Line, Text))
    ).

converse_of(Facts, Relations, R, Number) :-
    findall(Line-C, member(Line-converse(R, C), Facts), Found),
    (   Found = [Line-C]
    ->  number_of(Relations, Line, C, Number)
    ;   length(Found, Times),
        format(string(Text), "relation ~w has ~d converses, expected 1", [R, Times]),
        throw(wrong(0, Text))
    ).

all_known([], _).
all_known([Line-(A-B)|Given], Relations) :-
    number_of(Relations, Line, A, _),
    number_of(Relations, Line, B, _),
    all_known(Given, Relations).

cell_of(Facts, Relations, A-B, Mask) :-
    findall(Line-Rs, member(Line-composition(A, B, Rs), Facts), Found),
    (   Found = [Line-Rs]
    ->  foldl(add_bit(Relations, Line), Rs, 0, Mask),
        (   Mask =:= 0
        ->  format(string(Text), "~w ; ~w is empty", [A, B]),
            throw(wrong(Line, Text))
        ;   true
        )
    ;   length(Found, Times),
        format(string(Text), "~w ; ~w is stated ~d times, expected once", [A, B, Times]),
        throw(wrong(0, Text))
    ).

add_bit(Relations, Line, R, Mask0, Mask) :-
    number_of(Relations, Line, R, Number),
    Mask is Mask0 \/ (1 << Number).

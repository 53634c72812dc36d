:- module(hornbeam_judge_reading,
          [ terms/3,                % +Text, +Most, -Terms
            unfit/4                 % +Line, +Kind, +Format, +Arguments
          ]).
:- set_module(base(system)).
:- use_module(hornbeam(prolog/depth), [too_deep/3, call_for_text/2]).

/** <module> The terms of a theory that comes as text, read as data

Nothing of the text is run: there are no directives, no expansion, and the operators are SWI-Prolog's own.
*/

%!  unfit(+Line:integer, +Kind:atom, +Format, +Arguments:list) is erroneous.
%
%   Refuse a text: the line, the kind of the offence and a message.

unfit(Line, Kind, Format, Arguments) :-
    format(atom(Message), Format, Arguments),
    throw(hornbeam_unfit(Line, Kind, Message)).

%   The operators of this module are SWI-Prolog's own: no text can change them, for no directive is run.

:- set_module(hornbeam_judge_text:base(system)).

%!  terms(+Text:text, +Most, -Terms:list) is det.
%
%   Terms are the terms of a text, each as t(Line, Term, Names), at most Most of them (`inf`: any number).
%
%   @throws hornbeam_unfit(Line, Kind, Message)

terms(Text, Most, Terms) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        call_for_text(hornbeam_judge_reading:terms_of(Stream, 0, Most, Terms), Text),
        close(Stream)).

terms_of(Stream, Count, Most, Terms) :-
    catch(read_term(Stream, Term,
                    [ module(hornbeam_judge_text), term_position(Position), syntax_errors(error), cycles(false),
                      double_quotes(string), back_quotes(codes), quasi_quotations(Quasi), variable_names(Names)
                    ]),
          error(syntax_error(Reason), Context), true),
    (   nonvar(Reason)
    ->  error_line(Context, Line),
        unfit(Line, syntax, 'it is not Prolog: ~w', [Reason])
    ;   Term == end_of_file
    ->  at_end(Stream, Position),
        Terms = []
    ;   stream_position_data(line_count, Position, Line),
        stream_position_data(char_count, Position, Start),
        character_count(Stream, End),
        Length is End-Start,
        plain_term(Term, Quasi, Length, Line),
        Next is Count+1,
        within_clauses(Next, Most, Line),
        Terms = [t(Line, Term, Names)|Rest],
        terms_of(Stream, Next, Most, Rest)
    ).

%   The term end_of_file ends the text for Prolog's reader. What follows would not be judged.

at_end(Stream, Position) :-
    (   at_end_of_stream(Stream)
    ->  true
    ;   stream_position_data(line_count, Position, Line),
        unfit(Line, 'end of file', 'the clause end_of_file is not allowed', [])
    ).

plain_term(_, Quasi, _, Line) :-
    Quasi \== [],
    !,
    unfit(Line, syntax, 'quasi quotations are not allowed', []).
plain_term(Term, _, Length, Line) :-
    too_deep(Term, Length, Levels),
    !,
    unfit(Line, size, 'a term is nested more than ~d levels deep', [Levels]).
plain_term(_, _, _, _).

within_clauses(Count, Most, Line) :-
    (   Count > Most
    ->  unfit(Line, size, 'it has more than ~d clauses', [Most])
    ;   true
    ).

error_line(Context, Line) :-
    (   Context = stream(_, Line, _, _)
    ;   Context = string(_, _), Line = 1
    ;   Context = file(_, Line, _, _)
    ),
    !.
error_line(_, 1).

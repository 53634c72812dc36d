:- module(hornbeam_theory_reading,
          [ read_theory/2,          % +Text, -Items
            read_theory_file/2,     % +File, -Clauses
            theory_clause/3         % +Term, -Head, -Literals
          ]).
:- use_module(library(readutil), [read_file_to_string/3]).
:- use_module(hornbeam(prolog/depth), [too_deep/3]).
:- autoload(library(error), [must_be/2]).
:- autoload(library(lists), [member/2, memberchk/2]).
:- autoload(library(modules), [in_temporary_module/3]).
:- autoload(library(occurs), [sub_term/2]).

/** <module> Theories from text, by Prolog's own reader

    ?- read_theory("p(X) :- q(X). % why\n", Items).
    Items = [clause(1, 0, 13, p(X), [q(X)], ['X'=X])].

An item says where it stands: its line, and the offsets of its first character and of the one behind its full stop, so that
comments and layout are what lies between items. Operators that the text declares with `:- op(...)` hold for what follows;
no other directive is run.
*/

%!  read_theory(+Text, -Items) is det.
%
%   Items are, in the order of the text,
%
%     - clause(Line, Start, End, Head, Literals, Bindings), Bindings being a list of Name=Variable
%     - directive(Line, Start, End, Directive)
%     - rejected(Line, Start, End, Reason): text that is no clause; reading goes on behind it.

read_theory(Text, Items) :-
    must_be(text, Text),
    % The operators of a text live and die with a module of their own.
    in_temporary_module(
        Module, true,
        setup_call_cleanup(
            open_string(Text, Stream),
            hornbeam_depth:call_for_text(hornbeam_theory_reading:items(Stream, Module, Items), Text),
            close(Stream))).

%!  read_theory_file(+File, -Clauses) is det.
%
%   The clauses of a file as plain terms, for the other modules here.
%
%   @error syntax_error(Reason) at the first text that is no clause.

read_theory_file(File, Clauses) :-
    must_be(text, File),
    read_file_to_string(File, Text, []),
    read_theory(Text, Items),
    (   member(rejected(Line, _, _, Reason), Items)
    ->  throw(error(syntax_error(Reason), file(File, Line, 0, 0)))
    ;   findall(Clause, ( member(clause(_, _, _, Head, Literals, _), Items), plain(Head, Literals, Clause) ), Clauses)
    ).

plain(Head, [], Head) :- !.
plain(Head, Literals, (Head :- Body)) :-
    conjunction(Literals, Body).

conjunction([Literal], Literal) :- !.
conjunction([Literal|Literals], (Literal, Body)) :-
    conjunction(Literals, Body).

items(Stream, Module, Items) :-
    catch(read_term(Stream, Term,
                    [ module(Module), variable_names(Bindings), term_position(Position),
                      syntax_errors(error), cycles(false), quasi_quotations(Quasi)
                    ]),
          error(syntax_error(Reason), Context), true),
    (   nonvar(Reason)
    ->  message(Reason, Message),
        error_place(Context, Line, Offset),
        character_count(Stream, End),
        Items = [rejected(Line, Offset, End, Message)|Rest]
    ;   Term == end_of_file
    ->  Items = [],
        Rest = none
    ;   stream_position_data(line_count, Position, Line),
        stream_position_data(char_count, Position, Start),
        character_count(Stream, End),
        Length is End-Start,
        item(Term, Quasi, Length, Module, Line, Start, End, Bindings, Items, Rest)
    ),
    (   Rest == none
    ->  true
    ;   items(Stream, Module, Rest)
    ).

item(Term, Quasi, Length, _, Line, Start, End, _, [rejected(Line, Start, End, Reason)|Rest], Rest) :-
    unwanted(Term, Quasi, Length, Reason),
    !.
item(Term, _, _, Module, Line, Start, End, Bindings, Items, Rest) :-
    item(Term, Module, Line, Start, End, Bindings, Items, Rest).

unwanted(_, Quasi, _, 'quasi quotations are no plain Prolog') :-
    Quasi \== [].
unwanted(Term, _, Length, Reason) :-
    too_deep(Term, Length, Levels),
    format(atom(Reason), 'a term is nested more than ~d levels deep', [Levels]).

item((:- Directive), Module, Line, Start, End, _, [directive(Line, Start, End, Text)|Rest], Rest) :-
    !,
    declare_operators(Directive, Module),
    directive_text(Directive, Text).
item((?- Query), _, Line, Start, End, _, [directive(Line, Start, End, Text)|Rest], Rest) :-
    !,
    directive_text(Query, Text).
item(Term, _, Line, Start, End, Bindings, [Item|Rest], Rest) :-
    (   unportable(Term)
    ->  Item = rejected(Line, Start, End, 'it holds a term that is no plain Prolog')
    ;   theory_clause(Term, Head, Literals)
    ->  Item = clause(Line, Start, End, Head, Literals, Bindings)
    ;   Item = rejected(Line, Start, End, 'the head of a clause is an atom or a compound term, and so is each literal')
    ).

%   Cut where it is long: what is written recurs on the C stack, also for what is deep on the right only.

directive_text(Directive, Text) :-
    format(atom(Text), '~W', [Directive, [quoted(true), numbervars(true), max_depth(1_000)]]).

unportable(Term) :-
    sub_term(Part, Term),
    nonvar(Part),
    (   is_dict(Part)
    ;   blob(Part, Type), \+ memberchk(Type, [text, ucs_text]), Part \== []
    ),
    !.

%!  theory_clause(+Term, -Head, -Literals) is semidet.
%
%   Head and body of a clause; the conjunctions of the body are one list. Grammar rules are translated.

theory_clause(Term, _, _) :-
    var(Term),
    !,
    fail.
theory_clause((Left --> Right), Head, Literals) :-
    !,
    catch(dcg_translate_rule((Left --> Right), Clause), _, fail),
    theory_clause(Clause, Head, Literals).
theory_clause((Head :- Body), Head, Literals) :-
    !,
    callable(Head),
    literals(Body, Literals, []).
theory_clause(Head, Head, []) :-
    callable(Head).

literals(Body, [call(Body)|Rest], Rest) :-
    var(Body),
    !.
literals((Left, Right), Literals, Rest) :-
    !,
    literals(Left, Literals, Literals1),
    literals(Right, Literals1, Rest).
literals(true, Rest, Rest) :- !.
literals(Literal, [Literal|Rest], Rest) :-
    callable(Literal).

declare_operators(Directive, Module) :-
    catch(forall(operator(Directive, Priority, Type, Names), op(Priority, Type, Module:Names)), _, true).

operator((Left, Right), Priority, Type, Names) :-
    !,
    (   operator(Left, Priority, Type, Names)
    ;   operator(Right, Priority, Type, Names)
    ).
operator(op(Priority, Type, Names), Priority, Type, Names).
operator(module(_, Exports), Priority, Type, Names) :-
    is_list(Exports),
    member(op(Priority, Type, Names), Exports).

message(Reason, Message) :-
    catch('$messages':translate_message(error(syntax_error(Reason), _), Lines, []), _, fail),
    !,
    with_output_to(string(String), print_message_lines(current_output, '', Lines)),
    split_string(String, "", " \n\t", [Trimmed]),
    atom_string(Message, Trimmed).
message(Reason, Message) :-
    format(atom(Message), '~w', [Reason]).

error_place(Context, Line, Offset) :-
    (   Context = stream(_, Line, _, Offset)
    ;   Context = string(_, Offset), Line = 1
    ;   Context = file(_, Line, _, Offset)
    ),
    !.
error_place(_, 1, 0).

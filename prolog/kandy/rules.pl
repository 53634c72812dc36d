:- module(kandy_rules,
          [ rule_module/3,              % +Rule, +Encoding, -Module
            load_rule/2,                % +Rule, +Text
            load_rule/3,                % +Rule, +Text, +Place
            forget_rule/1,              % +Rule
            rule_clauses/2,             % +Rule, -Clauses
            rule_sources/2,             % +Rule, -Sources
            text_sources/3,             % +Text, +Place, -Sources
            clause_head/2               % +Clause, -Head
          ]).

:- use_module(library(apply), [exclude/3, maplist/2]).
:- use_module(library(error), [existence_error/2, must_be/2, permission_error/3]).
:- use_module(library(lists), [member/2]).
:- use_module(hornbeam(prolog/depth), [call_for_text/2, too_deep/3]).
:- use_module(hornbeam(prolog/kandy_kb), [task/4]).
:- use_module(calls, [impure_predicates/2, undefined_predicates/2]).

/** <module> Rules, each in a module of its own

A rule says what makes a picture valid: clauses of valid/1 and of what these
call.  The rules of kb/kandy/tasks have the name of their file; any other is
text that load_rule/2 puts under a name.  For each encoding a rule is asked for
it gets a module that sees the background knowledge of that encoding, and
nothing of any other rule.
*/

:- dynamic
    text_rule/2,                        % Rule, Sources: a rule that came as text
    loaded/3.                           % Rule, Encoding, Module

%!  rule_module(+Rule:atom, +Encoding:oneof([natural,pointer]), -Module:atom) is det.
%
%   Module holds Rule, over pictures in this Encoding.
%
%   @error existence_error(kandy_rule, Rule)

rule_module(Rule, Encoding, Module) :-
    loaded(Rule, Encoding, Loaded),
    !,
    Module = Loaded.
rule_module(Rule, Encoding, Module) :-
    must_be(atom, Rule),
    must_be(oneof([natural, pointer]), Encoding),
    (   Encoding == natural,
        \+ text_rule(Rule, _)
    ->  task_file(Rule, File),
        atom_concat(kandy_, Rule, Module),
        use_module(Module:File, [])
    ;   rule_clauses(Rule, Clauses),
        atomic_list_concat([kandy, Encoding, Rule], '_', Module),
        fill_module(Module, Encoding, Clauses)
    ),
    assertz(loaded(Rule, Encoding, Module)).

fill_module(Module, Encoding, Clauses) :-
    background(Encoding, Background),
    set_module(Module:base(Background)),
    forall(member(Clause, Clauses), assertz(Module:Clause)).

background(natural, kandy_natural_full).
background(pointer, kandy_pointer_full).

%!  rule_clauses(+Rule:atom, -Clauses:list) is det.
%
%   Clauses are the clauses of Rule, valid/1 first.

rule_clauses(Rule, Clauses) :-
    rule_sources(Rule, Sources),
    findall(Clause, member(source(Clause, _), Sources), Clauses).

%!  rule_sources(+Rule:atom, -Sources:list) is det.
%
%   Sources are source(Clause, Bindings) for each clause of Rule, Bindings being
%   the names of its variables as Name=Variable.

rule_sources(Rule, Sources) :-
    text_rule(Rule, Found),
    !,
    Sources = Found.
rule_sources(Rule, Sources) :-
    task_file(Rule, File),
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        read_sources(In, File, All),
        close(In)),
    exclude(is_directive, All, Sources).

is_directive(source((:- _), _)).

task_file(Rule, File) :-
    task(Rule, _, _, _),
    !,
    module_property(kandy_tasks, file(Table)),
    file_directory_name(Table, Folder),
    atomic_list_concat([Folder, '/tasks/', Rule, '.pl'], File).
task_file(Rule, _) :-
    existence_error(kandy_rule, Rule).

%!  load_rule(+Rule:atom, +Text:text) is det.
%!  load_rule(+Rule:atom, +Text:text, +Place:atom) is det.
%
%   Text, clauses of valid/1 and of its helpers, is known as Rule from now on.
%   The last clause may lack its full stop, as in the files of the original.
%   Errors speak of Place (default `positive_rule`), with the line in Text.
%
%   @error syntax_error(Message) if Text is not Prolog
%   @error permission_error(load, directive, Goal) if Text contains a directive
%   @error existence_error(procedure, valid/1) if Text does not define it
%   @error existence_error(procedure, Name/Arity) if Text calls what nobody defines
%   @error permission_error(call, sandboxed, Name/Arity) if Text changes the database, or
%          depends on chance or on the clock

load_rule(Rule, Text) :-
    load_rule(Rule, Text, positive_rule).

load_rule(Rule, Text, Place) :-
    must_be(atom, Rule),
    text_sources(Text, Place, Sources),
    maplist(may_define, Sources),
    (   member(source(Clause, _), Sources),
        clause_head(Clause, valid(_))
    ->  true
    ;   existence_error(procedure, valid/1)
    ),
    forget_rule(Rule),
    assertz(text_rule(Rule, Sources)),
    catch(must_be_a_rule(Rule), Error, ( forget_rule(Rule), throw(Error) )).

must_be_a_rule(Rule) :-
    rule_module(Rule, natural, Module),
    undefined_predicates(Module, Undefined),
    impure_predicates(Module, Impure),
    (   Undefined = [Predicate|_]
    ->  existence_error(procedure, Predicate)
    ;   Impure = [Predicate|_]
    ->  permission_error(call, sandboxed, Predicate)
    ;   true
    ).

%!  forget_rule(+Rule:atom) is det.
%
%   Rule, which came as text, is known no more.

forget_rule(Rule) :-
    retractall(text_rule(Rule, _)),
    forall(retract(loaded(Rule, _, Module)),
           forall(( current_predicate(Module:Name/Arity),
                    functor(Head, Name, Arity),
                    \+ predicate_property(Module:Head, imported_from(_))
                  ),
                  retractall(Module:Head))).

may_define(source((:- Goal), _)) =>
    permission_error(load, directive, Goal).
may_define(source((?- Goal), _)) =>
    permission_error(load, directive, Goal).
may_define(source(Clause, _)) =>
    clause_head(Clause, Head),
    must_be(callable, Head),
    (   ( Head = _:_ ; predicate_property(system:Head, built_in) )
    ->  functor(Head, Name, Arity),
        permission_error(modify, static_procedure, Name/Arity)
    ;   true
    ).

%!  clause_head(+Clause, -Head) is det.
%
%   Head is the head of Clause.

clause_head((Head0 :- _), Head) =>
    Head = Head0.
clause_head(Head0, Head) =>
    Head = Head0.

%!  text_sources(+Text:text, +Place:atom, -Sources:list) is det.
%
%   Sources are the clauses in Text, as in rule_sources/2.  The stop that the
%   original's files leave out is added on a line of its own, after the text
%   turned out to end inside a clause.

text_sources(Text, Place, Sources) :-
    catch(string_sources(Text, Place, Sources),
          error(syntax_error(end_of_file), _),
          ( string_concat(Text, "\n.", Stopped),
            string_sources(Stopped, Place, Sources)
          )).

string_sources(Text, Place, Sources) :-
    setup_call_cleanup(
        open_string(Text, In),
        call_for_text(kandy_rules:read_sources(In, Place, Sources), Text),
        close(In)).

read_sources(In, Place, Sources) :-
    catch(read_term(In, Term,
                    [ module(kandy_natural_full),
                      syntax_errors(error),
                      term_position(Position),
                      quasi_quotations(_),
                      variable_names(Bindings)
                    ]),
          error(syntax_error(Message), stream(_, Line, Column, Char)),
          throw(error(syntax_error(Message), file(Place, Line, Column, Char)))),
    (   Term == end_of_file
    ->  Sources = []
    ;   check_depth(In, Term, Position, Place),
        expanded(Term, Clause),
        Sources = [source(Clause, Bindings)|Rest],
        read_sources(In, Place, Rest)
    ).

check_depth(In, Term, Position, Place) :-
    stream_position_data(char_count, Position, Start),
    character_count(In, End),
    Length is End-Start,
    (   too_deep(Term, Length, Levels)
    ->  stream_position_data(line_count, Position, Line),
        format(atom(Message), 'a term is nested more than ~d levels deep', [Levels]),
        throw(error(syntax_error(Message), file(Place, Line, 0, Start)))
    ;   true
    ).

expanded((Head --> Body), Clause) =>
    dcg_translate_rule((Head --> Body), Clause).
expanded(Term, Clause) =>
    Clause = Term.

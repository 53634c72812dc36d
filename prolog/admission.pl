:- module(hornbeam_admission,
          [ admit/4,                % +Term, +Module, +Origin, -Load
            note_hooks/0
          ]).
:- autoload(library(lists), [append/3, member/2, memberchk/2]).
:- autoload(library(apply), [maplist/2]).

/** <module> What a program from outside may say

A file from outside is a list of terms. Clauses and a few declarations are admitted; the rest is refused, because loading it
would run code: directives, conditional compilation, expansion, the hooks of SWI-Prolog, clauses for modules of others.

Clause bodies are not judged here. No body runs while a file is loaded, and library(sandbox) looks at every body that a goal
can reach before the goal runs.
*/

:- dynamic hook_of_user/1.              % Head

%!  admit(+Term, +Module, +Origin, -Load) is det.
%
%   Load is a list with what the loader gets for Term, read from a file or text that is loaded into Module. Origin is
%   `-(Root, Folder)` for a file in Folder, whose program may load files below Root, or `none` for text.
%
%   @throws hornbeam_refused(Format, Arguments)

admit(Term, _, _, _), var(Term) =>
    refuse("a variable is no clause", []).
admit((:- Directive), Module, Origin, Load) =>
    directive(Directive, Module, Origin, Load).
admit((?- Directive), Module, Origin, Load) =>
    directive(Directive, Module, Origin, Load).
admit(mine:(user:Head :- Body), user, Origin, Load), Origin \== none =>
    % The files of a dataset, which live in `user`, have rules whose bodies run in the module `mine`: so they ask a theory.
    admitted_head(Head, user),
    Load = [mine:(user:Head :- Body)].
admit((Head --> Body), Module, _, Load) =>
    (   catch(dcg_translate_rule((Head --> Body), Clause), _, fail)
    ->  clause_head(Clause, Left),
        admitted_head(Left, Module),
        Load = [Clause]
    ;   refuse("this is no grammar rule", [])
    ).
admit(Clause, Module, _, Load) =>
    clause_head(Clause, Head),
    admitted_head(Head, Module),
    Load = [Clause].

refuse(Format, Arguments) :-
    throw(hornbeam_refused(Format, Arguments)).

% Clauses ------------------------------------------------------------------------------------------------------------

clause_head((Left :- _), Head)  => Head = Left.
clause_head((Left => _), Head)  => guarded_head(Left, Head).
clause_head(?=>(_, _), _)       => refuse("?=> is not allowed here", []).
clause_head(Fact, Head)         => Head = Fact.

guarded_head(Left, Head), nonvar(Left), Left = (Plain, _) => Head = Plain.
guarded_head(Left, Head)                                  => Head = Left.

admitted_head(Head, _), var(Head) =>
    refuse("the head of a clause is a variable", []).
admitted_head(Other:_, _) =>
    refuse("a clause for the module ~q is not allowed here", [Other]).
admitted_head([_|_], _) =>
    refuse("a list loads files, which is not allowed here", []).
admitted_head(Head, Module), callable(Head) =>
    callable_indicator(Head, Name, Arity),
    admitted_name(Name, Arity, Module).
admitted_head(Head, _) =>
    refuse("~q is no clause", [Head]).

% functor/3 refuses compound terms without arguments.
callable_indicator(Head, Name, Arity), compound(Head) => compound_name_arity(Head, Name, Arity).
callable_indicator(Head, Name, Arity)                 => Name = Head, Arity = 0.

admitted_name(Name, Arity, Module) :-
    (   hook(Name, Arity, Module)
    ->  refuse("~q is called by SWI-Prolog itself, so it may not be defined here", [Name/Arity])
    ;   sub_atom(Name, 0, _, _, $)
    ->  refuse("~q: names that start with $ belong to SWI-Prolog", [Name/Arity])
    ;   true
    ).

%   The hooks of every module, and those of `user`.

hook(term_expansion, 2, _).
hook(term_expansion, 4, _).
hook(goal_expansion, 2, _).
hook(goal_expansion, 4, _).
hook(attr_unify_hook, 2, _).
hook(attr_portray_hook, 2, _).
hook(attribute_goals, 3, _).
hook(project_attributes, 2, _).
hook(portray, 1, _).
hook(exception, 3, _).
hook(message_hook, 3, _).
hook(thread_message_hook, 3, _).
hook(message_property, 2, _).
hook(prolog_event_hook, 1, _).
hook(prolog_exception_hook, Arity, _) :- memberchk(Arity, [4, 5]).
hook(prolog_load_file, 2, _).
hook(unknown_predicate_handler, Arity, _) :- memberchk(Arity, [2, 3]).
hook(Name, Arity, user) :-
    callable_term(Name, Arity, Head),
    hook_of_user(Head),
    !.

callable_term(Name, 0, Head) :- !, Head = Name.
callable_term(Name, Arity, Head) :- compound_name_arity(Head, Name, Arity).

%!  note_hooks is det.
%
%   Remember the predicates that SWI-Prolog has in `user` for hooks. Called once, before anything from outside is loaded.

note_hooks :-
    retractall(hook_of_user(_)),
    forall(( predicate_property(user:Head, Property),
             memberchk(Property, [multifile, dynamic]),
             \+ predicate_property(user:Head, imported_from(_)),
             \+ hook_of_user(Head)
           ),
           assertz(hook_of_user(Head))).

% Directives ---------------------------------------------------------------------------------------------------------

directive(Directive, _, _, _), var(Directive) =>
    refuse("a directive is a variable", []).
directive((One, Other), Module, Origin, Load) =>
    directive(One, Module, Origin, Load1),
    directive(Other, Module, Origin, Load2),
    append(Load1, Load2, Load).
directive(Other:_, _, _, _) =>
    refuse("a directive for the module ~q is not allowed here", [Other]).
directive(Directive, Module, _, Load), declaration(Directive, Predicates) =>
    admitted_predicates(Predicates, Directive, Module),
    Load = [(:- Directive)].
directive(table(Predicates), Module, _, Load) =>
    admitted_tables(Predicates, Module),
    Load = [(:- table(Predicates))].
directive(module(Name, Exports), _, Origin, Load) =>
    admitted_module(Name, Exports, Origin),
    Load = [(:- module(Name, Exports))].
directive(op(Priority, Type, Names), _, _, Load) =>
    admitted_operators(op(Priority, Type, Names)),
    Load = [(:- op(Priority, Type, Names))].
directive(set_prolog_flag(Flag, Value), _, _, Load) =>
    (   Flag == double_quotes,
        memberchk(Value, [codes, chars, atom, string])
    ->  Load = [(:- set_prolog_flag(Flag, Value))]
    ;   refuse("the flag ~q may not be set here, only double_quotes", [Flag])
    ).
directive(style_check(Style), _, _, Load) =>
    (   ground(Style),
        memberchk(Style, [ -singleton, +singleton, -discontiguous, +discontiguous, -no_effect, +no_effect,
                           -var_branches, +var_branches ])
    ->  Load = [(:- style_check(Style))]
    ;   refuse("style_check(~q) is not allowed here", [Style])
    ).
directive(encoding(Encoding), _, _, Load) =>
    (   memberchk(Encoding, [utf8, ascii, iso_latin_1])
    ->  Load = [(:- encoding(Encoding))]
    ;   refuse("the encoding ~q is not allowed here", [Encoding])
    ).
directive(initialization(help_dataset), _, Origin, Load), Origin \== none =>
    % The banner of a dataset: for a person at a terminal.
    Load = [].
directive(Directive, _, Origin, Load), loading(Directive, File) =>
    admitted_file(File, Origin),
    Load = [(:- Directive)].
directive(Directive, _, _, _) =>
    callable_name(Directive, Name),
    refuse("the directive ~q is not allowed here: a file from outside may declare, but not run goals", [Name]).

callable_name(Directive, Name) :-
    (   callable(Directive)
    ->  callable_indicator(Directive, Functor, Arity),
        Name = Functor/Arity
    ;   Name = Directive
    ).

declaration(dynamic(Predicates), Predicates).
declaration(discontiguous(Predicates), Predicates).
declaration(multifile(Predicates), Predicates).
declaration(public(Predicates), Predicates).
declaration(non_terminal(Predicates), Predicates).
declaration(meta_predicate(Predicates), Predicates).

loading(include(File), File).
loading(use_module(File), File).
loading(use_module(File, _), File).
loading(autoload(File), File).
loading(autoload(File, _), File).
loading(ensure_loaded(File), File).

admitted_predicates(Predicates, Directive, _), var(Predicates) =>
    refuse("~q: predicates are expected as name/arity", [Directive]).
admitted_predicates((One, Other), Directive, Module) =>
    admitted_predicates(One, Directive, Module),
    admitted_predicates(Other, Directive, Module).
admitted_predicates(List, Directive, Module), is_list(List) =>
    forall(member(One, List), admitted_predicates(One, Directive, Module)).
admitted_predicates(Name/Arity, Directive, Module), atom(Name), integer(Arity), Directive \= meta_predicate(_) =>
    admitted_name(Name, Arity, Module).
admitted_predicates(Name//Arity, Directive, Module), atom(Name), integer(Arity), Directive \= meta_predicate(_) =>
    Arguments is Arity+2,
    admitted_name(Name, Arguments, Module).
admitted_predicates(Head, meta_predicate(_), Module), compound(Head), Head \= _:_ =>
    compound_name_arity(Head, Name, Arity),
    admitted_name(Name, Arity, Module).
admitted_predicates(Other, _, _) =>
    refuse("~q: predicates of this file are expected as name/arity", [Other]).

%   A mode of tabling that names a predicate, lattice(p/3) or po(p/2), runs it.

admitted_tables(Tables, _), var(Tables) =>
    refuse("table: predicates are expected as name/arity", []).
admitted_tables((One, Other), Module) =>
    admitted_tables(One, Module),
    admitted_tables(Other, Module).
admitted_tables(List, Module), is_list(List) =>
    forall(member(One, List), admitted_tables(One, Module)).
admitted_tables(Name/Arity, Module), atom(Name), integer(Arity) =>
    admitted_name(Name, Arity, Module).
admitted_tables(Name//Arity, Module), atom(Name), integer(Arity) =>
    Arguments is Arity+2,
    admitted_name(Name, Arguments, Module).
admitted_tables(Head, Module), compound(Head), Head \= _:_, Head \= (_ as _) =>
    compound_name_arguments(Head, Name, Modes),
    compound_name_arity(Head, Name, Arity),
    admitted_name(Name, Arity, Module),
    (   member(Mode, Modes),
        \+ table_mode(Mode)
    ->  refuse("the mode ~q of a table is not allowed here", [Mode])
    ;   true
    ).
admitted_tables(Other, _) =>
    refuse("table ~q is not allowed here", [Other]).

table_mode(Mode) :- var(Mode), !.
table_mode(Mode) :- memberchk(Mode, [index, -, first, last, min, max, sum]).

%   Modules of SWI-Prolog and of Hornbeam are not for others to define.

admitted_module(_, _, none) :-
    !,
    refuse("text that is loaded has no module header", []).
admitted_module(Name, Exports, _) :-
    (   atom(Name),
        is_list(Exports),
        ground(Exports)
    ->  true
    ;   refuse("the module header is not a name and a list", [])
    ),
    (   taken_module(Name)
    ->  refuse("the module name ~q is taken", [Name])
    ;   true
    ),
    forall(member(Export, Exports), admitted_export(Export)).

admitted_export(op(Priority, Type, Names)) => admitted_operators(op(Priority, Type, Names)).
admitted_export(Export)                    => admitted_predicates(Export, module, _).

taken_module(user).
taken_module(system).
taken_module(prolog).
taken_module(Name) :- sub_atom(Name, 0, _, _, $), !.
taken_module(Name) :- sub_atom(Name, 0, _, _, hornbeam_), !.
taken_module(Name) :-
    current_module(Name),
    module_property(Name, class(Class)),
    memberchk(Class, [system, library]),
    !.

admitted_operators(op(Priority, Type, Names)) :-
    (   integer(Priority),
        atom(Type),
        operator_names(Names)
    ->  true
    ;   refuse("op/3: a priority, a type and names of this file are expected", [])
    ).

operator_names(Name) :- atom(Name), !, Name \== [].
operator_names(Names) :- is_list(Names), maplist(atom, Names).

% Files --------------------------------------------------------------------------------------------------------------

admitted_file(File, _), var(File) =>
    refuse("a file is expected, not a variable", []).
admitted_file(library(Library), _) =>
    (   ground(Library),
        pure_library(Library)
    ->  true
    ;   refuse("library(~q) is not among the libraries that a file from outside may load", [Library])
    ).
admitted_file(File, none) =>
    refuse("text may not load the file ~q", [File]).
admitted_file(File, -(Root, Folder)), atom(File), \+ is_absolute_file_name(File) =>
    (   absolute_file_name(File, Path, [file_type(prolog), access(read), relative_to(Folder), file_errors(fail)])
    ->  true
    ;   refuse("there is no file ~q", [File])
    ),
    (   below(Path, Root)
    ->  true
    ;   refuse("the file ~q is outside the folder of the program", [File])
    ).
admitted_file(File, _) =>
    refuse("~q is not the name of a file of this folder", [File]).

%   A link below Root may lead out of it.

below(Path, Root) :-
    atom_concat(Root, Relative, Path),
    sub_atom(Relative, 0, 1, _, /),
    \+ linked(Path, Root).

linked(Path, Root) :-
    Path \== Root,
    (   read_link(Path, _, _)
    ->  true
    ;   file_directory_name(Path, Parent),
        linked(Parent, Root)
    ).

%   Libraries that compute, and do nothing else when they are loaded.

pure_library(aggregate).
pure_library(apply).
pure_library(arithmetic).
pure_library(assoc).
pure_library(clpfd).
pure_library(dcg/basics).
pure_library(dcg/high_order).
pure_library(error).
pure_library(gensym).
pure_library(heaps).
pure_library(listing).
pure_library(lists).
pure_library(nb_set).
pure_library(occurs).
pure_library(option).
pure_library(ordsets).
pure_library(pairs).
pure_library(random).
pure_library(rbtrees).
pure_library(readutil).
pure_library(solution_sequences).
pure_library(strings).
pure_library(tabling).
pure_library(terms).
pure_library(ugraphs).
pure_library(varnumbers).
pure_library(yall).

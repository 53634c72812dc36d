:- module(hornbeam_judge_language,
          [ set_language/2,         % +Words, +Allowed
            read_program/2,         % +Text, -Program
            table_fact/1            % +Fact
          ]).
:- set_module(base(system)).
:- use_module(hornbeam(prolog/judge/reading), [terms/3, unfit/4]).
:- use_module(hornbeam(prolog/judge/recursion), [makes_terms/1, self_calling/2, stratified/1]).
:- use_module(hornbeam(prolog/purity), [impure_goal/2]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(error), [must_be/2]).

/** <module> What a theory that comes as text may say

Clauses over predicates that are listed, constants that are listed, and predicates of its own. A body is made of these calls,
conjunction, disjunction, negation, (in)equality, and forall/2 and sums where they are granted. Everything else is refused, with
the kind of the offence: that is stricter than a sandbox, and it tells a person what to change.

Predicates of the text's own get names that no text can write, so they cannot take the place of a hook of SWI-Prolog, of a
library or of the dataset's files.
*/

:- dynamic
    head/3,                         % Kind, Name, Arity; Kind is `rule` or `fact`
    body/2,                         % Name, Arity
    more/2,                         % Name, Arity: known as well, and a text may define it for itself
    constant/1,                     % Value
    secret/2,                       % Name, Arity: predicates that hold labels or ask for them
    allowed/1.                      % forall, arithmetic, lists, clauses(Most)

%!  set_language(+Words:list, +Allowed:list) is det.
%
%   Words are [head, Kind, Name, Arity], [body, Name, Arity], [more, Name, Arity], [constant, Value] and [secret, Name, Arity];
%   what else is allowed is a list of `forall`, `arithmetic`, `lists`, clauses(Most).

set_language(Words, Allowed) :-
    must_be(list, Words),
    must_be(list, Allowed),
    retractall(head(_, _, _)),
    retractall(body(_, _)),
    retractall(more(_, _)),
    retractall(constant(_)),
    retractall(secret(_, _)),
    retractall(allowed(_)),
    forall(member([Kind|Parts], Words), ( Fact =.. [Kind|Parts], assertz(Fact) )),
    forall(member(One, Allowed), assertz(allowed(One))).

%!  read_program(+Text:text, -Program) is det.
%
%   Program is program(Clauses, Tabled, Literals): clauses for the module `mine`, the predicates that must be tabled because they
%   call themselves, and how many literals the text has, heads among them.
%
%   @throws hornbeam_unfit(Line, Kind, Message)

read_program(Text, program(Clauses, Tabled, Literals)) :-
    most_clauses(Most),
    terms(Text, Most, Terms),
    (   Terms == []
    ->  unfit(1, empty, 'there is no clause', [])
    ;   true
    ),
    foldl(own_head, Terms, [], Own),
    (   member(Name/Arity, Own),
        head(_, Name, Arity)
    ->  true
    ;   targets(Targets),
        unfit(1, 'no target', 'no clause defines ~w', [Targets])
    ),
    maplist(checked(Own), Terms, Checked),
    findall(Clause, member(c(Clause, _), Checked), Clauses),
    findall(Calls, member(c(_, Calls), Checked), AllCalls),
    stratified(AllCalls),
    recursive(AllCalls, Checked, Tabled),
    foldl(counted, AllCalls, 0, Literals).

counted(calls(_, _, Size), Sum0, Sum) :- Sum is Sum0+Size.

most_clauses(Most) :-
    (   allowed(clauses(Some))
    ->  Most = Some
    ;   Most = inf
    ).

targets(Text) :-
    findall(Name/Arity, head(_, Name, Arity), All),
    (   All = [A, B, C, _|_]
    ->  format(atom(Text), '~q, ~q, ~q, ...', [A, B, C])
    ;   format(atom(Text), '~q', [All])
    ).

% Heads --------------------------------------------------------------------------------------------------------------

own_head(t(Line, Term, _), Own0, Own) :-
    clause_parts(Term, Line, Head, _),
    head_indicator(Head, Line, Name, Arity),
    (   memberchk(Name/Arity, Own0)
    ->  Own = Own0
    ;   Own = [Name/Arity|Own0]
    ).

clause_parts(Term, Line, _, _), var(Term) => unfit(Line, syntax, 'a variable is no clause', []).
clause_parts((:- _), Line, _, _)  => unfit(Line, directive, 'directives are not allowed', []).
clause_parts((?- _), Line, _, _)  => unfit(Line, directive, 'queries are not allowed', []).
clause_parts((_ --> _), Line, _, _) => unfit(Line, control, 'grammar rules are not allowed', []).
clause_parts((_ => _), Line, _, _) => unfit(Line, control, 'rules with => are not allowed', []).
clause_parts((Head0 :- Body0), _, Head, Body) => Head = Head0, Body = Body0.
clause_parts(Fact, _, Head, Body) => Head = Fact, Body = true.

head_indicator(Head, Line, _, _), var(Head) => unfit(Line, syntax, 'the head of a clause is a variable', []).
head_indicator(_:_, Line, _, _) => unfit(Line, module, 'names of modules are not allowed', []).
head_indicator(Head, Line, Name, Arity), callable(Head), \+ is_list(Head) =>
    indicator(Head, Name, Arity),
    admitted_head(Name, Arity, Head, Line).
head_indicator(Head, Line, _, _) => unfit(Line, syntax, '~W is no clause', [Head, [quoted(true), max_depth(5)]]).

indicator(Term, Name, Arity) :-
    (   compound(Term)
    ->  compound_name_arity(Term, Name, Arity)
    ;   Name = Term,
        Arity = 0
    ).

admitted_head(Name, Arity, _, _), head(_, Name, Arity) => true.
admitted_head(Name, Arity, _, Line), body(Name, Arity) =>
    unfit(Line, background, '~q is background knowledge: a theory may not define it', [Name/Arity]).
admitted_head(Name, Arity, _, _), more(Name, Arity) => true.
admitted_head(Name, Arity, _, Line), secret(Name, Arity) =>
    unfit(Line, reserved, '~q belongs to the dataset: a theory may not define it', [Name/Arity]).
admitted_head(Name, Arity, _, Line), hook(Name, Arity) =>
    unfit(Line, reserved, '~q is a hook of SWI-Prolog: a theory may not define it', [Name/Arity]).
admitted_head(Name, Arity, Head, Line), predicate_property(system:Head, defined), \+ harmless(Name, Arity) =>
    unfit(Line, reserved, '~q is built in: a theory may not define it', [Name/Arity]).
admitted_head(Name, Arity, _, Line), foreign_letters(Name) =>
    unfit(Line, 'look-alike', '~q has letters that are not ASCII', [Name/Arity]).
admitted_head(Name, Arity, _, Line), \+ plain_name(Name) =>
    unfit(Line, reserved, '~q: a name of one\'s own has letters, digits and _ only', [Name/Arity]).
admitted_head(Name, Arity, _, Line), near_target(Name, Arity, Target) =>
    unfit(Line, 'no target', '~q is not what is asked for, which is ~q', [Name/Arity, Target]).
admitted_head(_, _, _, _) => true.

%   Names that SWI-Prolog happens to have, and models write as their own.

harmless(succ_or_zero, 1).
harmless(succ_throw, 0).
harmless(apropos, 1).

hook(term_expansion, _).
hook(goal_expansion, _).
hook(user, _).
hook(portray, _).
hook(message_hook, _).
hook(prolog_load_file, _).
hook(exception, 3).
hook(initialization, _).

%   The right name with another number of arguments.

near_target(Name, Arity, Name/Other) :-
    head(rule, Name, Other),
    Other \== Arity,
    !.

foreign_letters(Name) :-
    atom_codes(Name, Codes),
    member(Code, Codes),
    Code > 126,
    !.

plain_name(Name) :-
    atom(Name),
    atom_codes(Name, [First|Rest]),
    code_type(First, lower),
    First < 127,
    forall(member(Code, Rest), ( Code < 127, code_type(Code, csym) )).

% Clauses ------------------------------------------------------------------------------------------------------------

%   Each clause as it is loaded, and calls(Name/Arity, Calls, Size): a call is Sign-Name/Arity.

checked(Own, t(Line, Term, _), c(Clause, calls(Name/Arity, Calls, Size))) :-
    clause_parts(Term, Line, Head0, Body0),
    indicator(Head0, Name, Arity),
    own_name(Name, Arity, Own, Own1),
    arguments(Head0, Arguments),
    maplist(argument(Line), Arguments),
    fact_only(Name, Arity, Arguments, Body0, Line),
    Head =.. [Own1|Arguments],
    goal(Body0, Body, ctx(Own, Line), +, Calls, []),
    length(Calls, Count),
    Size is Count+1,
    (   Body == true
    ->  Clause = Head
    ;   Clause = (Head :- Body)
    ).

arguments(Head, Arguments) :-
    (   compound(Head)
    ->  compound_name_arguments(Head, _, Arguments)
    ;   Arguments = []
    ).

fact_only(Name, Arity, Arguments, Body, Line) :-
    (   head(fact, Name, Arity),
        \+ ( ground(Arguments), Body == true )
    ->  unfit(Line, control, '~q is a table: write it as facts', [Name/Arity])
    ;   true
    ).

own_name(Name, Arity, _, Name) :-
    head(_, Name, Arity),
    !.
own_name(Name, _, _, Own) :-
    atom_concat('helper ', Name, Own).

goal(Goal, _, ctx(_, Line), _, _, _), var(Goal) =>
    unfit(Line, meta, 'a variable is called as a goal', []).
goal((A0, B0), Goal, Ctx, Sign, Calls, Rest) =>
    goal(A0, A, Ctx, Sign, Calls, Calls1),
    goal(B0, B, Ctx, Sign, Calls1, Rest),
    Goal = (A, B).
goal((If ; _), _, ctx(_, Line), _, _, _), nonvar(If), ( If = (_ -> _) ; If = (_ *-> _) ) =>
    unfit(Line, control, 'if-then-else is not allowed', []).
goal((A0 ; B0), Goal, Ctx, Sign, Calls, Rest) =>
    goal(A0, A, Ctx, Sign, Calls, Calls1),
    goal(B0, B, Ctx, Sign, Calls1, Rest),
    Goal = (A ; B).
goal(\+ A0, Goal, Ctx, _, Calls, Rest) =>
    goal(A0, A, Ctx, -, Calls, Rest),
    Goal = (\+ A).
goal(not(A0), Goal, Ctx, _, Calls, Rest) =>
    goal(A0, A, Ctx, -, Calls, Rest),
    Goal = (\+ A).
goal(forall(A0, B0), Goal, Ctx, _, Calls, Rest), allowed(forall) =>
    goal(A0, A, Ctx, -, Calls, Calls1),
    goal(B0, B, Ctx, -, Calls1, Rest),
    Goal = forall(A, B).
goal(true, Goal, _, _, Calls, Rest) => Goal = true, Rest = Calls.
goal(fail, Goal, _, _, Calls, Rest) => Goal = fail, Rest = Calls.
goal(false, Goal, _, _, Calls, Rest) => Goal = fail, Rest = Calls.
goal(!, _, ctx(_, Line), _, _, _) =>
    unfit(Line, cut, 'cuts are not allowed', []).
goal(_:_, _, ctx(_, Line), _, _, _) =>
    unfit(Line, module, 'names of modules are not allowed', []).
goal(Test, Goal, ctx(_, Line), Sign, Calls, Rest), comparison(Test, A, B) =>
    argument(Line, A),
    argument(Line, B),
    Goal = Test,
    Calls = [Sign-test|Rest].
goal(Test, Goal, ctx(_, Line), Sign, Calls, Rest), allowed(arithmetic), sum(Test, A, B) =>
    expression(A, Line),
    expression(B, Line),
    bounded(Test, Goal),
    Calls = [Sign-test|Rest].
goal(Atom, Goal, Ctx, Sign, Calls, Rest), callable(Atom) =>
    indicator(Atom, Name, Arity),
    Ctx = ctx(Own, Line),
    callee(Name, Arity, Own, Line, Atom, Callee),
    arguments(Atom, Arguments),
    maplist(argument(Line), Arguments),
    Goal =.. [Callee|Arguments],
    Calls = [Sign-(Name/Arity)|Rest].
goal(Goal, _, ctx(_, Line), _, _, _) =>
    unfit(Line, syntax, '~W is no goal', [Goal, [quoted(true), max_depth(5)]]).

comparison(A = B, A, B).
comparison(A \= B, A, B).
comparison(A == B, A, B).
comparison(A \== B, A, B).
comparison(dif(A, B), A, B).

sum(A is B, A, B).
sum(A < B, A, B).
sum(A > B, A, B).
sum(A =< B, A, B).
sum(A >= B, A, B).
sum(A =:= B, A, B).
sum(A =\= B, A, B).

%   Sums only, and small ones: no text can make numbers that take long.

bounded(X is Sum, Goal) => Goal = (X is Sum, X < 1_000_000, X > -1_000_000).
bounded(Test, Goal) => Goal = Test.

expression(Term, _), var(Term) => true.
expression(Term, _), integer(Term), abs(Term) < 1000 => true.
expression(A + B, Line) => expression(A, Line), expression(B, Line).
expression(A - B, Line) => expression(A, Line), expression(B, Line).
expression(A mod B, Line) => expression(A, Line), expression(B, Line).
expression(Term, Line) =>
    unfit(Line, arithmetic, '~W is not among the sums that are allowed', [Term, [quoted(true), max_depth(5)]]).

%   What a goal calls. What is refused is named as closely as it can be.

callee(Name, Arity, _, _, _, Callee), head(fact, Name, Arity) => Callee = Name.
callee(Name, Arity, _, _, _, Callee), head(rule, Name, Arity) => Callee = Name.
callee(Name, Arity, _, _, _, Callee), body(Name, Arity) => Callee = Name.
callee(Name, Arity, Own, _, _, Callee), memberchk(Name/Arity, Own) =>
    own_name(Name, Arity, Own, Callee).
callee(Name, Arity, _, _, _, Callee), more(Name, Arity) => Callee = Name.
callee(Name, Arity, _, Line, _, _), secret(Name, Arity) =>
    unfit(Line, label, '~q holds or tells labels: a theory may not call it', [Name/Arity]).
callee(Name, Arity, _, Line, _, _), secret(Name, _) =>
    unfit(Line, label, '~q holds or tells labels: a theory may not call it', [Name/Arity]).
callee(Name, Arity, _, Line, Atom, _), impure_goal(Atom, _) =>
    unfit(Line, state, '~q keeps a state, looks at the clock or catches a limit: a theory may not call it', [Name/Arity]).
callee(Name, Arity, _, Line, _, _), control(Name, Arity) =>
    unfit(Line, control, '~q is not allowed', [Name/Arity]).
callee(Name, Arity, _, Line, Atom, _), \+ \+ meta(Atom) =>
    unfit(Line, meta, '~q calls other goals: a theory may not call it', [Name/Arity]).
callee(Name, Arity, _, Line, _, _), order(Name, Arity) =>
    unfit(Line, order, '~q depends on names or their order: a theory may not call it', [Name/Arity]).
callee(Name, Arity, _, Line, _, _), sum_name(Name, Arity) =>
    unfit(Line, arithmetic, 'arithmetic is not allowed here: ~q', [Name/Arity]).
callee(Name, Arity, _, Line, Atom, _), predicate_property(system:Atom, defined) =>
    unfit(Line, 'built-in', '~q is not among the predicates that are allowed', [Name/Arity]).
callee(Name, Arity, _, Line, _, _), foreign_letters(Name) =>
    unfit(Line, 'look-alike', '~q has letters that are not ASCII', [Name/Arity]).
callee(Name, Arity, _, Line, _, _) =>
    unfit(Line, undefined, '~q is neither allowed nor defined', [Name/Arity]).

control(->, 2).
control(*->, 2).
control(forall, 2).

meta(Atom) :-
    predicate_property(system:Atom, meta_predicate(_)).
meta(Atom) :-
    functor(Atom, call, _).

order(@<, 2).
order(@>, 2).
order(@=<, 2).
order(@>=, 2).
order(compare, 3).
order(atom_codes, 2).
order(atom_chars, 2).
order(atom_length, 2).
order(atom_concat, 3).
order(atom_number, 2).
order(char_code, 2).
order(sub_atom, 5).
order(term_to_atom, 2).
order(name, 2).

sum_name(Name, Arity) :-
    functor(Goal, Name, Arity),
    sum(Goal, _, _).

% Terms --------------------------------------------------------------------------------------------------------------

argument(_, Term), var(Term) => true.
argument(_, Term), atomic(Term), constant(Term) => true.
argument(Line, Term), string(Term) =>
    unfit(Line, string, 'strings are not allowed', []).
argument(_, []), allowed(lists) => true.
argument(Line, [Head|Tail]), allowed(lists) =>
    argument(Line, Head),
    list_tail(Line, Tail).
argument(Line, Term), number(Term) =>
    unfit(Line, constant, 'the number ~w is not allowed', [Term]).
argument(Line, Term), atom(Term), foreign_letters(Term) =>
    unfit(Line, 'look-alike', 'the constant ~q has letters that are not ASCII', [Term]).
argument(Line, Term), atom(Term) =>
    unfit(Line, constant, 'the constant ~q is not allowed: names of samples, persons and nodes change', [Term]).
argument(Line, Term) =>
    unfit(Line, term, 'the term ~W is not allowed: arguments are variables and constants', [Term, [quoted(true), max_depth(5)]]).

list_tail(_, Tail), var(Tail) => true.
list_tail(_, []) => true.
list_tail(Line, [Head|Tail]) => argument(Line, Head), list_tail(Line, Tail).
list_tail(Line, _) => unfit(Line, term, 'a list has another end than []', []).

%!  table_fact(+Fact) is semidet.
%
%   A text may say Fact, and it is part of a table.

table_fact(Fact) :-
    compound_name_arguments(Fact, Name, Arguments),
    length(Arguments, Arity),
    head(fact, Name, Arity),
    forall(member(Argument, Arguments), ( atomic(Argument), constant(Argument) )).

% Recursion ----------------------------------------------------------------------------------------------------------

%   Predicates that call themselves, and whose clauses make no lists and no numbers: such a recursion may loop, and what it finds is
%   finite.

recursive(AllCalls, Checked, Tabled) :-
    self_calling(AllCalls, Found),
    findall(Name/Arity,
            ( member(Own/Arity, Found),
              own_name(Own, Arity, [], Name),
              \+ ( member(c(Clause, calls(Own/Arity, _, _)), Checked), makes_terms(Clause) )
            ),
            Tabled).

:- module(hornbeam_lff_cover,
          [ positives/5,            % +Task, +Literals, +Among, +Limit, -Numbers
            negatives/5,            % +Task, +Literals, +Among, +Limit, -Numbers
            some_negative/4,        % +Task, +Literals, +Limit, -Number
            implied/5,              % +Task, +Literals, +Literal, +Limit, -Answer
            unanswerable/4,         % +Task, +Literals, +Limit, -Answer
            body/4,                 % +Literals, +Data, ?Frame, -Body
            warm_up/1,              % +Program
            rows/6                  % +Program, +Name, +Arity, +Inferences, +Most, -Rows
          ]).
% Loaded now: a library that is loaded when it is first called would use up the inferences of a test.
:- use_module(library(lists), [member/2, memberchk/2]).
:- autoload(library(error), [must_be/2]).

/** <module> What a rule covers

A task is `task(Data, Program)`: two modules. Program is the background. Data holds the examples and the literals of the
language as facts over one frame, a term `v(V0, V1, ...)` with a variable for each variable of a rule:

    positive(Number, Frame)     the head's variables are bound to those of the example
    negative(Number, Frame)
    literal(Number, Frame, Goal)

so that a rule is a list of literal numbers in the order in which they are called, and putting it together is unification.
Every test has a limit on inferences: its outcome is the same on every machine. A goal that raises an error for an
example does not cover it.
*/

%!  positives(+Task, +Literals, +Among, +Limit, -Numbers) is det.
%
%   Numbers are the positive examples that a rule covers, of those Among (a list, or `all`), in their order. It is the atom
%   `limit` where Limit inferences did not suffice.

positives(task(Data, Program), Literals, Among, Limit, Numbers) :-
    covered(positive, Data, Program, Literals, Among, Limit, Numbers).

%!  negatives(+Task, +Literals, +Among, +Limit, -Numbers) is det.
%
%   The same for negative examples.

negatives(task(Data, Program), Literals, Among, Limit, Numbers) :-
    covered(negative, Data, Program, Literals, Among, Limit, Numbers).

covered(Kind, Data, Program, Literals, Among, Limit, Numbers) :-
    body(Literals, Data, Frame, Body),
    example(Among, Kind, Data, Number, Frame, Example),
    limited(findall(Number, ( Example, ( Program:Body -> true ) ), Numbers),
            findall(Number, ( Example, quietly(Program:Body) ), Numbers),
            Limit, Numbers).

example(all, Kind, Data, Number, Frame, Data:Goal) :-
    !,
    Goal =.. [Kind, Number, Frame].
example(Among, Kind, Data, Number, Frame, ( member(Number, Among), Data:Goal )) :-
    Goal =.. [Kind, Number, Frame].

%!  some_negative(+Task, +Literals, +Limit, -Number) is det.
%
%   Number is the first negative example that a rule covers, or `none`, or `limit`.

some_negative(task(Data, Program), Literals, Limit, Number) :-
    body(Literals, Data, Frame, Body),
    limited(first(Found, ( Data:negative(Found, Frame), Program:Body ), Number),
            first(Found, ( Data:negative(Found, Frame), quietly(Program:Body) ), Number),
            Limit, Number).

%!  implied(+Task, +Literals, +Literal, +Limit, -Answer) is det.
%
%   Answer is `yes` if for no negative example there are values for which Literals hold and Literal does not: then taking
%   Literal away from a rule with Literals costs no negative example. It is `no` if there are, and `limit` if that is not
%   known.

implied(task(Data, Program), Literals, Literal, Limit, Answer) :-
    body(Literals, Data, Frame, Body),
    Data:literal(Literal, Frame, Goal),
    limited(unless(( Data:negative(_, Frame), Program:Body, Program:( \+ Goal ) ), Answer),
            Answer = limit,
            Limit, Answer).

%!  unanswerable(+Task, +Literals, +Limit, -Answer) is det.
%
%   Answer is `yes` if the literals have no answer at all, whatever the head: no rule may have them. Else `no` or `limit`.

unanswerable(task(Data, Program), Literals, Limit, Answer) :-
    body(Literals, Data, _, Body),
    limited(unless(Program:Body, Answer), Answer = limit, Limit, Answer).

:- meta_predicate first(?, 0, -), unless(0, -), quietly(0), limited(0, 0, +, ?).

first(Template, Goal, Number) :-
    (   call(Goal)
    ->  Number = Template
    ;   Number = none
    ).

unless(Goal, Answer) :-
    (   call(Goal)
    ->  Answer = no
    ;   Answer = yes
    ).

quietly(Goal) :-
    catch(Goal, error(_, _), fail),
    !.

%   Goal under a limit; where it raises an error the slower Careful is run instead.

limited(Goal, Careful, Limit, Result) :-
    catch(call_with_inference_limit(Goal, Limit, Outcome), error(_, _), Outcome = error),
    (   Outcome == error
    ->  call_with_inference_limit(Careful, Limit, Again),
        exceeded(Again, Result)
    ;   exceeded(Outcome, Result)
    ).

exceeded(inference_limit_exceeded, Result) :-
    !,
    Result = limit.
exceeded(_, _).

%!  body(+Literals:list(integer), +Data:atom, ?Frame, -Body) is semidet.
%
%   Body is the conjunction of the literals over Frame. Fails for a number that Data has no literal of.

body([], _, _, true).
body([Number], Data, Frame, Goal) :-
    !,
    Data:literal(Number, Frame, Goal).
body([Number|Numbers], Data, Frame, ( Goal, Goals )) :-
    Data:literal(Number, Frame, Goal),
    body(Numbers, Data, Frame, Goals).

%!  warm_up(+Program) is det.
%
%   Load the libraries that the rules of Program call. Otherwise the first test that needs one would pay for it with its
%   inferences.

warm_up(Program) :-
    forall(( current_predicate(_, Program:Head),
             \+ predicate_property(Program:Head, imported_from(_)),
             predicate_property(Program:Head, number_of_rules(Rules)),
             Rules > 0,
             clause(Program:Head, Body),
             called(Body, Goal) ),
           load_now(Program, Goal)).

load_now(Program, Goal) :-
    (   predicate_property(Program:Goal, defined)
    ->  true
    ;   predicate_property(Program:Goal, autoload(File))
    ->  functor(Goal, Name, Arity),
        Program:use_module(File, [Name/Arity])
    ;   true
    ).

called(Goal, _) :-
    var(Goal),
    !,
    fail.
called(Goal, Called) :-
    control(Goal, Parts),
    !,
    member(Part, Parts),
    called(Part, Called).
called(Goal, Goal) :-
    callable(Goal).

control((A, B), [A, B]).
control((A ; B), [A, B]).
control((A -> B), [A, B]).
control((A *-> B), [A, B]).
control(\+ A, [A]).
control(once(A), [A]).
control(forall(A, B), [A, B]).
control(findall(_, A, _), [A]).

% Tables -----------------------------------------------------------------------------------------------------------

%!  rows(+Program, +Name, +Arity, +Inferences, +Most, -Rows) is det.
%
%   Rows are all answers of a predicate called with nothing bound, as lists of arguments, sorted. It is the atom `none`
%   where these may not be all there is to know of it (see declarative/3), or are not finitely many ground ones that are
%   found with so many Inferences, or are more than Most.

rows(Program, Name, Arity, Inferences, Most, Rows) :-
    must_be(nonneg, Arity),
    length(Arguments, Arity),
    Goal =.. [Name|Arguments],
    declarative(Goal, Program, []),
    Bound is Most + 1,
    catch(call_with_inference_limit(
              findnsols(Bound, Arguments, Program:Goal, Found), Inferences, Outcome),
          error(_, _), Outcome = error),
    !,
    (   memberchk(Outcome, [!, true]),
        length(Found, Count),
        Count =< Most,
        ground(Found)
    ->  sort(Found, Rows)
    ;   Rows = none
    ).
rows(_, _, _, _, _, none).

%!  declarative(+Goal, +Program, +Above) is semidet.
%
%   True if what Goal answers does not depend on what is bound when it is called: it is defined by clauses of Program that
%   call nothing but the like, and builtins that raise an error where too little is bound. A test such as integer/1, a
%   negation or a cut would fail instead. Above has the goals whose clauses are being looked at.

declarative(Goal, _, _) :-
    harmless(Goal),
    !.
declarative((A, B), Program, Above) :-
    !,
    declarative(A, Program, Above),
    declarative(B, Program, Above).
declarative((A ; B), Program, Above) :-
    !,
    A \= (_ -> _),
    A \= (_ *-> _),
    declarative(A, Program, Above),
    declarative(B, Program, Above).
declarative(Goal, Program, Above) :-
    callable(Goal),
    functor(Goal, Name, Arity),
    (   memberchk(Name/Arity, Above)
    ->  true
    ;   functor(General, Name, Arity),
        \+ predicate_property(Program:General, imported_from(_)),
        \+ predicate_property(Program:General, built_in),
        predicate_property(Program:General, defined),
        forall(rule_body(Program, General, Body), declarative(Body, Program, [Name/Arity|Above]))
    ).

% Facts are passed over: a predicate of facts alone may have very many.
rule_body(Program, Head, Body) :-
    predicate_property(Program:Head, number_of_rules(Rules)),
    Rules > 0,
    clause(Program:Head, Body),
    Body \== true.

harmless(Goal) :-
    nonvar(Goal),
    memberchk(Goal, [true, _ = _, _ < _, _ > _, _ =< _, _ >= _, _ =:= _, _ =\= _, _ is _, between(_, _, _), member(_, _)]).

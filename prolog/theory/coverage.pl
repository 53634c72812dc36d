:- module(hornbeam_theory_coverage,
          [ coverage/4,             % :Clauses, +Examples, +Limits, -Results
            confusion/4,            % :Clauses, +Positive, +Negative, -Counts
            recursive_predicates/2  % +Clauses, -Indicators
          ]).
:- use_module(reading, [theory_clause/3]).
:- use_module('../limits', [call_limited/2]).
:- autoload(library(apply), [maplist/3, include/3]).
:- autoload(library(error), [must_be/2]).
:- autoload(library(lists), [member/2]).
:- autoload(library(modules), [in_temporary_module/3]).
:- autoload(library(ugraphs), [vertices_edges_to_ugraph/3, transitive_closure/2]).

/** <module> Which examples a theory covers

    ?- [background].
    ?- coverage([(even(X) :- zero(X)), (even(X) :- even(Z), succ(Z,Y), succ(Y,X))], [even(2), even(3)],
                [-(inferences, 100000)], Results).
    Results = [covered, not_covered].

The clauses are Prolog, called as such; what they stand on is what the calling module sees. Each example has limits of its own,
so that one which loops costs itself only. Recursive predicates without compound terms are tabled.
*/

:- meta_predicate
    coverage(:, +, +, -),
    confusion(:, +, +, -).

%!  coverage(:Clauses, +Examples, +Limits, -Results) is det.
%
%   Limits is a list of `-(Kind, Number)` as in call_limited/2. A result is covered, not_covered, or failed(Error).

coverage(Context:Clauses, Examples, Limits, Results) :-
    must_be(list, Clauses),
    must_be(list, Examples),
    in_temporary_module(
        Module,
        hornbeam_theory_coverage:fill(Context, Module, Clauses),
        hornbeam_theory_coverage:judge(Examples, Module, Limits, Results)).

fill(Context, Module, Clauses) :-
    add_import_module(Module, Context, start),
    recursive_predicates(Clauses, Recursive),
    forall(member(Indicator, Recursive), table(Module:Indicator)),
    forall(member(Clause, Clauses), assertz(Module:Clause)).

judge(Examples, Module, Limits, Results) :-
    maplist(judge_one(Module, Limits), Examples, Results).

judge_one(Module, Limits, Example, Result) :-
    catch(( call_limited(once(Module:Example), Limits)
          ->  Result = covered
          ;   Result = not_covered
          ),
          Error, failed(Error, Result)).

failed(Error, Result) :-
    (   interruption(Error)
    ->  throw(Error)
    ;   Result = failed(Error)
    ).

interruption('$aborted').
interruption(unwind(abort)).
interruption(unwind(keyboard_interrupt)).

%!  confusion(:Clauses, +Positive, +Negative, -Counts:dict) is det.
%
%   Counts has the keys tp, fn, fp, tn and undecided, each example limited to a million inferences.

confusion(Clauses, Positive, Negative, counts{tp:TP, fn:FN, fp:FP, tn:TN, undecided:Undecided}) :-
    Limits = [-(inferences, 1 000 000)],
    coverage(Clauses, Positive, Limits, Results1),
    coverage(Clauses, Negative, Limits, Results2),
    maplist(count(Results1), [covered, not_covered], [TP, FN]),
    maplist(count(Results2), [covered, not_covered], [FP, TN]),
    length(Positive, Count1),
    length(Negative, Count2),
    Undecided is Count1+Count2-TP-FN-FP-TN.

count(Results, Result, Count) :-
    include(==(Result), Results, Found),
    length(Found, Count).

%!  recursive_predicates(+Clauses, -Indicators) is det.
%
%   The predicates that call themselves, directly or through others, and whose clauses build no terms: those that tabling makes
%   end. A list program that walks down its list ends by itself.

recursive_predicates(Clauses, Indicators) :-
    findall(Head-Called, calls(Clauses, Head, Called), Edges),
    vertices_edges_to_ugraph([], Edges, Graph),
    transitive_closure(Graph, Closure),
    findall(Name/Arity,
            ( member((Name/Arity)-Called, Closure),
              member(Name/Arity, Called),
              \+ builds(Clauses, Name/Arity)
            ),
            Indicators0),
    sort(Indicators0, Indicators).

calls(Clauses, Name/Arity, Called/CalledArity) :-
    member(Clause, Clauses),
    theory_clause(Clause, Head, Literals),
    functor(Head, Name, Arity),
    member(Literal, Literals),
    (   Literal = (\+ Atom)
    ->  true
    ;   Atom = Literal
    ),
    functor(Atom, Called, CalledArity).

builds(Clauses, Name/Arity) :-
    member(Clause, Clauses),
    theory_clause(Clause, Head, Literals),
    functor(Head, Name, Arity),
    member(Atom, [Head|Literals]),
    compound(Atom),
    arg(_, Atom, Argument),
    compound(Argument),
    !.

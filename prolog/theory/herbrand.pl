:- module(hornbeam_theory_herbrand,
          [ herbrand_model/3,       % +Clauses, +Facts, -Model
            herbrand_scores/4,      % +True, +Learned, +Facts, -Scores
            with_model/4,           % +Clauses, +Facts, -Model, :Goal
            holds_in/2,             % +Model, ?Atom
            given_in/2,             % +Model, ?Atom
            literal_in/2            % +Model, ?Literal
          ]).
:- use_module(reading, [theory_clause/3]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(error), [must_be/2, domain_error/2]).
:- autoload(library(lists), [member/2, memberchk/2, append/2]).
:- autoload(library(modules), [in_temporary_module/3]).
:- autoload(library(ordsets), [ord_subtract/3, ord_intersection/3]).

/** <module> Least Herbrand models of datalog, by tabling

    ?- herbrand_model([(p(X,Y) :- e(X,Y)), (p(X,Z) :- p(X,Y), e(Y,Z))], [e(a,b), e(b,c)], Model).
    Model = [e(a, b), e(b, c), p(a, b), p(a, c), p(b, c)].

Every predicate of the clauses is renamed and tabled in a module of its own, so that left recursion ends and no clause
reaches a built-in of SWI-Prolog by its name: besides predicates, bodies may hold negations, (in)equalities and comparisons
of numbers. A variable of the head that the body does not bind ranges over all constants.
*/

:- meta_predicate with_model(+, +, -, 0).

%!  with_model(+Clauses, +Facts, -Model, :Goal) is semidet.
%
%   Call Goal once with Model bound to a handle for holds_in/2. The model is worked out as far as it is asked for.
%
%   @error domain_error(datalog_literal, Literal) if a body holds what datalog has not.

with_model(Clauses, Facts, Model, Goal) :-
    must_be(list, Clauses),
    must_be(list, Facts),
    constants(Clauses-Facts, Domain),
    in_temporary_module(
        Module,
        hornbeam_theory_herbrand:fill(Module, Clauses, Facts, Domain),
        hornbeam_theory_herbrand:run(model(Module), Model, Goal)).

run(Model, Model, Goal) :-
    call(Goal),
    !.

%   Predicate p is ~p inside, and the given facts of it are those of +p.

fill(Module, Clauses, Facts, Domain) :-
    set_prolog_flag(Module:unknown, fail),
    maplist(inner_clause(Domain), Clauses, Inner),
    findall(Name/Arity, ( member((Head :- _), Inner), functor(Head, Name, Arity) ), Heads0),
    sort(Heads0, Heads),
    forall(member(Indicator, Heads), table(Module:Indicator)),
    forall(member(Fact, Facts), ( marked(+, Fact, Given), assertz(Module:Given) )),
    findall(Name/Arity, ( member(Fact, Facts), functor(Fact, Name, Arity) ), Given0),
    sort(Given0, Given),
    forall(( member(Name/Arity, Given), functor(Atom, Name, Arity) ),
           ( marked(~, Atom, Head),
             marked(+, Atom, Fact),
             assertz(Module:(Head :- Fact))
           )),
    forall(member(Clause, Inner), assertz(Module:Clause)).

marked(Mark, Atom, Marked) :-
    must_be(callable, Atom),
    (   atom(Atom)
    ->  atom_concat(Mark, Atom, Marked)
    ;   compound_name_arguments(Atom, Name, Arguments),
        atom_concat(Mark, Name, MarkedName),
        compound_name_arguments(Marked, MarkedName, Arguments)
    ).

inner_clause(Domain, Clause, (Head :- Body)) :-
    copy_term(Clause, Copy),
    theory_clause(Copy, Head0, Literals0),
    marked(~, Head0, Head),
    maplist(inner_literal, Literals0, Literals1),
    unbound_variables(Head0, Literals0, Free),
    maplist(ranging(Domain), Free, Ranges),
    tests_last(Literals1, Literals2),
    append([Ranges, Literals2], Literals),
    conjunction(Literals, Body).

conjunction([], true).
conjunction([Literal|Literals], (Literal, Body)) :-
    conjunction(Literals, Body).

unbound_variables(Head, Literals, Free) :-
    include_binding(Literals, Binding),
    term_variables(Binding, Bound),
    term_variables(Head-Literals, All),
    exclude_bound(All, Bound, Free).

include_binding([], []).
include_binding([Literal|Literals], Binding) :-
    (   binds(Literal)
    ->  Binding = [Literal|Rest]
    ;   Binding = Rest
    ),
    include_binding(Literals, Rest).

%   An equation binds what its other side has, so it counts as binding: X = a, or X = Y beside q(Y).
binds(Literal) :-
    \+ negative(Literal, _),
    \+ ( test(Literal), Literal \= (_ = _), Literal \= (_ is _) ).

exclude_bound([], _, []).
exclude_bound([Variable|Variables], Bound, Free) :-
    (   member(Other, Bound),
        Other == Variable
    ->  Free = Rest
    ;   Free = [Variable|Rest]
    ),
    exclude_bound(Variables, Bound, Rest).

ranging(Domain, Variable, hornbeam_theory_herbrand:constant_of(Variable, Domain)).

%!  constant_of(?Constant, +Domain) is nondet.

constant_of(Constant, Domain) :-
    member(Constant, Domain).

inner_literal(Literal, hornbeam_theory_herbrand:fails) :-
    memberchk(Literal, [fail, false]),
    !.
inner_literal(Literal, \+ Inner) :-
    negative(Literal, Atom),
    !,
    inner_literal(Atom, Inner).
inner_literal(Literal, system:Literal) :-
    test(Literal),
    !.
inner_literal(Literal, Inner) :-
    datalog_atom(Literal),
    !,
    marked(~, Literal, Inner).
inner_literal(Literal, _) :-
    domain_error(datalog_literal, Literal).

fails :- fail.

negative(\+ Atom, Atom).
negative(not(Atom), Atom).

test(_ = _).
test(_ \= _).
test(_ == _).
test(_ \== _).
test(dif(_, _)).
test(_ < _).
test(_ > _).
test(_ =< _).
test(_ >= _).
test(_ =:= _).
test(_ =\= _).
test(_ is _).

datalog_atom(Literal) :-
    callable(Literal),
    functor(Literal, Name, Arity),
    \+ memberchk(Name/Arity, [(',')/2, (;)/2, (->)/2, (*->)/2, (:)/2, !/0, call/1, findall/3, forall/2, (=..)/2]).

%   Tests and negations come after what binds their variables.

tests_last(Literals0, Literals) :-
    split_tests(Literals0, Atoms, Equations, Tests),
    append([Atoms, Equations, Tests], Literals).

split_tests([], [], [], []).
split_tests([Literal|Literals], Atoms, Equations, Tests) :-
    (   ( Literal = system:(_ = _) ; Literal = system:(_ is _) )
    ->  Equations = [Literal|Equations1], Atoms = Atoms1, Tests = Tests1
    ;   ( Literal = system:_ ; Literal = (\+ _) )
    ->  Tests = [Literal|Tests1], Atoms = Atoms1, Equations = Equations1
    ;   Atoms = [Literal|Atoms1], Tests = Tests1, Equations = Equations1
    ),
    split_tests(Literals, Atoms1, Equations1, Tests1).

%!  holds_in(+Model, ?Atom) is nondet.
%
%   Atom is true in the model.

holds_in(model(Module), Atom) :-
    marked(~, Atom, Inner),
    call(Module:Inner).

%!  given_in(+Model, ?Atom) is nondet.
%
%   Atom is one of the facts that the model was made from.

given_in(model(Module), Atom) :-
    marked(+, Atom, Fact),
    call(Module:Fact).

%!  literal_in(+Model, ?Literal) is nondet.
%
%   Literal, an atom, a negation or a test, is true in the model.

literal_in(Model, Literal) :-
    (   negative(Literal, Atom)
    ->  \+ literal_in(Model, Atom)
    ;   test(Literal)
    ->  call(system:Literal)
    ;   holds_in(Model, Literal)
    ).

%!  herbrand_model(+Clauses, +Facts, -Model:list) is det.
%
%   Model is the sorted list of all atoms that follow, Facts included.

herbrand_model(Clauses, Facts, Model) :-
    with_model(Clauses, Facts, Handle, all_atoms(Handle, Clauses, Facts, Model)).

all_atoms(Handle, Clauses, Facts, Model) :-
    findall(Head,
            ( member(Clause, Clauses),
              theory_clause(Clause, Head0, _),
              most_general(Head0, Head)
            ),
            Heads0),
    sort(Heads0, Heads),
    findall(Head, ( member(Head, Heads), holds_in(Handle, Head) ), Derived),
    append([Facts, Derived], Atoms),
    sort(Atoms, Model).

most_general(Atom, Atom) :-
    atom(Atom),
    !.
most_general(Compound, General) :-
    compound_name_arity(Compound, Name, Arity),
    compound_name_arity(General, Name, Arity).

%!  herbrand_scores(+True, +Learned, +Facts, -Scores:dict) is det.
%
%   What Learned derives from Facts beside what True derives: counts tp, fp and fn, and h_score, precision, recall and f1.
%   Facts themselves do not count, nor do atoms of predicates that only Learned has.

herbrand_scores(True, Learned, Facts, Scores) :-
    herbrand_model(True, Facts, Model1),
    herbrand_model(Learned, Facts, Model2),
    sort(Facts, Given),
    ord_subtract(Model1, Given, Expected),
    ord_subtract(Model2, Given, Found0),
    visible(True, Facts, Indicators),
    findall(Atom, ( member(Atom, Found0), functor(Atom, Name, Arity), memberchk(Name/Arity, Indicators) ), Found),
    ord_intersection(Expected, Found, Both),
    maplist(length, [Both, Found, Expected], [TP, FoundCount, ExpectedCount]),
    FP is FoundCount-TP,
    FN is ExpectedCount-TP,
    maplist(share(TP, FP, FN), [TP/(TP+FP+FN), TP/(TP+FP), TP/(TP+FN), 2*TP/(2*TP+FP+FN)], [H, Precision, Recall, F1]),
    Scores = scores{tp:TP, fp:FP, fn:FN, h_score:H, precision:Precision, recall:Recall, f1:F1}.

% Nothing expected and nothing found is agreement; nothing right is 0, also where nothing was found.
share(0, 0, 0, _, Share) => Share = 1.0.
share(0, _, _, _, Share) => Share = 0.0.
share(_, _, _, Ratio, Share) => Share is float(Ratio).

visible(Clauses, Facts, Indicators) :-
    findall(Name/Arity,
            ( member(Clause, Clauses),
              theory_clause(Clause, Head, Literals),
              member(Literal, [Head|Literals]),
              ( negative(Literal, Atom) -> true ; Atom = Literal ),
              functor(Atom, Name, Arity)
            ;   member(Fact, Facts),
                functor(Fact, Name, Arity)
            ),
            Indicators0),
    sort(Indicators0, Indicators).

%   The Herbrand universe of datalog: all constants of facts and rules.

constants(Clauses-Facts, Constants) :-
    findall(Constant,
            ( member(Clause, Clauses),
              theory_clause(Clause, Head, Literals),
              member(Literal, [Head|Literals]),
              ( negative(Literal, Atom) -> true ; Atom = Literal ),
              argument_constant(Atom, Constant)
            ;   member(Fact, Facts),
                argument_constant(Fact, Constant)
            ),
            Constants0),
    sort(Constants0, Constants).

argument_constant(Atom, Constant) :-
    compound(Atom),
    arg(_, Atom, Constant),
    ground(Constant).

:- module(theory_rules,
          [ theory_rules/3,         % +Theory, +Task, -Rules
            atom_of/2,              % +Literal, -Atom
            true_fact_atom/2,       % +Literal, -Atom
            is_test/1,              % ?Literal
            components/2,           % +Rules, -Components
            in_component/2,         % +Literal, +Predicates
            stratified/2            % +Predicates, +Rule
          ]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).
:- use_module(library(pairs), [group_pairs_by_key/2, pairs_values/2]).
:- use_module(library(ugraphs), [vertices_edges_to_ugraph/3, transitive_closure/2]).

/** <module> The rules of a theory, and which of them come first

    ?- theory_rules(truth, 'RDG-S-3-0', Rules), components(Rules, Components).

A theory is `truth`, the rules of rules.pl, or `mine`: the clauses of module `mine`, and what it lacks is taken from `user`.
A rule is rule(Head, Literals). A literal is an atom, a negation `\+ Atom`, a test such as `X < Y`, or true_fact(Name, ...): a
fact that is true in the world. Predicates that call each other are one component; none may depend on its own negation.
*/

%!  theory_rules(+Theory, +Task, -Rules:list) is det.
%
%   Rules are rule(Head, Literals) of the true theory of Task, or of one's own theory.

theory_rules(truth, Task, Rules) :-
    findall(rule(Head, Literals),
            ( user:rule(Task, _, (Head :- Body)),
              literals(Body, Literals)
            ),
            Rules).
theory_rules(mine, _, Rules) :-
    user:theory_predicates(Known),
    own_rules(Known, Known, Own),
    background_rules(Known, Own, Background),
    append(Own, Background, Rules).

%   A theory of one predicate takes the true facts of others as background: of all that it does not define.

background_rules(Known, Own, Background) :-
    (   member(rule(_, Literals), Own),
        member(Literal, Literals),
        true_fact_atom(Literal, _)
    ->  findall(rule(Head, [Fact]),
                ( member(Name/Arity, Known),
                  functor(Head, Name, Arity),
                  \+ member(rule(Head, _), Own),
                  Head =.. [Name|Arguments],
                  Fact =.. [true_fact, Name|Arguments]
                ),
                Background)
    ;   Background = []
    ).

%   The rules of one's own for the predicates of the dataset, and for the helpers that these rules call.

own_rules([], _, []).
own_rules([Name/Arity|Todo], Known, Rules) :-
    functor(Head, Name, Arity),
    findall(rule(Head, Literals),
            ( mine:clause(Head, Body),
              literals(Body, Literals),
              \+ definition(Head, Literals)
            ),
            Own),
    (   Own == [],
        \+ own_clause(Head)
    ->  defined_by_dataset(Name/Arity)
    ;   true
    ),
    called(Own, Called),
    findall(Helper, ( member(Helper, Called), \+ memberchk(Helper, Known) ), Helpers),
    append(Known, Helpers, Known1),
    append(Todo, Helpers, Todo1),
    append(Own, Rest, Rules),
    own_rules(Todo1, Known1, Rest).

own_clause(Head) :-
    mine:clause(Head, _),
    !.

defined_by_dataset(Predicate) :-
    user:theory_predicates(Known),
    (   memberchk(Predicate, Known)
    ->  true
    ;   throw(error(existence_error(procedure, Predicate), _))
    ).

called(Rules, Called) :-
    findall(Name/Arity,
            ( member(rule(_, Literals), Rules),
              member(Literal, Literals),
              atom_of(Literal, Atom),
              functor(Atom, Name, Arity)
            ),
            Called0),
    sort(Called0, Called).

%   p(X, Y) :- fact(p, X, Y), as learned files define what they call: the facts of a world belong to every theory. The other
%   definition, p(X, Y) :- true_fact(p, X, Y), adds what the true rules derive.

definition(Head, [Fact]) :-
    Head =.. [Name|Arguments],
    Fact =.. [fact, Name|Arguments1],
    Arguments == Arguments1.

%   A body as a list; each branch of a disjunction is a list of its own.

literals(Body, Literals) :-
    branch(Body, Literals, []).

branch((A, B), Literals, Rest) :-
    !,
    branch(A, Literals, Literals1),
    branch(B, Literals1, Rest).
branch((A ; B), Literals, Rest) :-
    !,
    (   branch(A, Literals, Rest)
    ;   branch(B, Literals, Rest)
    ).
branch(true, Rest, Rest) :- !.
branch(not(Atom), [\+ Atom|Rest], Rest) :- !.
branch(Literal, [Literal|Rest], Rest).

%!  atom_of(+Literal, -Atom) is semidet.
%
%   Atom is what Literal asserts or denies. Fails for a test and for true_fact(Name, ...).

atom_of(\+ Literal, Atom) :-
    !,
    atom_of(Literal, Atom).
atom_of(Literal, Literal) :-
    \+ is_test(Literal),
    \+ true_fact_atom(Literal, _).

%!  true_fact_atom(+Literal, -Atom) is semidet.
%
%   Literal is true_fact(Name, Argument, ...), and Atom is Name(Argument, ...).

true_fact_atom(Literal, Atom) :-
    compound(Literal),
    Literal =.. [true_fact, Name|Arguments],
    atom(Name),
    Atom =.. [Name|Arguments].

%!  is_test(?Literal) is nondet.
%
%   Literal is a comparison, or never true; it has no facts.

is_test(_ = _).
is_test(_ \= _).
is_test(_ == _).
is_test(_ \== _).
is_test(dif(_, _)).
is_test(_ < _).
is_test(_ > _).
is_test(_ =< _).
is_test(_ >= _).
is_test(_ =:= _).
is_test(_ =\= _).
is_test(_ is _).
is_test(fail).
is_test(false).

%!  components(+Rules:list, -Components:list) is det.
%
%   Components are lists of rules: the predicates of one reach each other, and those come first that others need.

components(Rules, Components) :-
    findall(Head, ( member(rule(Atom, _), Rules), functor(Atom, Name, Arity), Head = Name/Arity ), Heads0),
    sort(Heads0, Heads),
    findall(Head-Callee, ( member(Rule, Rules), calls(Rule, Head, Callee) ), Edges),
    vertices_edges_to_ugraph(Heads, Edges, Graph),
    transitive_closure(Graph, Closure),
    findall(Count-Reached-rule(Head, Literals),
            ( member(rule(Head, Literals), Rules),
              functor(Head, Name, Arity),
              memberchk((Name/Arity)-Reached0, Closure),
              sort([Name/Arity|Reached0], Reached),
              length(Reached, Count)
            ),
            Keyed0),
    keysort(Keyed0, Keyed),
    group_pairs_by_key(Keyed, Groups),
    pairs_values(Groups, Components).

calls(rule(Atom, Literals), Name/Arity, Callee/CalleeArity) :-
    functor(Atom, Name, Arity),
    member(Literal, Literals),
    atom_of(Literal, Called),
    functor(Called, Callee, CalleeArity).

%!  in_component(+Literal, +Predicates:list) is semidet.
%
%   Literal asserts or denies an atom of one of Predicates (Name/Arity).

in_component(Literal, Own) :-
    atom_of(Literal, Atom),
    functor(Atom, Name, Arity),
    memberchk(Name/Arity, Own).

%!  stratified(+Predicates:list, +Rule) is det.
%
%   Rule denies no atom of Predicates, those of its own component.
%
%   @error domain_error(stratified_rule, Rule) if it does.

stratified(Own, rule(Head, Literals)) :-
    (   member(\+ Literal, Literals),
        in_component(Literal, Own)
    ->  throw(error(domain_error(stratified_rule, (Head :- \+ Literal)), _))
    ;   true
    ).

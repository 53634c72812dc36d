:- module(hornbeam_theory_subsumption,
          [ subsumes_clause/2,      % +General, +Specific
            clause_relation/3,      % +True, +Learned, -Relation
            tautology/1             % +Clause
          ]).
:- use_module(reading, [theory_clause/3]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(lists), [member/2, select/3]).

/** <module> How two clauses stand to each other

    ?- clause_relation((p(X) :- q(X, Y), r(Y)), (p(A) :- q(A, _)), Relation).
    Relation = general.

A clause is a set of literals: its head and the literals of its body, of which a negation is one. Clause C
theta-subsumes D if some substitution maps the head of C to that of D and each literal of C's body into D's body: then C
derives all that D derives. For clauses that do not call themselves the converse holds, too.
*/

%!  subsumes_clause(+General, +Specific) is semidet.
%
%   General theta-subsumes Specific. Neither is changed. The problem is NP-complete: literals with fewest partners are mapped
%   first, which settles the clauses that people and learners write.

subsumes_clause(General, Specific) :-
    copy_term(General, Copy1),
    copy_term(Specific, Copy2),
    theory_clause(Copy1, Head, Literals),
    theory_clause(Copy2, Frozen, Body),
    numbervars(Frozen-Body, 0, _, [functor_name('$frozen')]),
    \+ \+ ( Head = Frozen, map_literals(Literals, Body) ).

map_literals(Literals, Body) :-
    maplist(partners(Body), Literals, Options),
    map_options(Options).

partners(Body, Literal, Literal-Partners) :-
    findall(Partner, ( member(Partner, Body), \+ Literal \= Partner ), Partners).

map_options([]) :- !.
map_options(Options) :-
    fewest(Options, Literal-Partners, Rest),
    member(Literal, Partners),
    maplist(narrowed, Rest, Narrowed),
    map_options(Narrowed).

fewest([Option|Options], Best, Rest) :-
    Option = _-Partners,
    length(Partners, Count),
    fewest(Options, Option, Count, Best),
    select(Found, [Option|Options], Rest),
    Found == Best,
    !.

fewest([], Best, _, Best).
fewest([Option|Options], Best0, Count0, Best) :-
    Option = _-Partners,
    length(Partners, Count),
    (   Count < Count0
    ->  fewest(Options, Option, Count, Best)
    ;   fewest(Options, Best0, Count0, Best)
    ).

narrowed(Literal-Partners0, Literal-Partners) :-
    findall(Partner, ( member(Partner, Partners0), \+ Literal \= Partner ), Partners).

%!  clause_relation(+True, +Learned, -Relation) is det.
%
%   Relation is
%
%     - variant: the same up to the names of variables and the order of literals
%     - equivalent: each subsumes the other
%     - general: Learned subsumes True, so it derives more
%     - specific: True subsumes Learned
%     - different: neither.

clause_relation(True, Learned, Relation) :-
    (   subsumes_clause(Learned, True)
    ->  (   subsumes_clause(True, Learned)
        ->  (   same_size(True, Learned),
                renamed(True, Learned)
            ->  Relation = variant
            ;   Relation = equivalent
            )
        ;   Relation = general
        )
    ;   subsumes_clause(True, Learned)
    ->  Relation = specific
    ;   Relation = different
    ).

same_size(Clause1, Clause2) :-
    theory_clause(Clause1, _, Literals1),
    theory_clause(Clause2, _, Literals2),
    length(Literals1, Size),
    length(Literals2, Size).

%   A renaming that maps the one body onto the other, literal by literal.

renamed(Clause1, Clause2) :-
    copy_term(Clause1, Copy1),
    copy_term(Clause2, Copy2),
    theory_clause(Copy1, Head1, Literals1),
    theory_clause(Copy2, Head2, Literals2),
    term_variables(Head1-Literals1, Variables1),
    term_variables(Head2-Literals2, Variables2),
    same_length_lists(Variables1, Variables2),
    numbervars(Head2-Literals2, 0, _, [functor_name('$frozen')]),
    Head1 = Head2,
    permuted(Literals1, Literals2),
    sort(Variables1, Distinct),
    same_length_lists(Distinct, Variables1),
    sort(Variables2, Frozen),
    Distinct == Frozen,
    !.

same_length_lists(List1, List2) :-
    length(List1, Length),
    length(List2, Length).

permuted([], []).
permuted([Literal|Literals], Body0) :-
    select(Literal, Body0, Body),
    permuted(Literals, Body).

%!  tautology(+Clause) is semidet.
%
%   The head of Clause is a literal of its body: it derives nothing.

tautology(Clause) :-
    theory_clause(Clause, Head, Literals),
    member(Literal, Literals),
    Literal == Head,
    !.

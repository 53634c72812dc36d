:- module(clutrr_theory,
          [ theory_rule/4,      % +Theory, ?First, ?Second, ?Whole
            theory_inverse/3,   % +Theory, ?Relation, ?Inverse
            theory_relation/5,  % +Theory, ?Relation, ?Male, ?Female, ?Generation
            theory_meaning/3,   % +Theory, ?Relation, ?Expression
            theory_witnesses/4, % +Theory, +Reading, ?Relation, -Steps
            theory_link/2,      % ?Link, ?Generation
            theory_text/2,      % +Theory, -Text
            theory_clauses/2,   % +Theory, -Text
            known_packs/1       % -Packs
          ]).
:- use_module(library(apply), [foldl/4, maplist/3]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).
:- use_module(hornbeam(kb/clutrr/kinship), []).
:- use_module(hornbeam(kb/clutrr/great), []).
:- use_module(hornbeam(kb/clutrr/cousins), []).
:- use_module(hornbeam(kb/clutrr/marriage), []).
:- use_module(hornbeam(kb/clutrr/blended), []).
:- use_module(hornbeam(kb/clutrr/compat), []).
:- use_module(hornbeam(kb/clutrr/wide), []).

/** <module> Kinship theories as selections of packs

A theory is a list of packs, such as `[base]` or `[base,cousins]`, or the atom `compat` for the rules that the
paper prints. A dataset carries its own theory as a file that exports the same predicates, so that all
that reasons over a theory runs in both places unchanged.
*/

pack(base,     kinship).
pack(great,    kin_great).
pack(cousins,  kin_cousins).
pack(marriage, kin_marriage).
pack(blended,  kin_blended).

%!  known_packs(-Packs:list(atom)) is det.
%
%   The names of the packs, the base first.

known_packs(Packs) :-
    findall(Pack, pack(Pack, _), Packs).

%!  theory_relation(+Theory, ?Relation, ?Male, ?Female, ?Generation) is nondet.
%
%   Relation is known to Theory, with its two English words and its step in generations.

theory_relation(Theory, Relation, Male, Female, Generation) :-
    module_of(Theory, relations, Module),
    Module:relation(Relation, Male, Female, Generation).

%!  theory_inverse(+Theory, ?Relation, ?Inverse) is nondet.
%
%   Inverse is the inverse of Relation.

theory_inverse(Theory, Relation, Inverse) :-
    module_of(Theory, relations, Module),
    Module:inverse(Relation, Inverse).

%!  theory_meaning(+Theory, ?Relation, ?Expression) is nondet.
%
%   Expression is (one alternative of) what Relation means. A pack that gives a relation of the base a
%   meaning replaces the meaning that the base gives.

theory_meaning(Theory, Relation, Expression) :-
    module_of(Theory, relations, Module),
    Module:means(Relation, Expression),
    \+ ( Module == kinship, replaced(Theory, Relation) ).

replaced(Theory, Relation) :-
    is_list(Theory),
    memberchk(blended, Theory),
    kin_blended:means(Relation, _),
    !.

%!  theory_link(?Link, ?Generation) is nondet.
%
%   A family itself says who is the Link of whom, Generation generations older.

theory_link(Link, Generation) :-
    kinship:link(Link, Generation).

%!  theory_witnesses(+Theory, +Reading:oneof([narrow,wide]), ?Relation, -Steps:list(integer)) is nondet.
%
%   That Y is the Relation of X speaks of at most so many others: Steps has the generation of each, counted from X's, in
%   order. The wide Reading is that of kb/clutrr/wide.pl.

theory_witnesses(Theory, Reading, Relation, Steps) :-
    must_be(oneof([narrow,wide]), Reading),
    theory_relation(Theory, Relation, _, _, _),
    witnesses(Theory, Relation, Narrow),
    (   Reading == wide,
        kin_wide:means(Relation, Expression)
    ->  in_expression(Expression, Theory, Wide),
        multiset_union(Narrow, Wide, Steps)
    ;   Steps = Narrow
    ).

witnesses(Theory, Link, Steps) :-
    kinship:link(Link, _),
    !,
    (   is_list(Theory),
        memberchk(blended, Theory),
        kin_blended:comes_with(Link, Step)
    ->  Steps = [Step]
    ;   Steps = []
    ).
witnesses(Theory, Relation, Steps) :-
    findall(Speaks, ( theory_meaning(Theory, Relation, Expression), in_expression(Expression, Theory, Speaks) ), All),
    foldl(multiset_union, All, [], Steps).

% The persons between the ends of a path, and those that its steps speak of. Of all([Paths]) the steps say nothing more:
% a father and a mother are each the other parent that a parent comes with.
in_expression(path(Path), Theory, Steps) :-
    path_witnesses(Path, 0, Theory, Lists),
    between_ends(Path, Theory, 0, Between),
    append([Between|Lists], Unsorted),
    msort(Unsorted, Steps).
in_expression(all(Parts), Theory, Steps) :-
    findall(Between, ( member(path(Path), Parts), between_ends(Path, Theory, 0, Between) ), Lists),
    append(Lists, Unsorted),
    msort(Unsorted, Steps).
in_expression(except(Part, _), Theory, Steps) :-
    in_expression(Part, Theory, Steps).

path_witnesses([], _, _, []).
path_witnesses([Relation|Path], Here, Theory, [Steps|Lists]) :-
    witnesses(Theory, Relation, Own),
    maplist(plus(Here), Own, Steps),
    generation_step(Theory, Relation, Step),
    There is Here+Step,
    path_witnesses(Path, There, Theory, Lists).

between_ends([_], _, _, []) :- !.
between_ends([Relation|Path], Theory, Here, [There|Steps]) :-
    generation_step(Theory, Relation, Step),
    There is Here+Step,
    between_ends(Path, Theory, There, Steps).

generation_step(Theory, Relation, Step) :-
    (   kinship:link(Relation, Step)
    ->  true
    ;   theory_relation(Theory, Relation, _, _, Step)
    ->  true
    ).

% As often as in the one of two ordered lists in which it is more often.
multiset_union([], Others, Others) :- !.
multiset_union(Ones, [], Ones) :- !.
multiset_union([One|Ones], [Other|Others], [Least|Union]) :-
    compare(Order, One, Other),
    (   Order = (=) -> Least = One, multiset_union(Ones, Others, Union)
    ;   Order = (<) -> Least = One, multiset_union(Ones, [Other|Others], Union)
    ;   Least = Other, multiset_union([One|Ones], Others, Union)
    ).

%!  theory_rule(+Theory, ?First, ?Second, ?Whole) is nondet.
%
%   First and Second compose to Whole. Rules that name a relation of a pack outside Theory are left out, and
%   so are rules that a pack of Theory withdraws.

theory_rule(Theory, First, Second, Whole) :-
    module_of(Theory, rules, Module),
    Module:composes(First, Second, Whole),
    known(Theory, First), known(Theory, Second), known(Theory, Whole),
    \+ withdrawn(Theory, First, Second, Whole).

known(Theory, Relation) :-
    theory_relation(Theory, Relation, _, _, _),
    !.

withdrawn(Theory, First, Second, Whole) :-
    is_list(Theory),
    memberchk(blended, Theory),
    kin_blended:withdrawn(First, Second, Whole).

module_of(compat, Part, Module) =>
    (   Part == rules -> Module = kin_compat ; Module = kinship ).
module_of(Packs, _, Module) =>
    must_be(list(atom), Packs),
    (   member(Unknown, Packs), \+ pack(Unknown, _)
    ->  domain_error(kinship_pack, Unknown)
    ;   member(Pack, Packs),
        pack(Pack, Module)
    ).

%!  theory_text(+Theory, -Text:string) is det.
%
%   Text is Theory as a Prolog module that exports what this one does for that single theory: the file theory.pl
%   of a dataset.

theory_text(Theory, Text) :-
    with_output_to(string(Text), write_theory_(Theory)).

write_theory_(Theory) :-
    format("% The kinship theory of this dataset: Y is the R of X. Packs: ~w.~n", [Theory]),
    format(":- module(clutrr_theory, [theory_rule/4, theory_inverse/3, theory_relation/5, theory_meaning/3]).~n"),
    Heads = [ theory_relation(Theory, _, _, _, _), theory_inverse(Theory, _, _),
              theory_meaning(Theory, _, _), theory_rule(Theory, _, _, _) ],
    forall(member(Head, Heads),
           ( nl, forall(clutrr_theory:Head, write_anonymous_(Head)) )).

%!  theory_clauses(+Theory, -Text:string) is det.
%
%   Text is Theory as Horn clauses over its relations and words, with male/1 and female/1: what a learner of rules
%   is to find. The file rules.pl of a dataset.

theory_clauses(Theory, Text) :-
    with_output_to(string(Text), write_clauses_(Theory)).

write_clauses_(Theory) :-
    format("% The kinship theory as Horn clauses: R(X,Y) says that Y is the R of X. Packs: ~w.~n~n", [Theory]),
    forall(theory_inverse(Theory, Whole, Inverse),
           ( forall(theory_rule(Theory, First, Second, Whole),
                    format("~w(X,Z) :- ~w(X,Y), ~w(Y,Z), X \\== Z.~n", [Whole, First, Second])),
             format("~w(X,Y) :- ~w(Y,X).~n~n", [Whole, Inverse]) )),
    forall(( theory_relation(Theory, Relation, Male, Female, _),
             member(Word-Gender, [Male-male, Female-female]) ),
           format("~q(X,Y) :- ~w(X,Y), ~w(Y).~n", [Word, Relation, Gender])).

% In a dataset there is one theory, whatever its name.
write_anonymous_(Head) :-
    Head =.. [Name, _|Arguments],
    Clause =.. [Name, '$VAR'('_')|Arguments],
    write_clause_(Clause).

write_clause_(Clause) :-
    format("~W.~n", [Clause, [quoted(true), numbervars(true), spacing(next_argument)]]).

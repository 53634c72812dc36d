:- module(hornbeam_theory_rules,
          [ rule_distance/3,        % +Rule1, +Rule2, -Distance
            r_score/3               % +True, +Learned, -Score
          ]).
:- use_module(hornbeam(prolog/theory/reading), [theory_clause/3]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(error), [must_be/2]).
:- autoload(library(lists), [member/2, select/3, sum_list/2, max_member/2, min_member/2]).

/** <module> The R-score of RuDaS, from its definition

    ?- r_score([(p0(X,Y) :- p1(X,Z), p2(Z,Y))], [(p0(A,B) :- p1(A,C), p2(C,B))], Score).
    Score = 1.

The distance of two atoms is 1 if their predicates differ, and else half the share of places on which they disagree under a
renaming, an injective map of variables to variables (constants agree if they are equal). The distance of two
rules is the least sum over head and paired body atoms, an atom without a partner costing 1, over all pairings and
renamings, divided by the number of atoms of the longer rule. All are exact, as rationals.

The definition is Cornelio and Thost's (RuDaS, 2019), section 5; the R-scores in that paper's tables are
not this formula's. This is the definition written down and cut off where it cannot win; tests compare it with
hornbeam.theory.distance, which has a faster way to the same numbers.
*/

%!  r_score(+True, +Learned, -Score) is det.
%
%   1 less the mean, over the rules of True, of the distance to the nearest rule of Learned with the same head predicate (1
%   if there is none). Extra rules cost nothing: call it with the arguments exchanged for that side.

r_score(True, Learned, Score) :-
    must_be(list, True),
    must_be(list, Learned),
    (   True == []
    ->  Score = 1
    ;   maplist(nearest(Learned), True, Distances),
        sum_list(Distances, Sum),
        length(True, Count),
        Score is 1 - Sum rdiv Count
    ).

nearest(Rules, Rule, Distance) :-
    findall(D, ( member(Other, Rules), same_head(Rule, Other), rule_distance(Rule, Other, D) ), Distances),
    min_member(Distance, [1|Distances]).

same_head(Rule1, Rule2) :-
    theory_clause(Rule1, Head1, _),
    theory_clause(Rule2, Head2, _),
    functor(Head1, Name, Arity),
    functor(Head2, Name, Arity).

%!  rule_distance(+Rule1, +Rule2, -Distance) is det.

rule_distance(Rule1, Rule2, Distance) :-
    frozen(Rule1, x, Head1-Body1),
    frozen(Rule2, y, Head2-Body2),
    length(Body1, Length1),
    length(Body2, Length2),
    max_member(Longer, [Length1, Length2]),
    Best = best(inf),
    (   sign_and_atom(Head1, S1, A1),
        sign_and_atom(Head2, S2, A2),
        atom_cost(S1, A1, S2, A2, [], Map, Cost),
        pair(Body1, Body2, Longer, Map, Cost, Total, Best),
        nb_setarg(1, Best, Total),
        fail
    ;   arg(1, Best, Least),
        Distance is Least rdiv (Longer+1)
    ).

%   Variables as constants that are marked with the rule they come from.

frozen(Rule, Mark, Head-Body) :-
    copy_term(Rule, Copy),
    theory_clause(Copy, Head, Body),
    numbervars(Head-Body, 0, _, [functor_name(Mark)]).

pair([], _, Left, _, Cost0, Cost, Best) :-
    Cost is Cost0+Left,
    cheaper(Cost, Best).
pair([Literal|Literals], Body, Left, Map0, Cost0, Cost, Best) :-
    cheaper(Cost0, Best),
    sign_and_atom(Literal, Sign, Atom),
    (   select(Other, Body, Rest),
        sign_and_atom(Other, Sign, Atom2),
        atom_cost(Sign, Atom, Sign, Atom2, Map0, Map, Step),
        Cost1 is Cost0+Step,
        Left1 is Left-1,
        pair(Literals, Rest, Left1, Map, Cost1, Cost, Best)
    ;   % Without a partner of its predicate it is paired with nothing, or with a surplus atom: 1 all the same.
        pair(Literals, Body, Left, Map0, Cost0, Cost, Best)
    ).

cheaper(Cost, Best) :-
    arg(1, Best, Least),
    Cost < Least.

sign_and_atom(\+ Atom, Sign, Found) => Sign = (-), Found = Atom.
sign_and_atom(not(Atom), Sign, Found) => Sign = (-), Found = Atom.
sign_and_atom(Atom, Sign, Found) => Sign = (+), Found = Atom.

%   Map is a list of X-Y, X of the first rule and Y of the second; X-none for a variable that is mapped to none here.

atom_cost(Sign, Atom1, Sign, Atom2, Map0, Map, Cost) :-
    functor(Atom1, Name, Arity),
    functor(Atom2, Name, Arity),
    !,
    (   Arity =:= 0
    ->  Map = Map0,
        Cost = 0
    ;   Atom1 =.. [_|Arguments1],
        Atom2 =.. [_|Arguments2],
        disagreement(Arguments1, Arguments2, Map0, Map, 0, Places),
        Cost is Places rdiv (2*Arity)
    ).
atom_cost(_, _, _, _, Map, Map, 1).

disagreement([], [], Map, Map, Places, Places).
disagreement([Term1|Terms1], [Term2|Terms2], Map0, Map, Places0, Places) :-
    (   agree(Term1, Term2, Map0, Map1),
        Places1 = Places0
    ;   \+ settled(Term1, Term2, Map0),
        Map1 = Map0,
        Places1 is Places0+1
    ),
    disagreement(Terms1, Terms2, Map1, Map, Places1, Places).

%   The two agree whatever comes.

settled(Term1, Term2, Map) :-
    agree(Term1, Term2, Map, Map1),
    Map1 == Map.

agree(Term1, Term2, Map0, Map) :-
    (   Term1 = x(_),
        Term2 = y(_)
    ->  (   member(X-Y, Map0),
            ( X == Term1 ; Y == Term2 )
        ->  X == Term1,
            Y == Term2,
            Map = Map0
        ;   Map = [Term1-Term2|Map0]
        )
    ;   Term1 == Term2,
        Term1 \= x(_),
        Map = Map0
    ).

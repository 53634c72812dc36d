:- module(clutrr_kin,
          [ derives/3,          % +Theory, +Relations, ?Whole
            derivation/4,       % +Theory, +Steps, ?Whole, -Tree
            clause_of_length/4, % +Theory, +Length, ?Whole, -Relations
            related/5,          % +Theory, +Story, ?Relation, ?X, ?Y
            shortest_proof/6,   % +Theory, +Story, ?Relation, +X, +Y, -Tree
            with_stories/2,     % +Stories, :Goal
            answers/3,          % +Theory, +Puzzles, -Answers
            clauses/3,          % +Theory, +Length, -Clauses
            valid_steps/3       % +Theory, +Proofs, -Verdicts
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).
:- use_module(theory, [theory_rule/4, theory_inverse/3]).

:- meta_predicate with_stories(+, 0).

:- dynamic told/4.              % ?Story, ?Relation, ?X, ?Y: the story says that Y is the Relation of X

/** <module> Reasoning over a kinship theory

Forwards, related/5 has all relations of a story or a family. Backwards, shortest_proof/6 has the proof of
one. As a generator, clause_of_length/4 has the clauses of the theory. Relations are neutral here.
reasoning.pl has how; this module adds the doors through which Python asks in bulk.

    ?- derives([base], [parent,sibling,spouse], Whole).
    false.
    ?- derives([base], [sibling,parent,parent], Whole).
    Whole = grandparent.
*/

:- include(reasoning).

%!  with_stories(+Stories:list, :Goal) is semidet.
%
%   Runs Goal once while the facts of Stories, a list of Story-Facts with Facts a list of [R,X,Y], are told.

with_stories(Stories, Goal) :-
    setup_call_cleanup(
        forall(( member(Story-Facts, Stories), member([R,X,Y], Facts) ),
               assertz(told(Story, R, X, Y))),
        once(Goal),
        ( forall(member(Story-_, Stories), retractall(told(Story, _, _, _))),
          abolish_module_tables(clutrr_kin) )).

%!  answers(+Theory, +Puzzles:list, -Answers:list) is det.
%
%   For each [Facts,X,Y] of Puzzles, Answers has the sorted list of all relations of Y to X that follow from
%   Facts. This is the bulk door: one call for a batch.

answers(Theory, Puzzles, Answers) :-
    must_be(list, Puzzles),
    findall(Number-Facts, nth_puzzle(Puzzles, Number, Facts, _, _), Stories),
    with_stories(Stories,
                 findall(Relations,
                         ( nth_puzzle(Puzzles, Number, _, X, Y),
                           findall(R, related(Theory, Number, R, X, Y), Unsorted),
                           sort(Unsorted, Relations) ),
                         Answers)).

nth_puzzle(Puzzles, Number, Facts, X, Y) :-
    nth_(Puzzles, 0, Number, [Facts,X,Y]).

nth_([Item|_], Number, Number, Item).
nth_([_|Items], Before, Number, Item) :-
    Next is Before+1,
    nth_(Items, Next, Number, Item).

%!  valid_steps(+Theory, +Proofs:list, -Verdicts:list(oneof([ok,bad]))) is det.
%
%   Each of Proofs is [Facts,Steps,Goal]: Steps is a list of [[R,X,Z],[R1,X,Y],[R2,Y,Z]] that is read from
%   the goal down, as the original writes proofs. A proof is ok when the goal is the head of the first step, every
%   step is an instance of a rule, and every premise is the head of a later step or a fact.

valid_steps(Theory, Proofs, Verdicts) :-
    maplist(verdict(Theory), Proofs, Verdicts).

verdict(Theory, [Facts,Steps,Goal], Verdict) :-
    (   proved(Steps, [Goal], Theory, Facts)
    ->  Verdict = ok
    ;   Verdict = bad
    ).

proved([], Open, _, Facts) :-
    forall(member(Premise, Open), memberchk(Premise, Facts)).
proved([[Head,Left,Right]|Steps], Open, Theory, Facts) :-
    Head = [Whole,X,Z], Left = [First,X,Y], Right = [Second,Y,Z],
    X \== Z,
    theory_rule(Theory, First, Second, Whole),
    selectchk_(Head, Open, Rest),
    !,
    proved(Steps, [Left,Right|Rest], Theory, Facts).

selectchk_(Item, Items, Rest) :-
    append(Before, [Item|After], Items),
    !,
    append(Before, After, Rest).

%!  clauses(+Theory, +Length, -Clauses:list) is det.
%
%   All clauses of Length as [Whole,Relations,Couples]: Couples has the [I,J] such that persons I and J of the
%   chain, which starts with person 0, must be spouses.

clauses(Theory, Length, Clauses) :-
    findall([Whole,Relations,Couples],
            ( clause_of_length(Theory, Length, Whole, Relations),
              findall([I,J], couple(Theory, Relations, I, J), Unsorted),
              sort(Unsorted, Couples) ),
            Clauses).

couple(Theory, Relations, I, J) :-
    append(Before, Rest, Relations),
    append(Between, _, Rest),
    Between = [_|_],
    spans(Between, Theory, spouse),
    length(Before, I),
    length(Between, Length),
    J is I+Length.

:- module(clutrr_kin,
          [ derives/3,          % +Theory, +Relations, ?Whole
            derivation/4,       % +Theory, +Steps, ?Whole, -Tree
            clause_of_length/4, % +Theory, +Length, ?Whole, -Relations
            clauses/3,          % +Theory, +Length, -Clauses
            valid_steps/3       % +Theory, +Proofs, -Verdicts
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3]).
:- use_module(theory, [theory_rule/4, theory_inverse/3]).

:- dynamic told/4.              % reasoning.pl asks stories; here there are chains only

/** <module> Reasoning over the chains of a kinship theory

Forwards, derives/3 has what a chain composes to. As a generator, clause_of_length/4 has the clauses of the theory.
Relations are neutral here. reasoning.pl has how; this module adds the doors through which Python asks in bulk.
Stories are asked in the files of their dataset, see proving.pl.

    ?- derives([base], [parent,sibling,spouse], Whole).
    false.
    ?- derives([base], [sibling,parent,parent], Whole).
    Whole = grandparent.
*/

:- include(reasoning).

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

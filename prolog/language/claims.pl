:- module(language_claims,
          [ network_claims/3,   % +Table, +Rows, -Verdicts
            rule_claims/3       % +Rules, +Rows, -Verdicts
          ]).
:- use_module(library(apply), [foldl/4, maplist/3]).
:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2, put_assoc/4]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(ordsets), [ord_intersection/3, ord_subset/2, ord_union/2, ord_union/3]).

/** <module> Whether the steps of a solution follow, one after the other

A row has what is given and the claims of a solution in order. A claim is `given`; or it `follows` by one rule from what is
given and from claims before it; else it is `unsupported`, and nothing may rest on it.

In a network a claim is [X,Relations,Z]: one of Relations holds from X to Z. What is known of a pair is the intersection of
all that was said of it. The table is that of the theory: pairs of relations that it does not list compose to anything.
*/

%!  network_claims(+Table, +Rows:list, -Verdicts:list(list)) is det.
%
%   Table is [Relations,Compositions,Converses]: [A,B,C] says that A and then B can be C, [A,B] that B is the converse of A.
%   Each of Rows is [Facts,Claims].

network_claims([Relations,Compositions,Converses], Rows, Verdicts) :-
    must_be(list, Rows),
    sort(Relations, All),
    findall((A-B)-Wholes, wholes(Compositions, A, B, Wholes), Pairs),
    list_to_assoc(Pairs, Composed),
    findall(A-B, member([A,B], Converses), Turned),
    maplist(network_row(table(All,Composed,Turned)), Rows, Verdicts).

wholes(Compositions, A, B, Wholes) :-
    setof(C, member([A,B,C], Compositions), Wholes).

network_row(Table, [Facts,Claims], Verdicts) :-
    list_to_assoc([], Nothing),
    foldl(learn(Table), Facts, Nothing, Known),
    nodes(Facts, Nodes),
    network_verdicts(Claims, Table, Nodes, Known, Verdicts).

nodes(Facts, Nodes) :-
    findall(Node, ( member([X,_,Z], Facts), member(Node, [X,Z]) ), Unsorted),
    sort(Unsorted, Nodes).

network_verdicts([], _, _, _, []).
network_verdicts([Claim|Claims], Table, Nodes, Known, [Verdict|Verdicts]) :-
    network_verdict(Claim, Table, Nodes, Known, Verdict),
    (   Verdict == unsupported
    ->  Next = Known
    ;   learn(Table, Claim, Known, Next)
    ),
    network_verdicts(Claims, Table, Nodes, Next, Verdicts).

network_verdict([X,Relations,Z], Table, Nodes, Known, Verdict) :-
    sort(Relations, Set),
    known(Table, Known, X, Z, Before),
    (   ord_subset(Before, Set)
    ->  Verdict = given
    ;   member(Y, Nodes),
        Y \== X, Y \== Z,
        known(Table, Known, X, Y, First),
        known(Table, Known, Y, Z, Second),
        composed(Table, First, Second, Whole),
        ord_intersection(Before, Whole, Left),
        ord_subset(Left, Set)
    ->  Verdict = follows
    ;   Verdict = unsupported
    ).

known(table(All,_,_), Known, X, Z, Set) :-
    (   get_assoc(X-Z, Known, Found)
    ->  Set = Found
    ;   Set = All
    ).

composed(table(All,Composed,_), First, Second, Whole) :-
    (   First == All
    ->  Whole = All
    ;   Second == All
    ->  Whole = All
    ;   findall(Set,
                ( member(A, First), member(B, Second),
                  ( get_assoc(A-B, Composed, Found) -> Set = Found ; Set = All ) ),
                Sets),
        ord_union(Sets, Whole)
    ).

learn(Table, [X,Relations,Z], Known0, Known) :-
    sort(Relations, Set),
    cut_down(Table, X, Z, Set, Known0, Known1),
    Table = table(All,_,Turned),
    turned(Set, Turned, All, Back),
    (   Back == All
    ->  Known = Known1
    ;   cut_down(Table, Z, X, Back, Known1, Known)
    ).

turned(Set, Turned, All, Back) :-
    findall(B, ( member(A, Set), ( memberchk(A-_, Turned) -> member(A-B, Turned) ; member(B, All) ) ), Unsorted),
    sort(Unsorted, Back).

cut_down(Table, X, Z, Set, Known0, Known) :-
    known(Table, Known0, X, Z, Before),
    ord_intersection(Before, Set, After),
    put_assoc(X-Z, Known0, After, Known).

%!  rule_claims(+Rules:list, +Rows:list, -Verdicts:list(list)) is det.
%
%   Rules are terms Head-Body with Body a list of atoms; each of Rows is [Facts,Claims], all ground atoms.

rule_claims(Rules, Rows, Verdicts) :-
    must_be(list, Rules),
    must_be(list, Rows),
    maplist(rule_row(Rules), Rows, Verdicts).

rule_row(Rules, [Facts,Claims], Verdicts) :-
    sort(Facts, Known),
    rule_verdicts(Claims, Rules, Known, Verdicts).

rule_verdicts([], _, _, []).
rule_verdicts([Claim|Claims], Rules, Known, [Verdict|Verdicts]) :-
    (   memberchk(Claim, Known)
    ->  Verdict = given, Next = Known
    ;   member(Rule, Rules),
        copy_term(Rule, Claim-Body),
        hold(Body, Known)
    ->  Verdict = follows, ord_union(Known, [Claim], Next)
    ;   Verdict = unsupported, Next = Known
    ),
    rule_verdicts(Claims, Rules, Next, Verdicts).

hold([], _).
hold([Goal|Goals], Known) :-
    member(Goal, Known),
    hold(Goals, Known).

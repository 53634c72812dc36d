:- module(graphlog_laws,
          [ kept_rule/3,            % +Partners, +Drawn, -Rule
            read_backwards/5        % +Partners, +Base, +Sign, -Partner, -Other
          ]).

/** <module> The laws of a GraphLog vocabulary

A base relation has two signs: `+` reads it forwards, `-` backwards. Backwards a relation is itself (a symmetric relation) or its
partner (a swapped pair), so with partners P:  I+(X,Y) if and only if P(I)-(Y,X).

A rule composes two relations of one sign:  H(X,Z) <- A(X,Y), B(Y,Z).  Read backwards it is the rule of the other sign
P(H)(Z,X) <- P(B)(Z,Y), P(A)(Y,X).  Of a rule and its backward reading a vocabulary keeps one: they say the same.
*/

%!  read_backwards(+Partners, +Base:integer, +Sign:integer, -Partner:integer, -Other:integer) is det.
%
%   Base relation Base with Sign, 0 (forwards) or 1 (backwards), reads Partner with the sign Other in the other direction.

read_backwards(Partners, Base, Sign, Partner, Other) :-
    partner(Partners, Base, Partner),
    Other is 1-Sign.

%!  kept_rule(+Partners, +Drawn, -Rule) is semidet.
%
%   Rule is what a vocabulary keeps of Drawn, a triple [I,J,H] of base relations, read as the forward rule
%   H+ <- I+, J+. Partners is a term whose argument I+1 is the partner of base relation I. Rule is [Sign,A,B,H]
%   with Sign 0 (forwards) or 1 (backwards). Fails for a rule whose head is in its own body, and for a body that goes
%   a relation and then the same relation back.

kept_rule(Partners, [I,J,H], Rule) :-
    H =\= I,
    H =\= J,
    partner(Partners, I, BackI),
    partner(Partners, J, BackJ),
    BackI =\= J,
    partner(Partners, H, BackH),
    later(I-J, BackJ-BackI, Forwards),
    orientation(Forwards, [I,J,H], [BackJ,BackI,BackH], Rule).

partner(Partners, I, Partner) :-
    Place is I+1,
    arg(Place, Partners, Partner).

later(Body, Other, Forwards) :-
    (   Body @> Other
    ->  Forwards = true
    ;   Forwards = false
    ).

orientation(true, Rule, _, [0|Rule]).
orientation(false, _, Mirrored, [1|Mirrored]).

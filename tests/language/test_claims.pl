:- module(test_claims, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/language/claims)).

/** <module> Claims are given, follow, or are unsupported */

kin([[father,sister,aunt,brother,uncle], [[father,sister,aunt], [father,brother,uncle]], []]).
sets([[lt,eq,gt], [[lt,lt,lt], [gt,gt,gt], [lt,gt,lt], [lt,gt,eq], [lt,gt,gt]], [[lt,gt], [gt,lt], [eq,eq]]]).

:- begin_tests(network_claims).

test(given_and_follows, Verdicts == [[given,follows]]) :-
    kin(Table),
    network_claims(Table, [[[[a,[father],b], [b,[sister],c]], [[a,[father],b], [a,[aunt],c]]]], Verdicts).
test(unsupported, Verdicts == [[unsupported]]) :-
    kin(Table),
    network_claims(Table, [[[[a,[father],b], [b,[sister],c]], [[a,[uncle],c]]]], Verdicts).
test(nothing_rests_on_what_is_unsupported, Verdicts == [[unsupported,unsupported]]) :-
    kin(Table),
    network_claims(Table, [[[[a,[father],b], [c,[brother],d]], [[b,[sister],c], [a,[aunt],c]]]], Verdicts).
test(converse, Verdicts == [[given,follows]]) :-
    sets(Table),
    network_claims(Table, [[[[a,[lt],b], [c,[gt],b]], [[b,[lt],c], [a,[lt],c]]]], Verdicts).
test(weaker_claims_follow, Verdicts == [[given]]) :-
    sets(Table),
    network_claims(Table, [[[[a,[lt],b]], [[a,[lt,eq],b]]]], Verdicts).
test(universal_claims_nothing, Verdicts == [[unsupported]]) :-
    sets(Table),
    network_claims(Table, [[[[a,[lt],b], [b,[gt],c]], [[a,[lt],c]]]], Verdicts).

:- end_tests(network_claims).

:- begin_tests(rule_claims).

test(one_rule, Verdicts == [[follows,given,unsupported]]) :-
    rule_claims([p(X,Z)-[q(X,Y),q(Y,Z)]], [[[q(a,b), q(b,c)], [p(a,c), q(a,b), p(a,b)]]], Verdicts).
test(in_order, Verdicts == [[unsupported,follows,follows]]) :-
    rule_claims([r(X)-[p(X)], p(X)-[q(X)]], [[[q(a)], [r(a), p(a), r(a)]]], Verdicts).

:- end_tests(rule_claims).

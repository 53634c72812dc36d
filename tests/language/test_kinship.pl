:- module(test_gym_kinship, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/gym/kinship)).

/** <module> What a told family says about two persons */

%  Ann and Bob have Cid and Dan; Cid and Eve have Flo.
row(X, Y, [[[ann,bob], [cid,eve]], [[cid,ann,bob], [dan,ann,bob], [flo,cid,eve]], X, Y]).

relation(X, Y, Relations) :-
    row(X, Y, Row),
    relations([Row], [Found]),
    findall(Relation, member([Relation|_], Found), Relations).

:- begin_tests(relations).

test(parent,        R == [parent])        :- relation(cid, ann, R).
test(sibling,       R == [sibling])       :- relation(cid, dan, R).
test(child_in_law,  R == [child_in_law])  :- relation(ann, eve, R).
test(parent_in_law, R == [parent_in_law]) :- relation(eve, ann, R).
test(grandparent,   R == [grandparent])   :- relation(flo, bob, R).
test(pibling,       R == [pibling])       :- relation(flo, dan, R).
test(nibling,       R == [nibling])       :- relation(dan, flo, R).
test(in_law,        R == [sibling_in_law]) :- relation(dan, eve, R).
test(unisex) :- once(open_gender('Kai')).

:- end_tests(relations).

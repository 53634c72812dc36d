% A theory of your own about networks: what it answers, and why. Part of every dataset whose samples are networks of
% relations; load.pl includes it. A theory lives in the module `mine`, or is typed into `user`. It is
%
%   - a table: compose/3, with relation/1, converse/2, identity/1, reading/1, answers/1 and hint/4 where it has them; see
%     networks.pl for what they mean. It is read from one module: `mine` if that has compose/3, else `user`.
%   - or rules: is_R(X, Y) for each relation R, over the edges of the networks, which are predicates, too; a node is
%     Id-Node. The answer is the R for which is_R holds of the two nodes that are asked about. Where several hold, the
%     answer is all of them, as in father+uncle, which is no label: a theory that says two things is wrong.
%
% A table in `mine` comes before rules in `mine`, and these before what is typed into `user`. The dataset says
%
%   network(+Id, -Edges, -Query)        the network of a sample: edge(Source, Relations, Target), and Source-Target
%   query_nodes(+Id, -X, -Y)            the two nodes of the query, as rules have them
%   label_of(+Relations, -Label)        the label that a list of relations makes
%   conclusion(?R)                      the relations that a rule may conclude (relations.pl)
%   holds(+Module, ?R, ?X, ?Y)          is_R(X, Y) holds by the rules of Module (relations.pl)
%   mine_concludes(?R)                  `mine` has rules for is_R/2 (relations.pl)

:- use_module(networks, [facts_table/2, network_answer/5, network_lines/4]).
:- use_module(library(lists), [member/2]).

:- dynamic compose/3, reading/1, answers/1, hint/4.

%!  theory_predicates(-Predicates:list) is det.
%
%   A theory has a table, compose/3, or rules for some of the others.

theory_predicates([compose/3|Rules]) :-
    findall(Name/2, ( conclusion(R), atom_concat(is_, R, Name) ), Rules).

%!  mine_answer(+Id, -Label) is semidet.
%
%   Label is what the theory of your own answers for sample Id. Fails if it answers nothing: a rule for no relation
%   holds, or the network has a relation that the table does not know.

mine_answer(Id, Label) :-
    theory_generation(Generation),
    mine_theory(Generation, Theory),
    mine_says(Theory, Id, Label).

mine_says(table(Table), Id, Label) :-
    network(Id, Edges, Query),
    catch(network_answer(Table, Edges, Query, Relations, _), error(existence_error(relation, _), _), fail),
    label_of(Relations, Label).
mine_says(rules(Module, Concluded), Id, Label) :-
    query_nodes(Id, X, Y),
    held_relations(Module, Concluded, X, Y, [First|More]),
    joined(More, First, Label).

held_relations(Module, Concluded, X, Y, Held) :-
    findall(R, ( member(R, Concluded), once(holds(Module, R, X, Y)) ), Held).

joined([], Label, Label).
joined([R|Rs], Label0, Label) :-
    joined(Rs, Label0+R, Label).

%   The generations of the two modules change with every clause: so a theory is read once, and again when it changed.

theory_generation(Mine-User) :-
    module_property(mine, last_modified_generation(Mine)),
    module_property(user, last_modified_generation(User)).

:- table mine_theory/2.

mine_theory(_, Theory) :-
    (   mine_defines(compose)
    ->  findall(Fact, ( mine_defines(Name), mine_fact(Name, Fact) ), Facts),
        facts_table(Facts, Table),
        Theory = table(Table)
    ;   findall(R, mine_concludes(R), Concluded),
        Concluded \== []
    ->  Theory = rules(mine, Concluded)
    ;   compose(_, _, _)
    ->  findall(Fact, typed_fact(Fact), Facts),
        facts_table(Facts, Table),
        Theory = table(Table)
    ;   findall(R, conclusion(R), All),
        Theory = rules(user, All)
    ).

%   A clause mine:(user:Head :- Body) is one of `user` whose body runs in `mine`. What `mine` does not define it inherits
%   from `user`, where STaR has relation/1 and others of its own: hence the test for what is defined in `mine` itself.

mine:(user:mine_fact(compose, compose(R, S, T)) :- compose(R, S, T)).
mine:(user:mine_fact(relation, relation(R)) :- relation(R)).
mine:(user:mine_fact(converse, converse(R, S)) :- converse(R, S)).
mine:(user:mine_fact(identity, identity(R)) :- identity(R)).
mine:(user:mine_fact(reading, reading(Reading)) :- reading(Reading)).
mine:(user:mine_fact(answers, answers(Kind)) :- answers(Kind)).
mine:(user:mine_fact(hint, hint(End, R, T, W)) :- hint(End, R, T, W)).

mine:(user:mine_defines(reading) :-
    predicate_property(reading(_), number_of_clauses(N)), N > 0, \+ predicate_property(reading(_), imported_from(_))).
mine:(user:mine_defines(answers) :-
    predicate_property(answers(_), number_of_clauses(N)), N > 0, \+ predicate_property(answers(_), imported_from(_))).
mine:(user:mine_defines(hint) :-
    predicate_property(hint(_, _, _, _), number_of_clauses(N)), N > 0,
    \+ predicate_property(hint(_, _, _, _), imported_from(_))).
mine:(user:mine_defines(relation) :-
    predicate_property(relation(_), number_of_clauses(N)), N > 0, \+ predicate_property(relation(_), imported_from(_))).
mine:(user:mine_defines(identity) :-
    predicate_property(identity(_), number_of_clauses(N)), N > 0, \+ predicate_property(identity(_), imported_from(_))).
mine:(user:mine_defines(converse) :-
    predicate_property(converse(_, _), number_of_clauses(N)), N > 0,
    \+ predicate_property(converse(_, _), imported_from(_))).
mine:(user:mine_defines(compose) :-
    predicate_property(compose(_, _, _), number_of_clauses(N)), N > 0,
    \+ predicate_property(compose(_, _, _), imported_from(_))).

typed_fact(compose(R, S, T)) :- compose(R, S, T).
typed_fact(relation(R)) :- relation(R).
typed_fact(converse(R, S)) :- converse(R, S).
typed_fact(identity(R)) :- identity(R).
typed_fact(reading(Reading)) :- reading(Reading).
typed_fact(answers(Kind)) :- answers(Kind).
typed_fact(hint(End, R, T, W)) :- hint(End, R, T, W).

%!  explain_mine(+Id) is semidet.
%
%   Prints how the theory of your own comes to its answer for sample Id: the compositions of a table, or the rules that
%   hold with what their literals are. Fails if there is no sample Id.

explain_mine(Id) :-
    theory_generation(Generation),
    mine_theory(Generation, Theory),
    once(network(Id, Edges, Query)),
    explain_by(Theory, Id, Edges, Query).

explain_by(table(Table), _, Edges, Query) :-
    catch(( network_lines(Table, Edges, Query, Lines),
            forall(member(Line, Lines), format("~w~n", [Line])) ),
          error(existence_error(relation, Unknown), _),
          format("The theory does not know the relation ~q, so it answers nothing.~n", [Unknown])).
explain_by(rules(Module, Concluded), Id, _, _) :-
    query_nodes(Id, X, Y),
    held_relations(Module, Concluded, X, Y, Held),
    (   Held == []
    ->  format("No rule holds of the two nodes, so the theory answers nothing.~n")
    ;   forall(member(R, Held), explain_rule(R, X, Y))
    ).

explain_rule(R, X, Y) :-
    atom_concat(is_, R, Name),
    Head =.. [Name, X, Y],
    once(( mine_clause(Head, Body), mine_call(Body) )),
    format("~w: by the rule ~q :-~n", [R, Head]),
    forall(literal(Body, Literal), format("    ~q~n", [Literal])).

mine:(user:mine_clause(Head, Body) :- clause(Head, Body)).
mine:(user:mine_call(Body) :- call(Body)).

literal((A, B), Literal) :- !,
    (   literal(A, Literal)
    ;   literal(B, Literal)
    ).
literal(Literal, Literal).

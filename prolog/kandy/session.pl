:- module(kandy_session,
          [ true_answer/2,              % +Id, -Answer
            judged/2,                   % ?Id, ?Expected
            mine_answer/2,              % +Id, -Answer
            explain_truth/1,            % +Id
            explain_mine/1,             % +Id
            explain_tree/2,             % +Rule, +Tree
            theory_predicates/1,        % -Predicates
            task_named/2,               % +Given, -Task
            rule/1,                     % +Task
            encode_scenes/1             % +Task
          ]).

:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2]).
:- use_module(explain, [explanation/3, explanation_text/2]).
:- use_module(trees, [set_scenes/2]).

/** <module> What a KANDY dataset answers to prolog/session.pl

The dataset gives sample/5, task/4 and true_rule/2 in module user.  A theory of
a person's own is valid/1, of module mine or typed into user:

    ?- [user].
    valid(Node) :- contains(Node, Object), extract_shape(Object, circle).
    ^D
    ?- wrong(3).
    ?- explain(mine, t03_red_train_0007).

A task is given by its number, its name, or the name of its rule.
*/

%!  true_answer(+Id, -Answer) is semidet.
%
%   Answer is 1 if the true rule of its task holds of sample Id, and else 0.
%   Fails if the task has no rule.

true_answer(Id, Answer) :-
    user:sample(Id, Task, _, _, Tree),
    user:task(_, Task, Rule, _),
    !,
    Rule \== none,
    (   user:true_rule(Task, Tree)
    ->  Answer = 1
    ;   Answer = 0
    ).

%!  judged(?Id, ?Expected) is nondet.
%
%   Sample Id has the label Expected, 1 or 0.  Some that are published have none.

judged(Id, Expected) :-
    user:sample(Id, _, _, Expected, _),
    integer(Expected).

%!  mine_answer(+Id, -Answer) is semidet.
%
%   Answer is 1 if valid/1 of module mine holds of the tree of sample Id, and
%   else 0.  If mine has none, valid/1 of module user is taken.

mine_answer(Id, Answer) :-
    user:sample(Id, _, _, _, Tree),
    !,
    (   mine:valid(Tree)
    ->  Answer = 1
    ;   Answer = 0
    ).

%!  explain_truth(+Id) is semidet.
%
%   Prints why the true rule holds of sample Id, or the first literal that fails.

explain_truth(Id) :-
    user:sample(Id, Task, _, _, Tree),
    user:task(_, Task, Rule, _),
    !,
    (   Rule == none
    ->  format("Task ~q has no rule.~n", [Task])
    ;   atom_concat(kandy_, Rule, Module),
        print_explanation(Module, Tree)
    ).

%!  explain_mine(+Id) is semidet.
%
%   Prints why valid/1 of your own holds of sample Id, or the first literal that
%   fails.

explain_mine(Id) :-
    user:sample(Id, _, _, _, Tree),
    !,
    print_explanation(mine, Tree).

%!  explain_tree(+Rule, +Tree) is semidet.
%
%   Prints why a rule holds of Tree, which need not be a sample, or the first
%   literal that fails.  Rule is `mine`, or a task, for its true rule.

explain_tree(mine, Tree) :-
    !,
    must_be(ground, Tree),
    print_explanation(mine, Tree).
explain_tree(Given, Tree) :-
    must_be(ground, Tree),
    known_task(Given, Task),
    user:task(_, Task, Rule, _),
    !,
    (   Rule == none
    ->  format("Task ~q has no rule.~n", [Task])
    ;   atom_concat(kandy_, Rule, Module),
        print_explanation(Module, Tree)
    ).

print_explanation(Module, Tree) :-
    explanation(Module, Tree, Explanation),
    explanation_text(Explanation, Text),
    write(Text).

%!  theory_predicates(-Predicates:list) is det.
%
%   A theory of this family defines valid/1.

theory_predicates([valid/1]).

%!  task_named(+Given, -Task:atom) is semidet.
%
%   Given is the number or the name of Task, or the name of its rule.

task_named(Given, Task) :-
    (   user:task(Given, Found, _, _)
    ;   user:task(_, Given, _, _),
        Found = Given
    ;   user:task(_, Found, Given, _)
    ),
    !,
    Task = Found.

%!  rule(+Task) is semidet.
%
%   Prints the true rule of Task.

rule(Given) :-
    known_task(Given, Task),
    user:task(Index, Task, Rule, Title),
    !,
    format("% Task ~d, ~q: ~s~n", [Index, Task, Title]),
    (   Rule == none
    ->  format("% The task has no rule.~n")
    ;   atom_concat(kandy_, Rule, Module),
        listing(Module:valid/1),
        forall(helper(Module, Helper), listing(Module:Helper))
    ).

helper(Module, Name/Arity) :-
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, imported_from(_)),
    functor(Head, Name, Arity),
    Name/Arity \== valid/1.

%!  encode_scenes(+Task) is semidet.
%
%   Puts the samples of Task into the pointer encoding: from now on
%   sample_is/2 and defined_as/3 of module kandy_scenes are about them.

encode_scenes(Given) :-
    known_task(Given, Task),
    findall(Id-Tree, user:sample(Id, Task, _, _, Tree), Samples),
    findall(Id, member(Id-_, Samples), Ids),
    findall(Tree, member(_-Tree, Samples), Trees),
    set_scenes(Ids, Trees),
    length(Ids, Count),
    format("sample_is/2 and defined_as/3 describe ~d samples.~n", [Count]).

known_task(Given, Task) :-
    nonvar(Given),
    task_named(Given, Task),
    !.
known_task(Given, _) :-
    findall(Task, user:task(_, Task, _, _), Tasks),
    format("There is no task ~q. The tasks are: ~w.~n", [Given, Tasks]),
    fail.

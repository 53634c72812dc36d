:- module(kandy_session,
          [ wrong/1,                    % +Task
            wrong/4,                    % +Task, ?Split, ?Id, -Label
            score/1,                    % +Task
            explain/2,                  % +Rule, +Picture
            rule/1,                     % +Task
            encode_scenes/1             % +Task
          ]).

:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(error), [domain_error/2, existence_error/2, must_be/2]).
:- use_module(library(lists), [member/2]).
:- use_module(explain, [explanation/3, explanation_text/2]).
:- use_module('../kandy_kb', [atom_props/4]).
:- use_module(trees, [set_scenes/2]).

/** <module> A person with a dataset and a rule of their own

The dataset gives sample/5, task/4 and holds/2.  A person writes valid/1:

    ?- [user].
    valid(Node) :- contains(Node, Object), extract_shape(Object, circle).
    ^D
    ?- wrong(3).
    ?- explain(mine, t03_red_train_0007).

A task is given by its number, its name, or the name of its rule.
*/

%!  wrong(+Task) is det.
%
%   Prints the samples of Task that valid/1 of module user gets wrong, by split.

wrong(Task) :-
    task_name(Task, Name),
    must_have_rule,
    findall(Split-wrong(Id, Label), wrong(Name, Split, Id, Label), Wrong),
    forall(member(Split-wrong(Id, Label), Wrong),
           ( verdict(Label, Verdict),
             format("  ~w: ~q ~w~n", [Split, Id, Verdict])
           )),
    length(Wrong, Count),
    aggregate_all(count, user:sample(_, Name, _, _, _), All),
    format("~d of ~d samples of ~q are wrong.~n", [Count, All, Name]),
    (   Wrong = [_-wrong(First, _)|_]
    ->  format("Ask why:  ?- explain(mine, ~q).  ?- explain(~q, ~q).~n", [First, Name, First])
    ;   true
    ).

verdict(1, 'is valid, valid/1 does not hold').
verdict(0, 'is not valid, valid/1 holds').

%!  wrong(+Task, ?Split, ?Id, -Label) is nondet.
%
%   Sample Id of Task in Split has Label, and valid/1 of module user says the
%   other.

wrong(Task, Split, Id, Label) :-
    task_name(Task, Name),
    must_have_rule,
    user:sample(Id, Name, Split, Label, Tree),
    (   mine(Tree)
    ->  Label == 0
    ;   Label == 1
    ).

mine(Tree) :-
    call_with_inference_limit(user:valid(Tree), 1_000_000, Result),
    Result \== inference_limit_exceeded,
    !.

must_have_rule :-
    predicate_property(user:valid(_), number_of_clauses(Count)),
    Count > 0,
    !.
must_have_rule :-
    existence_error(procedure, valid/1).

%!  score(+Task) is det.
%
%   Prints, for each split of Task, the share of samples that valid/1 of module
%   user gets right.

score(Task) :-
    task_name(Task, Name),
    must_have_rule,
    forall(member(Split, [train, valid, test]), split_score(Name, Split)).

split_score(Task, Split) :-
    aggregate_all(count, user:sample(_, Task, Split, _, _), All),
    aggregate_all(count, wrong(Task, Split, _, _), Wrong),
    (   All =:= 0
    ->  true
    ;   Right is All - Wrong,
        Share is Right / All,
        format("  ~w~t~10|~d of ~d right (~3f)~n", [Split, Right, All, Share])
    ).

%!  explain(+Rule, +Picture) is det.
%
%   Prints why Rule holds of Picture, or the first literal that fails.  Rule is
%   `mine`, for valid/1 of module user, or a task, for the true rule.  Picture
%   is the name of a sample, or a tree.

explain(Rule, Picture) :-
    explained_module(Rule, Module),
    picture(Picture, Tree),
    explanation(Module, Tree, Explanation),
    explanation_text(Explanation, Text),
    write(Text).

explained_module(mine, Module) :-
    !,
    must_have_rule,
    Module = user.
explained_module(Task, Module) :-
    task_name(Task, Name),
    user:task(_, Name, Rule, _),
    (   Rule == none
    ->  existence_error(kandy_rule, Name)
    ;   atom_concat(kandy_, Rule, Module)
    ).

picture(Id, Tree) :-
    user:sample(Id, _, _, _, Found),
    !,
    Tree = Found.
picture(Tree, Tree) :-
    must_be(ground, Tree),
    (   compound(Tree) ; atom_props(Tree, _, _, _) ),
    !.
picture(Id, _) :-
    existence_error(sample, Id).

%!  rule(+Task) is det.
%
%   Prints the true rule of Task.

rule(Task) :-
    task_name(Task, Name),
    user:task(Index, Name, Rule, Title),
    format("% Task ~d, ~q: ~s~n", [Index, Name, Title]),
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

%!  encode_scenes(+Task) is det.
%
%   Puts the samples of Task into the pointer encoding: from now on
%   sample_is/2 and defined_as/3 of module kandy_scenes are about them.

encode_scenes(Task) :-
    task_name(Task, Name),
    findall(Id-Tree, user:sample(Id, Name, _, _, Tree), Samples),
    findall(Id, member(Id-_, Samples), Ids),
    findall(Tree, member(_-Tree, Samples), Trees),
    set_scenes(Ids, Trees),
    length(Ids, Count),
    format("sample_is/2 and defined_as/3 describe ~d samples.~n", [Count]).

task_name(Task, Name) :-
    ( user:task(Task, Found, _, _) ; user:task(_, Task, _, _), Found = Task ; user:task(_, Found, Task, _) ),
    !,
    Name = Found.
task_name(Task, _) :-
    domain_error(kandy_task, Task).

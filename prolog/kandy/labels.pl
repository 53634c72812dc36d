:- module(kandy_labels,
          [ labels/4,                   % +Rule, +Trees, +Limit, -Labels
            pointer_labels/4,           % +Rule, +Trees, +Limit, -Labels
            proof_labels/4,             % +Rule, +Trees, +Limit, -Labels
            holds/2                     % +Rule, +Tree
          ]).

:- use_module(library(apply), [maplist/3]).
:- use_module(hornbeam(prolog/kandy_kb), [sample_is/2]).
:- use_module(proofs, [proof/3]).
:- use_module(rules, [rule_module/3]).
:- use_module(trees, [with_scenes/3]).

:- meta_predicate goal_label(0, +, -).

/** <module> Labels of many pictures in one call

A label is 1 where the rule holds of a picture and 0 where it does not.  It is
-1 where the rule did not come to an end within its inferences, which can only
happen with rules that people write; the rules of kb/kandy always end.
*/

%!  holds(+Rule:atom, +Tree) is semidet.
%
%   Rule holds of Tree, which is natural.

holds(Rule, Tree) :-
    rule_module(Rule, natural, Module),
    once(Module:valid(Tree)).

%!  labels(+Rule:atom, +Trees:list, +Limit:positive_integer, -Labels:list(integer)) is det.
%
%   Labels are the labels of Trees, which are natural, in their order.  Limit
%   is the number of inferences that one tree may take.

labels(Rule, Trees, Limit, Labels) :-
    rule_module(Rule, natural, Module),
    maplist(label(Module, Limit), Trees, Labels).

label(Module, Limit, Tree, Label) :-
    goal_label(Module:valid(Tree), Limit, Label).

goal_label(Goal, Limit, Label) :-
    (   call_with_inference_limit(Goal, Limit, Result)
    ->  outcome(Result, Label)
    ;   Label = 0
    ).

outcome(inference_limit_exceeded, Label) =>
    Label = -1.
outcome(_, Label) =>
    Label = 1.

%!  pointer_labels(+Rule:atom, +Trees:list, +Limit:positive_integer, -Labels:list(integer)) is det.
%
%   As labels/4, in the pointer encoding: the trees are turned into facts, and
%   the rule is asked about those.

pointer_labels(Rule, Trees, Limit, Labels) :-
    rule_module(Rule, pointer, Module),
    with_scenes(Trees, Samples,
                maplist(sample_label(Module, Limit), Samples, Labels)).

sample_label(Module, Limit, Sample, Label) :-
    sample_is(Sample, Node),
    label(Module, Limit, Node, Label).

%!  proof_labels(+Rule:atom, +Trees:list, +Limit:positive_integer, -Labels:list(integer)) is det.
%
%   As labels/4, by the interpreter that makes proofs: slow, but another way for
%   rules that have no meaning in the pointer encoding (see portable/1).

proof_labels(Rule, Trees, Limit, Labels) :-
    rule_module(Rule, natural, Module),
    Steps is Limit * 50,
    maplist(proof_label(Module, Steps), Trees, Labels).

proof_label(Module, Limit, Tree, Label) :-
    goal_label(proof(Module, valid(Tree), _), Limit, Label).

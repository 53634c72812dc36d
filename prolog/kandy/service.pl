:- module(kandy_service,
          [ check/4,                    % +Rule, +Codes, +Limit, -Labels
            check_pointer/4,            % +Rule, +Codes, +Limit, -Labels
            check_proof/4,              % +Rule, +Codes, +Limit, -Labels
            portable_rule/1,            % +Rule
            set_domain/3,               % +Shapes, +Colors, +Sizes
            task_table/1,               % -Rows
            vocabulary/1,               % -Names
            operator_class/2,           % +Class, -Operators
            operator_classes/1,         % -Rows
            load_rule/3,                % +Rule, +Text, +Place
            check_safe/1,               % +Rule
            explain_text/3,             % +Rule, +Codes, -Text
            explain_marked/3,           % +Rule, +Codes, -Rows
            certificates/3              % +Rule, +Codes, -Certificates
          ]).

:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [domain_error/2]).
:- use_module(library(lists), [member/2]).
:- use_module(library(sandbox), [safe_goal/1]).
:- use_module(hornbeam(prolog/kandy_kb),
              [ any_composition/1, diag/1, displacement/1, line/1, quadrant/1,
                quadrant_or_center/1, task/4, upright/1
              ]).
:- use_module(certificates, [certificate/3]).
:- use_module(domains, [set_domain/3]).
:- use_module(explain, [explanation/3, explanation_text/2]).
:- use_module(marking, [marked_lines/3]).
:- use_module(labels, [labels/4, pointer_labels/4, proof_labels/4]).
:- use_module(portable, [portable/1]).
:- use_module(rules, [load_rule/3, rule_module/3]).
:- use_module(trees, [coded_trees/2]).

/** <module> What Python asks of KANDY, in bulk

Each predicate is det, takes and gives what crosses without a parser, and
carries a whole batch.  Trees are coded in one flat list (see trees.pl).
*/

%!  check(+Rule:atom, +Codes:list, +Limit:positive_integer, -Labels:list(integer)) is det.
%!  check_pointer(+Rule:atom, +Codes:list, +Limit:positive_integer, -Labels:list(integer)) is det.
%
%   Labels are 1, 0, or -1 if Limit inferences were not enough, for each tree of
%   Codes: in the natural encoding, and in the pointer encoding.

check(Rule, Codes, Limit, Labels) :-
    coded_trees(Codes, Trees),
    labels(Rule, Trees, Limit, Labels).

check_pointer(Rule, Codes, Limit, Labels) :-
    coded_trees(Codes, Trees),
    pointer_labels(Rule, Trees, Limit, Labels).

%!  check_proof(+Rule:atom, +Codes:list, +Limit:positive_integer, -Labels:list(integer)) is det.
%
%   As check/4, by the interpreter that makes proofs.

check_proof(Rule, Codes, Limit, Labels) :-
    coded_trees(Codes, Trees),
    proof_labels(Rule, Trees, Limit, Labels).

%!  portable_rule(+Rule:atom) is semidet.
%
%   Rule means the same in both encodings.

portable_rule(Rule) :-
    rule_module(Rule, natural, Module),
    portable(Module).

%!  task_table(-Rows:list(list)) is det.
%
%   A row [Rule, Curriculum, Index, Title] for each published task.

task_table(Rows) :-
    findall([Rule, Curriculum, Index, Title], task(Rule, Curriculum, Index, Title), Rows).

%!  vocabulary(-Names:list(atom)) is det.
%
%   Names, as 'name/arity', are what the background knowledge offers to a rule.

vocabulary(Names) :-
    module_property(kandy_natural_full, exports(Exports)),
    findall(Name, ( member(Export, Exports), format(atom(Name), '~q', [Export]) ), Unsorted),
    sort(Unsorted, Names).

%!  operator_class(+Class:atom, -Operators:list(atom)) is det.
%
%   Operators are those that a random group of the curriculum language, Class,
%   draws from.

operator_class(Class, Operators) :-
    group(Class, Operator, Goal),
    !,
    findall(Operator, Goal, Operators).
operator_class(Class, _) :-
    domain_error(operator_class, Class).

%!  operator_classes(-Rows:list) is det.
%
%   Rows are [Class, Operators] for all random groups of the curriculum language.

operator_classes(Rows) :-
    findall([Class, Operators], ( group(Class, _, _), operator_class(Class, Operators) ), Rows).

group(any_composition, Operator, any_composition(Operator)).
group(any_displacement, Operator, displacement(Operator)).
group(any_line, Operator, line(Operator)).
group(any_diag, Operator, diag(Operator)).
group(any_non_diag, Operator, upright(Operator)).
group(any_quadrant, Operator, quadrant(Operator)).
group(quadrant_or_center, Operator, quadrant_or_center(Operator)).

%!  check_safe(+Rule:atom) is det.
%
%   Rule does nothing but reason, in either encoding.
%
%   @error permission_error(call, sandboxed, Goal) and others of library(sandbox)

check_safe(Rule) :-
    rule_module(Rule, natural, Natural),
    safe_goal(Natural:valid(_)),
    rule_module(Rule, pointer, Pointer),
    safe_goal(Pointer:valid(_)).

%!  explain_text(+Rule:atom, +Codes:list, -Text:string) is det.
%
%   Text says why Rule holds of the one tree of Codes, or where it fails.

explain_text(Rule, Codes, Text) :-
    coded_trees(Codes, [Tree]),
    rule_module(Rule, natural, Module),
    explanation(Module, Tree, Explanation),
    explanation_text(Explanation, Text).

%!  explain_marked(+Rule:atom, +Codes:list, -Rows:list(list)) is det.
%
%   The lines of explain_text/3, each with the places in the tree that it speaks
%   of, see marking.pl.

explain_marked(Rule, Codes, Rows) :-
    coded_trees(Codes, [Tree]),
    rule_module(Rule, natural, Module),
    explanation(Module, Tree, Explanation),
    marked_lines(Explanation, Tree, Rows).

%!  certificates(+Rule:atom, +Codes:list, -Certificates:list(list)) is det.
%
%   Short proofs for the trees of Codes, see certificates.pl.

certificates(Rule, Codes, Certificates) :-
    rule_module(Rule, natural, Module),
    coded_trees(Codes, Trees),
    maplist(certificate(Module), Trees, Certificates).

:- module(kandy_texts,
          [ rule_text/2,                % +Rule, -Text
            module_text/3,              % +Rule, +Text, -Source
            domain_text/1               % -Text
          ]).

:- use_module(library(listing), [portray_clause/1, portray_clause/3]).
:- use_module(library(lists), [member/2]).
:- use_module(hornbeam(prolog/kandy_kb), [shape/1, color/1, size/1, atom_props/4]).
:- use_module(rules, [clause_head/2, rule_sources/2, text_sources/3]).

/** <module> Rules and domains as source text

Apart from the service because library(listing) does not load into the contained
process that runs other people's rules.
*/

%!  rule_text(+Rule:atom, -Text:string) is det.
%
%   Text is how Rule is written, with the names of its variables.

rule_text(Rule, Text) :-
    rule_sources(Rule, Sources),
    with_output_to(string(Text), write_sources(Sources)).

write_sources(Sources) :-
    forall(member(source(Clause, Bindings), Sources),
           portray_clause(current_output, Clause, [variable_names(Bindings)])).

%!  module_text(+Rule:atom, +Text:text, -Source:string) is det.
%
%   Source is a file like those of kb/kandy/tasks for a rule that came as Text.
%   What the rule defines for itself is not imported.

module_text(Rule, Text, Source) :-
    text_sources(Text, positive_rule, Sources),
    findall(Name/Arity,
            ( member(source(Clause, _), Sources),
              clause_head(Clause, Head),
              functor(Head, Name, Arity),
              Name/Arity \== valid/1
            ),
            Heads),
    sort(Heads, Own),
    atom_concat(kandy_, Rule, Module),
    with_output_to(string(Source),
                   ( portray_clause((:- module(Module, [valid/1]))),
                     nl,
                     portray_clause((:- use_module('../natural/full', except(Own)))),
                     portray_clause((:- discontiguous valid/1)),
                     forall(member(Predicate, Own), portray_clause((:- discontiguous Predicate))),
                     nl,
                     write_sources(Sources)
                   )).

%!  domain_text(-Text:string) is det.
%
%   Text is the source of a module kandy_domain with the current domain.

domain_text(Text) :-
    with_output_to(string(Text), write_domain).

write_domain :-
    portray_clause((:- module(kandy_domain,
                              [shape/1, color/1, size/1, atom_props/4]))),
    format("~n/** <module> The domain of this dataset: shape, color, size and atom_props */~n~n"),
    portray_clause((:- dynamic shape/1, color/1, size/1, atom_props/4)),
    forall(shape(Shape), portray_clause(shape(Shape))),
    forall(color(Color), portray_clause(color(Color))),
    forall(size(Size), portray_clause(size(Size))),
    forall(atom_props(Object, Shape, Color, Size),
           portray_clause(atom_props(Object, Shape, Color, Size))).

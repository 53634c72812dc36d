:- module(mdie_settings,
          [ settings/2,             % +Options, -Settings
            setting/3,              % +Name, +Settings, -Value
            setting_default/3       % ?Name, ?Type, ?Default
          ]).
:- autoload(library(apply), [maplist/2]).
:- autoload(library(error), [must_be/2, domain_error/2]).
:- autoload(library(option), [option/3]).

/** <module> The settings of the learner, checked

Settings are an option list on the outside and a dict inside. A name that is not known, or a value out of range, is an
error: a misspelt setting that is silently ignored has cost people whole experiments.
*/

%!  setting_default(?Name, ?Type, ?Default) is nondet.
%
%   Name is a setting, its values are of Type (as for must_be/2), and Default holds where it is not given.

% The space of clauses.
setting_default(max_body,    nonneg, 5).           % literals in a body
setting_default(max_vars,    positive_integer, 6). % variables of a clause, those of its head included
setting_default(depth,       nonneg, 3).           % calls between the head and a variable
setting_default(recall,      positive_integer, 50). % answers of a call, where its mode says nothing
setting_default(max_bottom,  positive_integer, 1000). % literals of a bottom clause
% What counts as a good clause.
setting_default(evaluation,  oneof([coverage, compression, laplace, m_estimate, accuracy]), coverage).
setting_default(m,           nonneg, 2).           % weight of the prior in the m-estimate
setting_default(noise,       nonneg, 0).           % negatives that a clause may cover
setting_default(min_pos,     positive_integer, 1). % positives that a clause must cover
setting_default(min_acc,     between(0.0, 1.0), 0.0). % part of what it covers that must be positive
% How long to search.
setting_default(strategy,    oneof([cover, few, max]), few).
setting_default(nodes,       positive_integer, 5000). % clauses tried for a seed in the first round
setting_default(passes,      positive_integer, 1). % rounds, each with the literals in another order
setting_default(growth,      positive_integer, 5). % how many times more clauses each round may try
setting_default(inferences,  positive_integer, 50000). % of the proof of one example
setting_default(chunk,       positive_integer, 250). % clauses tried between two events
setting_default(order,       list(positive_integer), []). % the seeds, by their place among the positives

%!  settings(+Options, -Settings) is det.
%
%   Settings has a value for every setting: that of Options, or the default.
%
%   @error domain_error(mdie_setting, Name) if there is no such setting
%   @error type_error(Type, Value) if Value is none of the setting's values

settings(Options, Settings) :-
    must_be(list, Options),
    maplist(known_option, Options),
    findall(Name-Value,
            ( setting_default(Name, Type, Default),
              setting_value(Name, Type, Default, Options, Value)
            ),
            Pairs),
    dict_pairs(Settings, mdie_settings, Pairs).

known_option(Option) :-
    must_be(compound, Option),
    (   option_name(Option, Name),
        setting_default(Name, _, _)
    ->  true
    ;   domain_error(mdie_setting, Option)
    ).

option_name(Name=_, Name) :- !.
option_name(Option, Name) :-
    functor(Option, Name, 1).

setting_value(Name, Type, Default, Options, Value) :-
    Option =.. [Name, Value],
    option(Option, Options, Default),
    must_be(Type, Value).

%!  setting(+Name, +Settings, -Value) is det.

setting(Name, Settings, Value) :-
    get_dict(Name, Settings, Value).

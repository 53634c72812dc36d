:- module(rudas_labels,
          [ label/4,                    % ?Label, ?World, ?Split, ?Meaning
            original_file/3             % ?Name, ?World, ?Labels
          ]).

/** <module> What is known of each fact, and which files hold it

There are two worlds of the same rules: `train` is learned from, `eval` is fresh and serves to score rules.
In each the facts are the support S and its consequences C, and D is both. The open world hides a part of C
from the training set; noise hides a part of S and adds facts that are false in D.
*/

%!  label(?Label, ?World, ?Split, ?Meaning) is nondet.
%
%   A fact of World that bears Label belongs to Split: `train` is what a learner is given, `valid` what is
%   true in the same world and withheld, `test` the fresh world.

label(support,     train, train, 'given, not by a rule').
label(consequence, train, train, 'follows from the support, and is given').
label(noise,       train, train, 'given, but false').
label(removed,     train, valid, 'follows from the support, withheld: the open world').
label(missing,     train, valid, 'a support fact that is withheld').
label(support,     eval,  test,  'support of the fresh world').
label(consequence, eval,  test,  'follows from the support of the fresh world').

%!  original_file(?Name, ?World, ?Labels) is nondet.
%
%   The file Name.txt of a dataset folder of RuDaS holds the facts of World with one of Labels.

original_file('train-support', train, [support, missing]).
original_file('train-conseqs', train, [consequence, removed]).
original_file('train-cw',      train, [support, missing, consequence, removed]).
original_file('train-ow',      train, [support, missing, consequence]).
original_file('train-cw-n',    train, [support, consequence, removed, noise]).
original_file(train,           train, [support, consequence, noise]).
original_file(test,            train, [removed]).
original_file('eval-support',  eval,  [support]).
original_file('eval-conseqs',  eval,  [consequence]).
original_file('eval-cw',       eval,  [support, consequence]).

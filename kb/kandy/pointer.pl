:- module(kandy_pointer,
          [ extract_operator/2,         % +Node, ?Operator
            extract_children/2,         % +Node, ?Children
            extract_op_and_chld/3,      % +Node, ?Operator, ?Children
            contains/2,                 % +Node, ?Child
            recursive_contains/2,       % +Node, ?Object
            recursive_contains2/3,      % +Node, ?Descendant, ?Depth
            contains_composition/2,     % +Node, ?Operator
            contains_composition_depth/3, % +Node, ?Operator, ?Depth
            house/1,                    % +Node
            car/1,                      % +Node
            tower/1,                    % +Node
            wagon/1,                    % +Node
            traffic_light/1,            % +Node
            named_object/1,             % ?Name
            is_named_object/2,          % +Node, ?Name
            forall_shared_shape/2,      % +Node, +Shape
            forall_shared_color/2,      % +Node, +Color
            forall_shared_named_obj/2,  % +Node, +Name
            pseudo_palindrome/1,        % +Nodes
            pseudo_palindrome2/1        % +Nodes
          ]).

:- use_module(library(lists), [last/2, member/2]).
:- use_module(attributes,
              [ extract_shape/2, extract_color/2,
                same_shape/2, same_color/2, same_size/2, same_non_size/1
              ]).
:- use_module(domain, [atom_props/4]).
:- use_module(scenes, [defined_as/3]).
:- use_module(sequences, [droplast/2]).

/** <module> Pictures in the pointer encoding: a composition is a fact

A node is the name of an object, or a pointer that defined_as/3 explains (see
scenes.pl).  There are no compound terms, which suits learners that allow none.

The operators and children of a node are found through defined_as/3 under the
names that the natural encoding uses, so that each rule of tasks/ holds in both
encodings as it stands.  In the paper's pointer knowledge base these names are
missing, and its large version, which calls them, cannot run.
*/

%!  extract_operator(+Node:atom, ?Operator:atom) is semidet.
%
%   Node is a composition by Operator.

extract_operator(Node, Operator) :-
    defined_as(Node, Operator, _).

%!  extract_children(+Node:atom, ?Children:list) is semidet.
%
%   Node is a composition of Children.

extract_children(Node, Children) :-
    defined_as(Node, _, Children).

%!  extract_op_and_chld(+Node:atom, ?Operator:atom, ?Children:list) is semidet.
%
%   Node is the composition by Operator of Children.

extract_op_and_chld(Node, Operator, Children) :-
    defined_as(Node, Operator, Children).

:- include(structure).
:- include(objects).

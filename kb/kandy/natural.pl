:- module(kandy_natural,
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
:- use_module(sequences, [droplast/2]).

/** <module> Pictures in the natural encoding: a composition is a term

A picture is a tree.  A leaf is the name of an object, and a composition is its
operator applied to the list of its children:

    in([grid([circle_red_small, square_red_large])])

What is said of trees in general is in structure.pl and objects.pl, which this
module and kandy_pointer both include: one text, true of both encodings.
*/

%!  extract_operator(+Node, ?Operator:atom) is semidet.
%
%   Node is a composition by Operator.

extract_operator(Node, Operator) :-
    functor(Node, Operator, 1).

%!  extract_children(+Node, ?Children:list) is semidet.
%
%   Node is a composition of Children.

extract_children(Node, Children) :-
    functor(Node, _, 1),
    arg(1, Node, Children).

%!  extract_op_and_chld(+Node, ?Operator:atom, ?Children:list) is semidet.
%
%   Node is the composition by Operator of Children.

extract_op_and_chld(Node, Operator, Children) :-
    functor(Node, Operator, 1),
    arg(1, Node, Children).

:- include(structure).
:- include(objects).

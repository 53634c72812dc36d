:- module(kandy_hard_11_shared_object, [valid/1]).      % +Node

:- use_module('../natural/full',
              [ named_object/1, contains/2, is_named_object/2
              ]).

%!  valid(+Node) is nondet.
%
%   Every direct child of Node has, among its own children, a named object of
%   one and the same kind.  A Node without children is valid.

valid(Node) :-
    named_object(Name),
    forall(contains(Node, Group),
           ( contains(Group, Object),
             is_named_object(Object, Name)
           )).

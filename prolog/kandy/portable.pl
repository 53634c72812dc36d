:- module(kandy_portable,
          [ portable/1                  % +Module
          ]).

:- use_module(library(lists), [member/2]).
:- use_module(hornbeam(prolog/kandy_kb), [any_composition/1]).
:- use_module(calls, [own_call/2, own_clause/3]).

/** <module> Rules that mean the same in both encodings

A rule that reaches nodes through the background knowledge alone holds of the
same pictures in the natural and in the pointer encoding.  One that takes terms
apart, orders them, or matches `stack([A, B])` itself is a rule over the
natural encoding only.
*/

%!  portable(+Module:atom) is semidet.
%
%   The clauses of Module reach nodes through the background knowledge alone.
%   Fails also where that cannot be told.

portable(Module) :-
    forall(own_call(Module, Goal), blind(Module, Goal)),
    \+ ( own_clause(Module, Head, Body),
         sub_composition((Head :- Body))
       ).

%   blind(+Module, +Goal): Goal does not look into nodes.
blind(Module, Goal) :-
    predicate_property(Module:Goal, implementation_module(Defined)),
    (   Defined == Module
    ;   sub_atom(Defined, 0, _, _, kandy_)
    ),
    !.
blind(_, Goal) :-
    functor(Goal, Name, Arity),
    memberchk(Name/Arity,
              [ true/0, fail/0, false/0, !/0, (=)/2, (\=)/2, (==)/2, (\==)/2, dif/2,
                (is)/2, (<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, between/3, succ/2, plus/3,
                length/2, member/2, memberchk/2, append/3, append/2, reverse/2, nth0/3, nth1/3,
                last/2, select/3, selectchk/3, subtract/3, delete/3, exclude/3, include/3,
                permutation/2, sum_list/2, max_list/2, min_list/2, max_member/2, same_length/2,
                prefix/2, sumlist/2, numlist/3, phrase/2, phrase/3
              ]).

sub_composition(Term) :-
    sub_term_(Sub, Term),
    compound(Sub),
    compound_name_arity(Sub, Operator, 1),
    any_composition(Operator),
    !.

sub_term_(Term, Term).
sub_term_(Sub, Term) :-
    compound(Term),
    compound_name_arguments(Term, _, Arguments),
    member(Argument, Arguments),
    sub_term_(Sub, Argument).

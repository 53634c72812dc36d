:- module(hornbeam_judge_recursion,
          [ makes_terms/1,          % +Clause
            self_calling/2,         % +AllCalls, -Predicates
            stratified/1            % +AllCalls
          ]).
:- set_module(base(system)).
:- use_module(hornbeam(prolog/judge/reading), [unfit/4]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

/** <module> Which predicates of a text call themselves

The calls of a text are a list of calls(Name/Arity, Calls, Size), one for each clause; a call is Sign-Callee, and Sign is + or -.
*/

%!  stratified(+AllCalls:list) is det.
%
%   No predicate depends on its own negation.
%
%   @throws hornbeam_unfit(Line, Kind, Message)

stratified(AllCalls) :-
    (   member(calls(Caller, Calls, _), AllCalls),
        member((-)-Callee, Calls),
        reaches(Callee, Caller, AllCalls)
    ->  unfit(1, unstratified, '~q depends on its own negation', [Caller])
    ;   true
    ).

%!  self_calling(+AllCalls:list, -Predicates:list) is det.
%
%   Predicates are those that call themselves, directly or through others.

self_calling(AllCalls, Predicates) :-
    findall(Predicate, member(calls(Predicate, [_|_], _), AllCalls), Callers0),
    sort(Callers0, Callers),
    findall(Predicate, ( member(Predicate, Callers), reaches_again(Predicate, AllCalls) ), Predicates).

%!  makes_terms(+Clause) is semidet.
%
%   The clause makes a list or a number.

makes_terms(Clause) :-
    (   Clause = (Head :- Body)
    ->  true
    ;   Head = Clause,
        Body = true
    ),
    (   list_in(Head)
    ;   body_atom(Body, Atom),
        (   list_in(Atom)
        ;   Atom = (_ is _)
        )
    ),
    !.

list_in(Atom) :-
    compound(Atom),
    arg(_, Atom, Argument),
    nonvar(Argument),
    Argument = [_|_],
    !.

body_atom((A, B), Atom) :- !, ( body_atom(A, Atom) ; body_atom(B, Atom) ).
body_atom((A ; B), Atom) :- !, ( body_atom(A, Atom) ; body_atom(B, Atom) ).
body_atom(\+ A, Atom) :- !, body_atom(A, Atom).
body_atom(forall(A, B), Atom) :- !, ( body_atom(A, Atom) ; body_atom(B, Atom) ).
body_atom(Atom, Atom).

reaches_again(Predicate, AllCalls) :-
    called(Predicate, Next, AllCalls),
    reaches(Next, Predicate, AllCalls),
    !.

called(Caller, Callee, AllCalls) :-
    member(calls(Caller, Calls, _), AllCalls),
    member(_-Callee, Calls).

reaches(From, To, AllCalls) :-
    reach([From], [], To, AllCalls).

reach([To|_], _, To, _) :- !.
reach([One|Todo], Seen, To, AllCalls) :-
    (   memberchk(One, Seen)
    ->  reach(Todo, Seen, To, AllCalls)
    ;   findall(Next, called(One, Next, AllCalls), More),
        sort(More, Sorted),
        append(Sorted, Todo, Todo1),
        reach(Todo1, [One|Seen], To, AllCalls)
    ).

:- module(mdie_modes,
          [ head_mode/2,            % +Template, -Mode
            body_modes/4,           % +Template, +Recall, +Negated, -Modes
            mode_goal/3,            % +Mode, -Goal, -Arguments
            mode_sign/2,            % +Mode, -Sign
            mode_recall/2,          % +Mode, -Recall
            mode_indicator/2        % +Mode, -Indicator
          ]).
:- autoload(library(apply), [maplist/3, maplist/4]).
:- autoload(library(error), [must_be/2, type_error/2]).

/** <module> Modes: how a predicate may be called in a clause

A template such as `edge(+node, -node, #(colour))` says of each place how it is filled, and with terms of which type:

  - `+Type`: a variable that is bound before the call
  - `-Type`: a variable that the call binds
  - `#(Type)`: a constant, taken from a proof
  - `?Type`: either of the first two.

Types are labels: a variable only ever stands in places of one type. Inside, a template becomes one mode for each way to
read its `?` places, `mode(Name/Arity, Places, Recall, Sign)`, where a place is `in(Type)`, `out(Type)` or
`constant(Type)`, and Sign is `positive` or `negative`.
*/

%!  head_mode(+Template, -Mode) is det.
%
%   In a head `?` is read as `+`: a head variable may be used by any literal.

head_mode(Template, mode(Name/Arity, Places, 1, positive)) :-
    must_be(callable, Template),
    compound_or_atom(Template, Name, Arity, Arguments),
    maplist(head_place(Template), Arguments, Places).

head_place(Template, Argument, Place) :-
    place_readings(Template, Argument, [Place|_]).

%!  body_modes(+Template, +Recall, +Negated:boolean, -Modes) is det.
%
%   Modes are the readings of Template, and if Negated those of its negation. All variables of a negated literal are
%   bound before its call, so there `-` and `?` are read as `+`.

body_modes(Template, Recall, Negated, Modes) :-
    must_be(callable, Template),
    compound_or_atom(Template, Name, Arity, Arguments),
    maplist(place_readings(Template), Arguments, Readings),
    findall(mode(Name/Arity, Places, Recall, positive), reading(Readings, Places), Positive),
    (   Negated == true
    ->  maplist(bound_place, Arguments, Bound),
        append_one(Positive, mode(Name/Arity, Bound, 1, negative), Modes)
    ;   Modes = Positive
    ).

compound_or_atom(Template, Name, Arity, Arguments) :-
    (   atom(Template)
    ->  Name = Template, Arity = 0, Arguments = []
    ;   compound_name_arguments(Template, Name, Arguments),
        functor(Template, _, Arity)
    ).

place_readings(Template, Argument, Readings) :-
    (   nonvar(Argument),
        readings(Argument, Readings, Type),
        atom(Type)
    ->  true
    ;   type_error(mode, Template)
    ).

readings(+Type,   [in(Type)],            Type).
readings(-Type,   [out(Type)],           Type).
readings(#(Type), [constant(Type)],      Type).
readings(?(Type), [in(Type), out(Type)], Type).

bound_place(#(Type), Place) => Place = constant(Type).
bound_place(Argument, Place) => arg(1, Argument, Type), Place = in(Type).

reading([], []).
reading([Places|Readings], [Place|Rest]) :-
    one_of(Places, Place),
    reading(Readings, Rest).

one_of([Place|_], Place).
one_of([_|Places], Place) :-
    one_of(Places, Place).

append_one([], Last, [Last]).
append_one([First|Rest], Last, [First|More]) :-
    append_one(Rest, Last, More).

%!  mode_goal(+Mode, -Goal, -Arguments) is det.
%
%   Goal is a call of the mode's predicate with fresh variables, and Arguments pairs each place with its variable.

mode_goal(mode(Name/Arity, Places, _, _), Goal, Arguments) :-
    functor(Goal, Name, Arity),
    (   Arity == 0
    ->  Arguments = []
    ;   compound_name_arguments(Goal, _, Variables),
        maplist(place_argument, Places, Variables, Arguments)
    ).

place_argument(Place, Variable, Place-Variable).

%!  mode_sign(+Mode, -Sign:oneof([positive,negative])) is det.

mode_sign(mode(_, _, _, Sign), Sign).

%!  mode_recall(+Mode, -Recall) is det.
%
%   Recall is a bound on the answers that are looked at, or `default`.

mode_recall(mode(_, _, Recall, _), Recall).

%!  mode_indicator(+Mode, -Indicator) is det.

mode_indicator(mode(Indicator, _, _, _), Indicator).

:- module(hornbeam_wire,
          [ encode_term/2,          % +Term, -Wire
            decode_term/2,          % +Wire, -Term
            decode_term/4,          % +Wire, -Term, +Names0, -Names
            name_variables/2,       % +Names, +Values
            portable_integer/1      % +Integer
          ]).
:- use_module(depth, [most_depth/1]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(error), [type_error/2]).
:- autoload(library(lists), [memberchk/2]).

/** <module> Terms as values that cross to Python

A *wire* value is what both bridges carry without loss: atoms, integers, finite floats, lists, and tuples (`-/N`)
whose first element is a tag:

  | `-(c, Name, Args)` | compound                                     |
  | `-(s, Text)`       | string                                       |
  | `-(v, Name)`       | variable                                     |
  | `-(r, Num, Den)`   | rational                                     |
  | `-(f, Text)`       | infinite float or NaN                        |

Atoms, integers, floats and lists of them stand for themselves, so bulk data crosses at the engine's own speed.
*/

%!  encode_term(+Term, -Wire) is det.
%
%   Variables must have been named with name_variables/2.
%
%   @error type_error(acyclic_term, Term) if Term contains itself.
%   @error hornbeam_too_deep if Term is nested deeper than most_depth/1.
%   @error hornbeam_too_long if Term has an integer of more than 4,200 digits.
%   @error type_error(portable_term, X) if X is a stream, a clause reference or another blob.

encode_term(Term, Wire) :-
    (   acyclic_term(Term)
    ->  most_depth(Depth),
        % Ours stand around terms from outside.
        Levels is Depth+20,
        encode(Levels, Term, Wire)
    ;   type_error(acyclic_term, Term)
    ).

encode(_, Term, Wire), atom(Term)     => Wire = Term.
encode(_, [], Wire)                   => Wire = [].
encode(_, Term, Wire), integer(Term)  => portable_integer(Term), Wire = Term.
encode(Levels, [Head|Tail], Wire), is_list(Tail) =>
    deeper(Levels, Less),
    maplist(encode(Less), [Head|Tail], Wire).
encode(_, Term, Wire), float(Term)    => encode_float(Term, Wire).
encode(_, Term, Wire), string(Term)   => Wire = -(s, Term).
encode(_, Term, Wire), rational(Term, Num, Den) =>
    portable_integer(Num),
    portable_integer(Den),
    Wire = -(r, Num, Den).
encode(_, '$hornbeam_variable'(Name), Wire) => Wire = -(v, Name).
encode(Levels, Term, Wire), compound(Term) =>
    deeper(Levels, Less),
    compound_name_arguments(Term, Name, Args0),
    maplist(encode(Less), Args0, Args),
    Wire = -(c, Name, Args).
encode(_, Term, _) => type_error(portable_term, Term).

deeper(Levels, Less) :-
    (   Levels > 0
    ->  Less is Levels-1
    ;   throw(error(hornbeam_too_deep, _))
    ).

%!  portable_integer(+Integer) is det.
%
%   Python refuses to read integers of more than 4,300 digits, because that takes long.
%
%   @error hornbeam_too_long

portable_integer(Integer) :-
    (   Integer =< 0x7fffffffffffffff,
        Integer >= -0x8000000000000000
    ->  true
    ;   Bits is msb(abs(Integer)),
        Bits =< 14_000
    ->  true
    ;   throw(error(hornbeam_too_long, _))
    ).

encode_float(Float, Wire) :-
    float_class(Float, Class),
    (   memberchk(Class, [infinite, nan])
    ->  special_float(Float, Class, Text),
        Wire = -(f, Text)
    ;   Wire = Float
    ).

special_float(_, nan, nan) :- !.
special_float(Float, infinite, inf) :- Float > 0, !.
special_float(_, infinite, '-inf').

%!  name_variables(+Names, +Values) is det.
%
%   Bind the variables that are left in Values: one that is itself a value gets the name at its place in Names, the
%   others get `_0`, `_1`, ... . Attributes are dropped.

name_variables(Names, Values) :-
    maplist(name_value, Names, Values),
    term_variables(Values, Rest),
    number_variables(Rest, 0).

name_value(Name, Value) :-
    (   var(Value)
    ->  bind_name(Value, Name)
    ;   true
    ).

number_variables([], _).
number_variables([Var|Rest], N) :-
    format(atom(Name), '_~d', [N]),
    bind_name(Var, Name),
    N1 is N+1,
    number_variables(Rest, N1).

bind_name(Var, Name) :-
    del_attrs(Var),
    Var = '$hornbeam_variable'(Name).

%!  decode_term(+Wire, -Term) is det.
%!  decode_term(+Wire, -Term, +Names0, -Names) is det.
%
%   The same variable name is the same variable throughout; Names maps names to variables as Name=Var.

decode_term(Wire, Term) :-
    decode_term(Wire, Term, [], _).

decode_term(Wire, Term, Names0, Names), atomic(Wire) => Names = Names0, Term = Wire.
decode_term([Head|Tail], Term, Names0, Names) => decode_list([Head|Tail], Term, Names0, Names).
decode_term(-(c, Name, Args0), Term, Names0, Names) =>
    decode_list(Args0, Args, Names0, Names),
    compound_name_arguments(Term, Name, Args).
decode_term(-(s, Text), Term, Names0, Names) => Names = Names0, atom_string(Text, Term).
decode_term(-(r, Num, Den), Term, Names0, Names) => Names = Names0, Term is Num rdiv Den.
decode_term(-(f, Text), Term, Names0, Names) => Names = Names0, float_named(Text, Term).
decode_term(-(v, Name), Term, Names0, Names) =>
    (   memberchk(Name=Var, Names0)
    ->  Term = Var,
        Names = Names0
    ;   Names = [Name=Term|Names0]
    ).

decode_list([], [], Names, Names).
decode_list([Wire|Wires], [Term|Terms], Names0, Names) :-
    decode_term(Wire, Term, Names0, Names1),
    decode_list(Wires, Terms, Names1, Names).

float_named(nan, Float)    :- Float is nan.
float_named(inf, Float)    :- Float is inf.
float_named('-inf', Float) :- Float is -inf.

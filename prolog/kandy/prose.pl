:- module(kandy_prose,
          [ prose//1,                   % +Explanation
            line_text/2                 % +Line, -Text
          ]).

:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- use_module(library(dcg/high_order), [sequence//2]).

/** <module> Explanations as lines of text

A line that begins with `+` is true, one that begins with `-` is not.  The
compositions of a picture are written once, at the top, and then go by names:

    Picture = in([A])
      A = stack([triangle_red_small, square_red_large])
    valid(Picture) does not hold:
      + contains(Picture, A)
      - house(A)
*/

%!  prose(+Explanation)// is det.
%
%   The lines of an explanation (see explain.pl): line(Text, Goal), where Goal is
%   what the line says to hold or to fail, and `none` for a line without a goal.

prose(holds(Tree, Proof)) -->
    picture(Tree, Names),
    line(0, 'valid(Picture) holds:', []),
    proof_body(Proof, Names, 1).
prose(fails(Tree, failed(_, Reason))) -->
    picture(Tree, Names),
    line(0, 'valid(Picture) does not hold:', []),
    reason(Reason, Names, 1).
prose(undecided(Tree)) -->
    picture(Tree, _),
    line(0, 'The rule does not come to an end on this picture.', []).

%   The compositions of the tree, each with its name; Names maps a composition
%   to its name.
picture(Tree, Names) -->
    { empty_assoc(None),
      put_assoc(Tree, None, '$VAR'('Picture'), Names0),
      named_below(Tree, named(0, Names0, Inner), named(_, Names, [])),
      defined(Tree, Names, Text)
    },
    line(0, 'Picture = ~w', [Text]),
    sequence(definition(Names), Inner).

definition(Names, Tree) -->
    { get_assoc(Tree, Names, Name),
      written(Name, 0, NameText),
      defined(Tree, Names, Text)
    },
    line(1, '~w = ~w', [NameText, Text]).

%   The text of a composition with its parts under their names.
defined(Tree, Names, Text) :-
    (   composition(Tree, Operator, Children)
    ->  with_names(Children, Names, NamedChildren),
        compound_name_arguments(Named, Operator, [NamedChildren])
    ;   Named = Tree
    ),
    written(Named, 0, Text).

%   named_below(+Tree, +State0, -State): gives names to the compositions below
%   Tree; the state is named(Number, Names, Compositions), the last an open list.
named_below(Tree, State0, State) :-
    (   composition(Tree, _, Children)
    ->  named_all(Children, State0, State1),
        named_below_all(Children, State1, State)
    ;   State = State0
    ).

%   What a person calls a tree may be no tree.
composition(Tree, Operator, Children) :-
    compound(Tree),
    compound_name_arguments(Tree, Operator, [Children]),
    is_list(Children).

named_all([], State, State).
named_all([Child|Children], State0, State) :-
    named(Child, State0, State1),
    named_all(Children, State1, State).

named(Child, named(Number0, Names0, All), State) :-
    (   composition(Child, _, _),
        \+ get_assoc(Child, Names0, _)
    ->  put_assoc(Child, Names0, '$VAR'(Number0), Names),
        Number is Number0 + 1,
        All = [Child|Rest],
        State = named(Number, Names, Rest)
    ;   State = named(Number0, Names0, All)
    ).

named_below_all([], State, State).
named_below_all([Child|Children], State0, State) :-
    named_below(Child, State0, State1),
    named_below_all(Children, State1, State).

proof_body(by(_, Proofs), Names, Depth) -->
    proof_list(Proofs, Names, Depth).
proof_body(given(Goal), Names, Depth) -->
    goal_line(Depth, +, Goal, Names).

proof_list([], _, Depth) -->
    line(Depth, 'it is a fact', []).
proof_list([Proof|Proofs], Names, Depth) -->
    sequence(proof_in(Names, Depth), [Proof|Proofs]).

proof_in(Names, Depth, Proof) -->
    proof(Proof, Names, Depth).

proof(given(Goal), Names, Depth) -->
    goal_line(Depth, +, Goal, Names).
proof(by(Goal, Proofs), Names, Depth) -->
    goal_line(Depth, +, Goal, Names),
    { Below is Depth + 1 },
    sequence(proof_in(Names, Below), Proofs).
proof(absent(Goal), Names, Depth) -->
    goal_line(Depth, +, \+ Goal, Names).
proof(every(If, Cases), Names, Depth) -->
    every(Cases, If, Names, Depth).

every([], If, Names, Depth) -->
    goal_line(Depth, +, \+ If, Names).
every([Case|Cases], If, Names, Depth) -->
    { shown(If, Names, Text),
      Below is Depth + 1,
      length([Case|Cases], Count)
    },
    line(Depth, '+ for every ~w (~d)', [Text, Count]),
    sequence(case(Names, Below), [Case|Cases]).

case(Names, Depth, [Proof|Proofs]) -->
    proof(Proof, Names, Depth),
    { Below is Depth + 1 },
    sequence(proof_in(Names, Below), Proofs).

%   A wrapper or a conjunction is told by what fails inside it.
failure(failed(Goal, Reason), Names, Depth) -->
    { transparent(Goal) },
    !,
    reason(Reason, Names, Depth).
failure(failed(Goal, Reason), Names, Depth) -->
    goal_line(Depth, -, Goal, Names),
    { Below is Depth + 1 },
    reason(Reason, Names, Below).

transparent((_, _)).
transparent(once(_)).
transparent(call(_)).

reason(plainly, _, _) -->
    [].
reason(no_clause, _, Depth) -->
    line(Depth, 'no clause is for this', []).
reason(clauses([stop(_, Ways)]), Names, Depth) -->
    !,
    ways(Ways, Names, Depth).
reason(clauses(Stops), Names, Depth) -->
    sequence(stop(Names, Depth), Stops).
reason(stuck(Ways), Names, Depth) -->
    ways(Ways, Names, Depth).
reason(provable(Proofs), Names, Depth) -->
    line(Depth, 'because this holds', []),
    sequence(proof_in(Names, Depth), Proofs).
reason(counterexample(Proofs, Failure), Names, Depth) -->
    line(Depth, 'not for', []),
    sequence(proof_in(Names, Depth), Proofs),
    failure(Failure, Names, Depth).
reason(branches(Failures), Names, Depth) -->
    sequence(failure_in(Names, Depth), Failures).

failure_in(Names, Depth, Failure) -->
    failure(Failure, Names, Depth).

stop(Names, Depth, stop(Number, Ways)) -->
    line(Depth, 'clause ~d', [Number]),
    { Below is Depth + 1 },
    ways(Ways, Names, Below).

ways([], _, _) -->
    [].
ways([Way], Names, Depth) -->
    !,
    way(Names, Depth, Way).
ways([Way|Ways], Names, Depth) -->
    way(Names, Depth, Way),
    line(Depth, 'or', []),
    ways(Ways, Names, Depth).

way(Names, Depth, way(Done, Failure)) -->
    sequence(done(Names, Depth), Done),
    failure(Failure, Names, Depth).

done(Names, Depth, Goal) -->
    goal_line(Depth, +, Goal, Names).

goal_line(Depth, Sign, Goal, Names) -->
    { shown(Goal, Names, Text) },
    line(Depth, '~w ~w', [Sign, Text], Goal).

line(Depth, Format, Arguments) -->
    line(Depth, Format, Arguments, none).

line(Depth, Format, Arguments, Goal) -->
    { Column is 2 * Depth,
      format(atom(Text), Format, Arguments),
      format(atom(Line), '~*c~w', [Column, 0' , Text])
    },
    [line(Line, Goal)].

%!  line_text(+Line, -Text:atom) is det.
%
%   Text is what a line says.

line_text(line(Text, _), Text).

%   Goal as text, with compositions under their names, and cut short where the
%   line would still be long.
shown(Goal, Names, Text) :-
    with_names(Goal, Names, Named),
    copy_term_nat(Named, Copy),
    term_variables(Copy, Variables),
    anonymous(Variables),
    written(Copy, 0, Whole),
    (   atom_length(Whole, Length),
        Length =< 200
    ->  Text = Whole
    ;   written(Copy, 12, Text)
    ).

anonymous([]).
anonymous(['$VAR'('_')|Variables]) :-
    anonymous(Variables).

written(Term, Depth, Text) :-
    with_output_to(atom(Text),
                   write_term(Term, [ quoted(true), numbervars(true), max_depth(Depth),
                                      spacing(next_argument)
                                    ])).

with_names(Term, Names, Named) :-
    compound(Term),
    get_assoc(Term, Names, Name),
    !,
    Named = Name.
with_names(Term, Names, Named) :-
    compound(Term),
    !,
    compound_name_arguments(Term, Functor, Arguments),
    all_with_names(Arguments, Names, NamedArguments),
    compound_name_arguments(Named, Functor, NamedArguments).
with_names(Term, _, Term).

all_with_names([], _, []).
all_with_names([Term|Terms], Names, [Named|NamedTerms]) :-
    with_names(Term, Names, Named),
    all_with_names(Terms, Names, NamedTerms).

:- module(kandy_knowledge,
          [ knowledge_text/3,           % +Encoding, +Size, -Text
            knowledge_modes/3,          % +Encoding, +Size, -Modes
            knowledge_constants/2,      % +Type, -Constants
            knowledge_module/3,         % ?Encoding, ?Size, ?Module
            truth_text/4,               % +Rule, +Encoding, +Size, -Text
            scenes_text/4               % +Samples, +Codes, -Roots, -Text
          ]).

:- use_module(library(apply), [foldl/4, maplist/3]).
:- use_module(library(error), [must_be/2, permission_error/3]).
:- use_module(library(listing), [portray_clause/1]).
:- use_module(library(lists), [append/3, member/2, reverse/2]).
:- use_module(library(pairs), [group_pairs_by_key/2]).
:- use_module(hornbeam(prolog/kandy_kb), [shape/1, color/1, size/1, any_composition/1]).
:- use_module(hornbeam(kb/kandy/modes), [mode/3, head_mode/2]).
:- use_module(hornbeam(kb/kandy/natural), [named_object/1]).
:- use_module(hornbeam(kb/kandy/natural/minimal), []).
:- use_module(hornbeam(kb/kandy/natural/mid), []).
:- use_module(hornbeam(kb/kandy/natural/large), []).
:- use_module(hornbeam(kb/kandy/pointer/minimal), []).
:- use_module(hornbeam(kb/kandy/pointer/mid), []).
:- use_module(hornbeam(kb/kandy/pointer/large), []).
:- use_module(hornbeam(prolog/purity), [called/2]).
:- use_module(rules, [rule_module/3]).
:- use_module(trees, [coded_trees/2, trees_scenes/3]).

/** <module> The background knowledge as a learner gets it: one text, and its modes

A learner and the process that judges it get text and no files.  The text holds
the clauses of every predicate that the modes name, and of all that these call,
without modules; what comes from a library of SWI-Prolog is imported.
*/

%!  knowledge_module(?Encoding, ?Size, ?Module) is nondet.
%
%   Module exports the background knowledge of this Size in this Encoding.

knowledge_module(natural, minimal, kandy_natural_minimal).
knowledge_module(natural, mid, kandy_natural_mid).
knowledge_module(natural, large, kandy_natural_large).
knowledge_module(pointer, minimal, kandy_pointer_minimal).
knowledge_module(pointer, mid, kandy_pointer_mid).
knowledge_module(pointer, large, kandy_pointer_large).

%   The sizes that a size includes, the smallest first.
includes(minimal, [minimal]).
includes(mid, [minimal, mid]).
includes(large, [minimal, mid, large]).

%!  knowledge_modes(+Encoding, +Size, -Modes:list) is det.
%
%   Modes are the mode of the predicate to learn, and then those of the
%   background knowledge of Size: each a list of the name and of all fills and
%   types by turns, e.g. [contains, +, node, -, node].

knowledge_modes(Encoding, Size, [Head|Body]) :-
    must_be(oneof([natural, pointer]), Encoding),
    must_be(oneof([minimal, mid, large]), Size),
    once(head_mode(Encoding, HeadMode)),
    mode_row(HeadMode, Head),
    goals(Encoding, Size, Modes),
    maplist(mode_row, Modes, Body).

goals(Encoding, Size, Modes) :-
    includes(Size, Sizes),
    findall(Mode, ( member(Part, Sizes), mode(Part, Encoding, Mode) ), Modes).

mode_row(Mode, [Name|Row]) :-
    Mode =.. [Name|Places],
    findall(Part, ( member(Place, Places), Place =.. Pair, member(Part, Pair) ), Row).

%!  knowledge_constants(+Type:atom, -Constants:list) is det.
%
%   Constants are what a place of this Type may hold; none for types that are
%   not finite.

knowledge_constants(Type, Constants) :-
    findall(Constant, constant(Type, Constant), Constants).

constant(shape, Shape) :-
    shape(Shape).
constant(color, Color) :-
    color(Color).
constant(size, Size) :-
    size(Size).
constant(operator, Operator) :-
    any_composition(Operator).
constant(kind, Name) :-
    named_object(Name).

%!  knowledge_text(+Encoding, +Size, -Text:string) is det.
%
%   Text is a whole program for the modes of this Encoding and Size.

knowledge_text(Encoding, Size, Text) :-
    knowledge(Encoding, Size, Reversed),
    reverse(Reversed, Predicates),
    with_output_to(string(Text), write_program(Predicates)).

%   Predicates are all that the modes lead to, the last found first.
knowledge(Encoding, Size, Predicates) :-
    must_be(oneof([natural, pointer]), Encoding),
    must_be(oneof([minimal, mid, large]), Size),
    once(knowledge_module(Encoding, Size, Module)),
    goals(Encoding, Size, Goals),
    foldl(reach(Module), Goals, [], Predicates).

%   Seen is, last found first, own(Module, Name, Arity) or library(File, Name, Arity) for all
%   that Goal, called in Module, leads to.
reach(Module, Goal, Seen0, Seen) :-
    definition(Module, Goal, Definition),
    (   ( Definition == system ; memberchk(Definition, Seen0) )
    ->  Seen = Seen0
    ;   Definition = library(_, _, _)
    ->  Seen = [Definition|Seen0]
    ;   Definition = own(Home, Name, Arity),
        one_home(Definition, Seen0),
        functor(Head, Name, Arity),
        findall(Call, ( clause(Home:Head, Body), called(Body, Call), Call \== true ), Calls),
        foldl(reach(Home), Calls, [Definition|Seen0], Seen)
    ).

%   Without modules a name can have one meaning only.
one_home(own(Home, Name, Arity), Seen) :-
    member(own(Other, Name, Arity), Seen),
    Other \== Home,
    !,
    permission_error(flatten, predicate, Home:Name/Arity).
one_home(_, _).

definition(Module, Goal, Definition) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    (   ( predicate_property(system:Head, built_in) ; Head = dif(_, _) )
    ->  Definition = system             % the sandbox allows dif/2, but not to load its library
    ;   home(Module, Head, Home),
        (   module_property(Home, class(library)),
            module_property(Home, file(File))
        ->  file_name_extension(Path, _, File),
            file_base_name(Path, Library),
            Definition = library(Library, Name, Arity)
        ;   Definition = own(Home, Name, Arity)
        )
    ).

home(Module, Head, Home) :-
    predicate_property(Module:Head, imported_from(Home)),
    !.
home(Module, _, Module).

write_program(Predicates) :-
    findall(Library-(Name/Arity), member(library(Library, Name, Arity), Predicates), Unsorted),
    sort(Unsorted, Imports),
    group_pairs_by_key(Imports, Libraries),
    forall(member(Library-Names, Libraries), portray_clause((:- use_module(library(Library), Names)))),
    forall(member(own(Home, Name, Arity), Predicates), write_predicate(Home, Name, Arity)).

write_predicate(Home, Name, Arity) :-
    functor(Head, Name, Arity),
    nl,
    (   \+ \+ clause(Home:Head, _)
    ->  forall(clause(Home:Head, Body), write_clause(Head, Body))
    ;   portray_clause((:- dynamic Name/Arity))
    ).

write_clause(Head, true) :-
    !,
    portray_clause(Head).
write_clause(Head, Body) :-
    portray_clause((Head :- Body)).

%!  truth_text(+Rule:atom, +Encoding, +Size, -Text:string) is det.
%
%   Text is Rule as clauses over the background knowledge of Size: those of the
%   rule, and those of the helpers that this knowledge does not have.

truth_text(Rule, Encoding, Size, Text) :-
    knowledge(Encoding, Size, Known),
    rule_module(Rule, Encoding, Module),
    reach(Module, valid(_), Known, All),
    once(append(New, Known, All)),
    reverse(New, Helpers),
    with_output_to(string(Text), write_program(Helpers)).

%!  scenes_text(+Samples:list(atom), +Codes:list, -Roots:list, -Text:string) is det.
%
%   Text is the facts of the pointer encoding for the trees of Codes, under the
%   names Samples, and Roots the nodes that stand for them.

scenes_text(Samples, Codes, Roots, Text) :-
    coded_trees(Codes, Trees),
    trees_scenes(Trees, Roots, Definitions),
    with_output_to(string(Text),
                   ( write_samples(Samples, Roots),
                     forall(member(Definition, Definitions), format("~q.~n", [Definition]))
                   )).

write_samples([], []).
write_samples([Sample|Samples], [Root|Roots]) :-
    format("~q.~n", [sample_is(Sample, Root)]),
    write_samples(Samples, Roots).

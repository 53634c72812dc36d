:- module(kandy_tables,
          [ tables/8                    % +Size, +Depth, +Codes, -Roots, -Inside, -Nodes, -Rows, -Pairs
          ]).

:- use_module(library(apply), [foldl/4, maplist/3, maplist/4, maplist/5]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2, max_list/2, member/2]).
:- use_module(library(ordsets), [ord_subtract/3, ord_union/2, ord_union/3]).
:- use_module(library(assoc), [assoc_to_list/2, get_assoc/3, list_to_assoc/2]).
:- use_module(hornbeam(kb/kandy/modes), [mode/3]).
:- use_module(knowledge, [knowledge_module/3]).
:- use_module(trees, [coded_trees/2]).

/** <module> The background knowledge as tables

For learners that want ground facts and no terms: each predicate of the modes,
in the natural encoding, is asked of every node and list that a clause can
reach from a picture, and its answers are rows over names.  An object keeps its
own name; a composition is called c0, c1, ... and a list l0, l1, ..., the same
name wherever the same term comes up, so that equal names mean equal terms.
*/

%!  tables(+Size, +Depth:nonneg, +Codes:list, -Roots, -Inside, -Nodes, -Rows, -Pairs) is det.
%
%   Roots are the names of the trees of Codes, and Inside those of all that
%   lies up to Depth calls away from a tree, where the children of a composition
%   come with it.  Nodes are [Name, Tree] for the compositions among all that has
%   a name.  Rows are lists [Predicate|Arguments] for all answers of the
%   background knowledge of this Size over Inside.  What is found from there may
%   lie one call further out: it is tested, so that what Inside says of its
%   neighbours is whole, but leads nowhere.  A predicate that takes two nodes or
%   lists has those rows whose result was found in another way.  Pairs are
%   [Predicate, Node, Node] for the predicates of one list that hold, for some
%   constant, of the list of these two nodes of one picture.

tables(Size, Depth, Codes, Roots, Inside, Nodes, Rows, Pairs) :-
    must_be(oneof([minimal, mid, large]), Size),
    must_be(nonneg, Depth),
    once(knowledge_module(natural, Size, Module)),
    findall(Mode, ( part(Size, Part), mode(Part, natural, Mode) ), Modes),
    coded_trees(Codes, Trees),
    maplist(picture(Module, Modes, Depth), Trees, PictureThings, Pictures, PicturePairs),
    ord_union(PictureThings, Things),
    ord_union(Pictures, Answers),
    ord_union(PicturePairs, NodePairs),
    pair_answers(Module, Modes, NodePairs, PairAnswers),
    append([Answers, PairAnswers], All),
    names(Things, All, Names),
    maplist(name(Names, node), Trees, Roots),
    maplist(thing_name(Names), Things, Inside),
    Names = names(Compositions, _),
    assoc_to_list(Compositions, TreeNames),
    findall([Name, Tree], member(Tree-Name, TreeNames), Nodes),
    maplist(row(Names), Answers, Rows),
    maplist(row(Names), PairAnswers, Pairs).

part(minimal, minimal).
part(mid, minimal).
part(mid, mid).
part(large, minimal).
part(large, mid).
part(large, large).

thing_name(Names, Type-Term, Name) :-
    name(Names, Type, Term, Name).

%   Things is the ordered set of all that can be reached in Tree, Answers that of the answers of all
%   modes over it, and Pairs that of the pairs of nodes.  An answer is Mode-Arguments.
picture(Module, Modes, Depth, Tree, Things, Answers, Pairs) :-
    with_children([node-Tree], Start),
    layers(Depth, Module, Modes, Start, Start, Things),
    findall(node-Term,
            ( member(Thing, Things), step(Module, Modes, Thing, node-Term) ),
            Steps),
    sort(Steps, Nodes),
    ord_subtract(Nodes, Things, Outer),
    with_children(Outer, OuterThings),
    ord_union(Things, OuterThings, Tested),
    findall(Answer, answer(Module, Modes, [], Things, Tested, Answer), WithoutInts),
    ints(WithoutInts, Ints),
    findall(Answer, answer(Module, Modes, Ints, Things, Tested, Answer), WithInts),
    append([WithoutInts, WithInts], Unsorted),
    sort(Unsorted, Answers),
    findall(Left-Right, ( member(node-Left, Tested), member(node-Right, Tested) ), AllPairs),
    sort(AllPairs, Pairs).

%   Known, an ordered set of Type-Term, grows by the answers of the modes that take one of them and
%   nothing else.
layers(0, _, _, _, Known, Known) :-
    !.
layers(Depth, Module, Modes, Frontier, Known0, Known) :-
    findall(Type-Term, ( member(Thing, Frontier), step(Module, Modes, Thing, Type-Term) ), Found),
    sort(Found, Reached),
    with_children(Reached, Things),
    ord_subtract(Things, Known0, New),
    ord_union(Known0, New, Known1),
    Left is Depth - 1,
    layers(Left, Module, Modes, New, Known1, Known).

%   The list of its children comes with a composition.
with_children(Things, All) :-
    findall(list-Children,
            ( member(node-Node, Things),
              kandy_natural:extract_children(Node, Children)
            ),
            Lists),
    append([Things, Lists], Unsorted),
    sort(Unsorted, All).

step(Module, Modes, Type-Term, Type1-Term1) :-
    member(Mode, Modes),
    places(Mode, Places),
    findall(In, ( member(+In, Places) ), [Type]),
    member(-Out, Places),
    thing(Out),
    call_mode(Module, Mode, [Type-Term], Arguments),
    produced(Places, Arguments, Type1-Term1).

produced(Places, Arguments, Type-Term) :-
    matching(Places, Arguments, -Type, Term),
    thing(Type).

matching([Place|_], [Argument|_], Place, Argument).
matching([_|Places], [_|Arguments], Place, Argument) :-
    matching(Places, Arguments, Place, Argument).

thing(node).
thing(list).

places(Mode, Places) :-
    Mode =.. [_|Places].

%   A mode that leads on is answered over Things, any other over Tested, which is more.  What is made
%   of two things is among Things; else every new list would lead to another.
%   The modes that take integers are those that are asked if there are Ints.
answer(Module, Modes, Ints, Things, Tested, Mode-Arguments) :-
    member(Mode, Modes),
    places(Mode, Places),
    findall(Type, member(+Type, Places), Types),
    Types \== [],
    (   memberchk(int, Types)
    ->  Ints \== []
    ;   Ints == []
    ),
    (   leads_on(Places)
    ->  append([Ints, Things], Givens)
    ;   append([Ints, Tested], Givens)
    ),
    inputs(Types, Givens, Inputs),
    call_mode(Module, Mode, Inputs, Arguments),
    \+ ( takes_two(Types),
         produced(Places, Arguments, Thing),
         \+ memberchk(Thing, Things)
       ).

takes_two(Types) :-
    findall(Type, ( member(Type, Types), thing(Type) ), [_, _|_]).

%   The children of a composition come with it, at whatever distance.
leads_on(Places) :-
    Places \= [+node, -list],
    Places \= [+node, _, -list],
    member(-Type, Places),
    thing(Type),
    !.

inputs([], _, []).
inputs([Type|Types], Things, [Type-Term|Inputs]) :-
    member(Type-Term, Things),
    inputs(Types, Things, Inputs).

%   Arguments are those of an answer of Mode with Inputs in its + places.
call_mode(Module, Mode, Inputs, Arguments) :-
    Mode =.. [Name|Places],
    filled(Places, Inputs, Arguments),
    Goal =.. [Name|Arguments],
    call(Module:Goal),
    ground(Arguments).

filled([], _, []).
filled([+Type|Places], [Type-Term|Inputs], [Term|Arguments]) :-
    !,
    filled(Places, Inputs, Arguments).
filled([_|Places], Inputs, [_|Arguments]) :-
    filled(Places, Inputs, Arguments).

%   Ints are the integers from 0 to the largest one among the answers.
ints(Answers, Ints) :-
    findall(Int,
            ( member(Mode-Arguments, Answers),
              places(Mode, Places),
              matching(Places, Arguments, -int, Int)
            ),
            Found),
    max_list([0|Found], Largest),
    findall(int-Int, between(0, Largest, Int), Ints).

%   The predicates of one list, and of nothing else but constants, over lists of two nodes: those that
%   speak of all in the list.
pair_answers(Module, Modes, NodePairs, PairAnswers) :-
    findall(pair(Mode)-[Left, Right],
            ( member(Mode, Modes),
              places(Mode, Places),
              list_and_constants(Places),
              speaks_of_all(Module, Mode, NodePairs),
              member(Left-Right, NodePairs),
              once(call_mode(Module, Mode, [list-[Left, Right]], _))
            ),
            Unsorted),
    sort(Unsorted, PairAnswers).

%   What holds of a pair holds of each of the two.
speaks_of_all(Module, Mode, NodePairs) :-
    forall(( member(Left-Right, NodePairs),
             call_mode(Module, Mode, [list-[Left, Right]], Arguments)
           ),
           ( singleton(Mode, Arguments, Left, OfLeft),
             singleton(Mode, Arguments, Right, OfRight),
             \+ \+ Module:OfLeft,
             \+ \+ Module:OfRight
           )).

%   Goal is the call of Mode with the constants of Arguments, and with the list of one Node.
singleton(Mode, Arguments, Node, Goal) :-
    Mode =.. [Name|Places],
    maplist(with_one(Node), Places, Arguments, Singles),
    Goal =.. [Name|Singles].

with_one(Node, +list, _, [Node]) :-
    !.
with_one(_, _, Constant, Constant).

list_and_constants(Places) :-
    findall(Type, member(+Type, Places), [list]),
    \+ member(-_, Places).

%   Names ---------------------------------------------------------------------------------------

%   The names of all terms: objects keep theirs.
names(Things, Answers, names(Nodes, Lists)) :-
    findall(Type-Term,
            ( member(Type-Term, Things)
            ; member(Mode-Arguments, Answers),
              types(Mode, Types),
              matching(Types, Arguments, Type, Term)
            ),
            Found),
    findall(Node, ( member(node-Node, Found), compound(Node) ), Compositions),
    findall(List, member(list-List, Found), Lists0),
    numbered(Compositions, c, Nodes),
    numbered(Lists0, l, Lists).

types(pair(_), [node, node]) :-
    !.
types(Mode, Types) :-
    places(Mode, Places),
    maplist(type, Places, Types).

type(+Type, Type).
type(-Type, Type).
type(#(Type), Type).

numbered(Terms0, Prefix, Names) :-
    sort(Terms0, Terms),
    foldl(numbered_(Prefix), Terms, 0-[], _-Reversed),
    sort(Reversed, Pairs),
    list_to_assoc(Pairs, Names).

numbered_(Prefix, Term, Number-Pairs, Next-[Term-Name|Pairs]) :-
    atom_concat(Prefix, Number, Name),
    Next is Number + 1.

name(names(Nodes, _), node, Node, Name) :-
    compound(Node),
    !,
    get_assoc(Node, Nodes, Name).
name(names(_, Lists), list, List, Name) :-
    !,
    get_assoc(List, Lists, Name).
name(_, _, Term, Term).

row(Names, Mode-Arguments, [Predicate|Row]) :-
    mode_name(Mode, Predicate),
    types(Mode, Types),
    maplist(name(Names), Types, Arguments, Row).

mode_name(pair(Mode), Predicate) :-
    !,
    functor(Mode, Predicate, _).
mode_name(Mode, Predicate) :-
    functor(Mode, Predicate, _).

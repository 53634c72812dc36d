/*  Objects that have a name of their own, and properties of whole scenes.

    Included by natural.pl and pointer.pl after structure.pl.

    A named object is made by `stack` or `side_by_side` alone; the variants
    with a reduced bounding box, which look the same, do not count.  The
    paper's prose leaves out that a house has parts of one size and a car
    wheels of one size and colour; its rules, which we follow, ask for both.
*/

%!  house(+Node) is semidet.
%
%   Node is a triangle on a square of the same size.

house(Node) :-
    extract_op_and_chld(Node, stack, [Roof, Wall]),
    extract_shape(Roof, triangle),
    extract_shape(Wall, square),
    same_size(_, [Roof, Wall]).

%!  car(+Node) is semidet.
%
%   Node is two circles side by side, of the same size and colour.

car(Node) :-
    extract_op_and_chld(Node, side_by_side, [Rear, Front]),
    same_shape(circle, [Rear, Front]),
    same_size(_, [Rear, Front]),
    same_color(_, [Rear, Front]).

%!  tower(+Node) is semidet.
%
%   Node is a stack of two or three squares of the same size.

tower(Node) :-
    extract_op_and_chld(Node, stack, Squares),
    length(Squares, Count),
    Count >= 2,
    Count =< 3,
    same_shape(square, Squares),
    same_size(_, Squares).

%!  wagon(+Node) is semidet.
%
%   Node is two or three squares of the same size, side by side.

wagon(Node) :-
    extract_op_and_chld(Node, side_by_side, Squares),
    length(Squares, Count),
    Count >= 2,
    Count =< 3,
    same_shape(square, Squares),
    same_size(_, Squares).

%!  traffic_light(+Node) is semidet.
%
%   Node is a stack of three circles of the same size: red, yellow, green.

traffic_light(Node) :-
    extract_op_and_chld(Node, stack, [Top, Middle, Bottom]),
    same_shape(circle, [Top, Middle, Bottom]),
    same_size(_, [Top, Middle, Bottom]),
    extract_color(Top, red),
    extract_color(Middle, yellow),
    extract_color(Bottom, green).

%!  named_object(?Name:atom) is nondet.
%
%   Name is the name of a kind of object.

named_object(house).
named_object(car).
named_object(tower).
named_object(wagon).
named_object(traffic_light).

%!  is_named_object(+Node, ?Name:atom) is nondet.
%
%   Node is an object of the kind Name.  No node is of two kinds.

is_named_object(Node, house) :-
    house(Node).
is_named_object(Node, car) :-
    car(Node).
is_named_object(Node, tower) :-
    tower(Node).
is_named_object(Node, wagon) :-
    wagon(Node).
is_named_object(Node, traffic_light) :-
    traffic_light(Node).

%!  forall_shared_shape(+Node, +Shape:atom) is semidet.
%!  forall_shared_color(+Node, +Color:atom) is semidet.
%!  forall_shared_named_obj(+Node, +Name:atom) is semidet.
%
%   Every child of Node has a child of its own with this Shape, this Color, or
%   of this kind.

forall_shared_shape(Node, Shape) :-
    forall(contains(Node, Group),
           ( contains(Group, Object),
             extract_shape(Object, Shape)
           )).

forall_shared_color(Node, Color) :-
    forall(contains(Node, Group),
           ( contains(Group, Object),
             extract_color(Object, Color)
           )).

forall_shared_named_obj(Node, Name) :-
    forall(contains(Node, Group),
           ( contains(Group, Object),
             is_named_object(Object, Name)
           )).

%!  pseudo_palindrome(+Nodes:list) is semidet.
%
%   Any two nodes of the list Nodes that mirror each other are objects of one
%   shape or of one colour.  The paper tries the inner list again for each way
%   in which the outer pair agrees, which doubles the work at every step
%   inwards; here one way is enough.

pseudo_palindrome([]).
pseudo_palindrome([First|Nodes]) :-
    pseudo_palindrome_(Nodes, First).

pseudo_palindrome_([], _).
pseudo_palindrome_([Second|Nodes], First) :-
    last([Second|Nodes], Last),
    once(same_non_size([First, Last])),
    droplast([Second|Nodes], Inner),
    pseudo_palindrome(Inner).

%!  pseudo_palindrome2(+Nodes:list) is semidet.
%
%   As pseudo_palindrome/1, where two nodes mirror each other also if they are
%   named objects of one kind.

pseudo_palindrome2([]).
pseudo_palindrome2([First|Nodes]) :-
    pseudo_palindrome2_(Nodes, First).

pseudo_palindrome2_([], _).
pseudo_palindrome2_([Second|Nodes], First) :-
    last([Second|Nodes], Last),
    once(alike(First, Last)),
    droplast([Second|Nodes], Inner),
    pseudo_palindrome2(Inner).

alike(First, Last) :-
    same_non_size([First, Last]).
alike(First, Last) :-
    is_named_object(First, Name),
    is_named_object(Last, Name).

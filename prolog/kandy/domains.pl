:- module(kandy_domains,
          [ current_domain/3,           % -Shapes, -Colors, -Sizes
            set_domain/3                % +Shapes, +Colors, +Sizes
          ]).

:- use_module(library(apply), [maplist/2]).
:- use_module(library(error), [domain_error/2, must_be/2]).
:- use_module(library(lists), [member/2, same_length/2]).
:- use_module(hornbeam(prolog/kandy_kb), [shape/1, color/1, size/1]).

/** <module> Pictures of other shapes, colours and sizes

The domain of kb/kandy/domain.pl is the default.  A curriculum may bring its
own, and set_domain/3 puts it in its place.
*/

%!  current_domain(-Shapes:list(atom), -Colors:list(atom), -Sizes:list(atom)) is det.
%
%   The names that objects are made of now, in their order.

current_domain(Shapes, Colors, Sizes) :-
    findall(Shape, shape(Shape), Shapes),
    findall(Color, color(Color), Colors),
    findall(Size, size(Size), Sizes).

%!  set_domain(+Shapes:list(atom), +Colors:list(atom), +Sizes:list(atom)) is det.
%
%   Makes objects of these names.  Does nothing if they are the current ones.
%
%   @error domain_error(kandy_domain, Names) if a name comes twice
%   @error domain_error(distinct_object_names, Object) if two objects would
%          have the name Object

set_domain(Shapes, Colors, Sizes) :-
    current_domain(Shapes, Colors, Sizes),
    !.
set_domain(Shapes, Colors, Sizes) :-
    objects(Shapes, Colors, Sizes, Objects),
    transaction(replace_domain(Shapes, Colors, Sizes, Objects)).

replace_domain(Shapes, Colors, Sizes, Objects) :-
    retractall(kandy_domain:shape(_)),
    retractall(kandy_domain:color(_)),
    retractall(kandy_domain:size(_)),
    retractall(kandy_domain:atom_props(_, _, _, _)),
    forall(member(Shape, Shapes), assertz(kandy_domain:shape(Shape))),
    forall(member(Color, Colors), assertz(kandy_domain:color(Color))),
    forall(member(Size, Sizes), assertz(kandy_domain:size(Size))),
    forall(member(Object, Objects), assertz(kandy_domain:Object)).

%   The rows of atom_props/4 for a domain, after a look at its names.
objects(Shapes, Colors, Sizes, Objects) :-
    maplist(distinct_names, [Shapes, Colors, Sizes]),
    findall(atom_props(Object, Shape, Color, Size),
            ( member(Shape, Shapes),
              member(Color, Colors),
              member(Size, Sizes),
              atomic_list_concat([Shape, Color, Size], '_', Object)
            ),
            Objects),
    findall(Object, member(atom_props(Object, _, _, _), Objects), Names),
    msort(Names, Sorted),
    no_neighbours_equal(Sorted).

distinct_names(Names) :-
    must_be(list(atom), Names),
    sort(Names, Set),
    (   Set == [] ; memberchk('', Set) ; \+ same_length(Set, Names) ),
    !,
    domain_error(kandy_domain, Names).
distinct_names(_).

no_neighbours_equal([]).
no_neighbours_equal([Name|Names]) :-
    no_neighbours_equal_(Names, Name).

no_neighbours_equal_([], _).
no_neighbours_equal_([Next|_], Name) :-
    Next == Name,
    !,
    domain_error(distinct_object_names, Name).
no_neighbours_equal_([Next|Names], _) :-
    no_neighbours_equal_(Names, Next).

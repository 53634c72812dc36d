:- module(hornbeam_depth,
          [ most_depth/1,           % -Levels
            too_deep/3,             % +Term, +Length, -Levels
            call_for_text/2         % :Goal, +Text
          ]).

/** <module> How deep terms may be nested

Python and parts of SWI-Prolog walk terms by recursion on the C stack, and a term of ten thousand levels ends the process. So
terms that come from outside or go to Python have a limit. Lists and conjunctions may be as long as they like: they are deep
on the right only, which costs nothing.
*/

:- meta_predicate call_for_text(0, +).

%!  most_depth(-Levels) is det.
%
%   How deep a term may be nested.

most_depth(200).

%!  too_deep(+Term, +Length, -Levels) is semidet.
%
%   Term, whose text has Length characters, is nested more than Levels deep. A term of so many levels has at least as many
%   characters, so most terms need no walk.

too_deep(Term, Length, Levels) :-
    most_depth(Levels),
    Length > Levels,
    \+ within_depth(Term, Levels).

within_depth(Term, _), \+ compound(Term) => true.
within_depth([Head|Tail], Levels)        => part_within(Head, Levels), within_depth(Tail, Levels).
within_depth((Left, Right), Levels)      => part_within(Left, Levels), within_depth(Right, Levels).
within_depth(Term, Levels)               =>
    Levels > 0,
    compound_name_arguments(Term, _, Arguments),
    within_depth(Arguments, Levels).

part_within(Term, Levels) :-
    (   compound(Term)
    ->  Levels > 0,
        Less is Levels-1,
        within_depth(Term, Less)
    ;   true
    ).

%!  call_for_text(:Goal, +Text) is semidet.
%
%   Call Goal, which reads terms from Text, once. The reader of SWI-Prolog recurs on the C stack for every bracket. In the
%   process of another program an overflow is not noticed, so text with many brackets is read by a thread with stack enough.

call_for_text(Goal, Text) :-
    brackets(Text, Count),
    (   Count =< 2_000
    ->  once(Goal)
    ;   Stack is Count*1_000,
        term_variables(Goal, Variables),
        thread_create(hornbeam_depth:told(Goal, Variables), Thread, [c_stack(Stack)]),
        thread_join(Thread, Status),
        (   Status = exited(Told)
        ->  concluded(Told, Variables)
        ;   throw(error(resource_error(c_stack), _))
        )
    ).

:- public told/2.

told(Goal, Variables) :-
    catch(( Goal -> Told = true(Variables) ; Told = false ), Ball, Told = threw(Ball)),
    thread_exit(Told).

concluded(true(Variables), Variables).
concluded(threw(Ball), _) :-
    throw(Ball).

brackets(Text, Count) :-
    split_string(Text, "([{", "", Parts),
    length(Parts, Count).

:- module(mdie_schedule,
          [ first_stage/3,          % +Task, +Settings, -Stage
            next_seed/4,            % +Stage0, +Covered, -Seed, -Stage
            next_stage/5,           % +Task, +Settings, +Goal, +Stage0, -Stage
            stage_cut/2,            % +Stage0, -Stage
            stage_limits/4,         % +Stage, +Settings, +Positives, -Limits
            stage_round/2,          % +Stage, -Round
            stage_signs/2,          % +Stage, -Signs
            scope/2                 % +Strategy, -Scope
          ]).
:- use_module(settings, [setting/3]).
:- use_module(shuffle, [shuffled/3]).
:- use_module(modes, [mode_sign/2]).
:- use_module(task, [task_ids/3, task_modes/2]).
:- autoload(library(lists), [append/3, member/2, nth1/3, selectchk/3, subtract/3]).

/** <module> Which seed is searched next, how long, and for how strong a clause

A theory of K clauses has one that covers a Kth of the positives or more. So with the strategy `few` the search goes up in
levels: for one clause that covers all, then for clauses that cover half of what is uncovered, a third, and so on.
A high bar prunes the search to very few clauses, and theories of few clauses come first. At level K a clause of the kind
that is looked for covers a Kth of the seeds, so that twice K seeds suffice, each with a Kth of the clauses to try.

The strategies `cover` and `max` have one level, without a bar. A round goes through the levels; the next one begins again
with more clauses to try, other seeds and the literals in another order, but only as far up as a search was cut
short and a smaller theory may have been missed.

    stage(Round, Level, Levels, Seeds, Left, Cut)

Level 0 has no bar; `positive(K)` is level K without negated literals. Levels are those above, Seeds the ones that were not
tried in this stage, Left how many of them may be, and Cut the levels of this round at which a search was cut short.
*/

%!  first_stage(+Task, +Settings, -Stage) is det.

first_stage(Task, Settings, Stage) :-
    levels_of(Task, Settings, [Level|Levels]),
    stage(Task, Settings, 1, Level, Levels, [], Stage).

%   With negated literals a bottom clause is many times larger, so the first levels are tried without them.

levels_of(Task, Settings, Levels) :-
    setting(strategy, Settings, Strategy),
    levels(Strategy, Levels0),
    (   Strategy == few,
        task_modes(Task, Modes),
        member(Mode, Modes),
        mode_sign(Mode, negative)
    ->  append([positive(1), positive(2), positive(3)], Levels0, Levels)
    ;   Levels = Levels0
    ).

levels(cover, [0]).
levels(max,   [0]).
levels(few,   [1, 2, 3, 5, 8, 16, 0]).

bar_level(positive(Level), Bar) => Bar = Level.
bar_level(Level, Bar)           => Bar = Level.

%!  scope(+Strategy, -Scope:oneof([uncovered,all])) is det.
%
%   Which positives a clause is searched for.

scope(cover, uncovered).
scope(few,   uncovered).
scope(max,   all).

stage(Task, Settings, Round, Level, Levels, Cut, stage(Round, Level, Levels, Seeds, Left, Cut)) :-
    bar_level(Level, Bar),
    seeds(Task, Settings, Round, Bar, Seeds),
    (   Bar =:= 0
    ->  length(Seeds, Left)
    ;   Left is 2*Bar
    ).

%   Each stage has its own order of seeds, but for the first, which has that of the settings.

seeds(Task, Settings, Round, Level, Seeds) :-
    task_ids(Task, Positives, _),
    setting(order, Settings, Order),
    findall(Seed, ( member(Place, Order), nth1(Place, Positives, Seed) ), First),
    subtract(Positives, First, Rest),
    append(First, Rest, Seeds0),
    Number is (Round-1)*100 + max(0, Level-1),
    shuffled(Number, Seeds0, Seeds).

%!  next_seed(+Stage0, +Covered:integer, -Seed, -Stage) is semidet.
%
%   Seed is the next one of this stage that is not in the mask Covered.

next_seed(stage(Round, Level, Levels, Seeds0, Left0, Cut), Covered, Seed,
          stage(Round, Level, Levels, Seeds, Left, Cut)) :-
    Left0 > 0,
    uncovered(Seeds0, Covered, Seed),
    selectchk(Seed, Seeds0, Seeds),
    Left is Left0-1.

uncovered([Seed|Seeds], Covered, Found) :-
    (   Covered /\ 1<<Seed =:= 0
    ->  Found = Seed
    ;   uncovered(Seeds, Covered, Found)
    ).

%!  next_stage(+Task, +Settings, +Clauses, +Stage0, -Stage) is semidet.
%
%   Stage follows Stage0. Clauses is how many clauses the theory has, if it covers all positives, and `open` if it does
%   not. Fails if there is nothing more to do.

next_stage(Task, Settings, open, stage(Round, _, [Level|Levels], _, _, Cut), Stage) :-
    !,
    stage(Task, Settings, Round, Level, Levels, Cut, Stage).
next_stage(Task, Settings, Clauses, stage(Round0, _, _, _, _, Cut), Stage) :-
    setting(passes, Settings, Passes),
    Round0 < Passes,
    missed(Cut, Clauses),
    Round is Round0+1,
    levels_of(Task, Settings, [Level|Levels]),
    stage(Task, Settings, Round, Level, Levels, [], Stage).

%   A search was cut short that might have led to fewer clauses.

missed(Cut, Clauses) :-
    member(Level0, Cut),
    bar_level(Level0, Level),
    (   Clauses == open
    ;   Level =:= 0,
        Clauses > 1
    ;   Level < Clauses
    ),
    !.

%!  stage_cut(+Stage0, -Stage) is det.
%
%   A search of the stage was cut short.

stage_cut(stage(Round, Level, Levels, Seeds, Left, Cut), stage(Round, Level, Levels, Seeds, Left, [Level|Cut])).

%!  stage_limits(+Stage, +Settings, +Positives:integer, -Limits) is det.
%
%   Limits is limits(Nodes, Order, Bar) for a search among so many positives, see mdie_search:start_search/7. With noise as
%   many positives may be wrong as negatives.

stage_limits(stage(Round, Level0, _, _, _, _), Settings, Positives, limits(Nodes, Order, Bar)) :-
    bar_level(Level0, Level),
    Order is Round-1,
    setting(nodes, Settings, Nodes0),
    setting(growth, Settings, Growth),
    Nodes is max(1, Nodes0*Growth**Order // max(1, Level)),
    setting(min_pos, Settings, MinPos),
    (   Level =:= 0
    ->  Bar = MinPos
    ;   setting(noise, Settings, Noise),
        Bar is max(MinPos, (Positives-Noise+Level-1)//Level)
    ).

%!  stage_signs(+Stage, -Signs:oneof([positive,both])) is det.

stage_signs(stage(_, Level, _, _, _, _), Signs) :-
    (   Level = positive(_)
    ->  Signs = positive
    ;   Signs = both
    ).

%!  stage_round(+Stage, -Round) is det.

stage_round(stage(Round, _, _, _, _, _), Round).

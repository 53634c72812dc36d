:- module(mdie_survey,
          [ survey/3,               % +Task, +Settings, -Survey
            survey_branches/2,      % +Survey, +Mode
            survey_constants/2      % +Survey, -Constants
          ]).
:- use_module(layers, [head_terms/6, true_literals/7]).
:- use_module(modes, [mode_goal/3]).
:- use_module(task, [task_ids/3, task_example/3]).
:- autoload(library(apply), [foldl/4]).
:- autoload(library(lists), [append/3, member/2, memberchk/2, nth0/3]).

/** <module> What the examples show of the modes, before any search
*/

%!  survey(+Task, +Settings, -Survey) is det.
%
%   Survey tells of a sample of the examples, negatives too, which modes have more than one answer to a call, and which
%   constants each type has. It is `survey(Branching, Constants)`.

survey(Task, Settings, survey(Branching, Constants)) :-
    task_ids(Task, Positives, Negatives),
    sample(Positives, 8, Sample1),
    sample(Negatives, 8, Sample2),
    append(Sample1, Sample2, Sample),
    findall(Facts,
            ( member(Example, Sample),
              surveyed(Task, Settings, Example, Facts)
            ),
            FactLists),
    branching(FactLists, Branching),
    findall(Type-Constant,
            ( member(facts(_, Seen), FactLists),
              member(Type-Constant, Seen)
            ),
            Constants0),
    sort(Constants0, Constants1),
    pairs_by_type(Constants1, Constants).

sample(Ids, Most, Sample) :-
    length(Ids, Length),
    Step is max(1, (Length+Most-1)//Most),
    findall(Id, ( nth0(Place, Ids, Id), Place mod Step =:= 0 ), Sample).

surveyed(Task, Settings, Example, facts(Branching, Constants)) :-
    task_example(Task, Example, Atom),
    head_terms(Task, Atom, _, _, _, Table),
    true_literals(Task, Settings, [], positive, Atom, Table, Found),
    foldl(call_told, Found, [], Calls0),
    msort(Calls0, Calls),
    repeated(Calls, Branching),
    findall(Type-Constant,
            ( member(found(Mode, Literal, _, _, _), Found),
              mode_goal(Mode, Literal, Places),
              member(constant(Type)-Constant, Places)
            ),
            Constants0),
    sort(Constants0, Constants).

%   What a call is told: two literals that are told the same are two answers to one call.

call_told(found(Mode, Literal, _, _, Gives), Calls0, Calls) :-
    (   Gives =\= 0
    ->  mode_goal(Mode, Literal, Places),
        told(Places, Told),
        Calls = [Mode-Told|Calls0]
    ;   Calls = Calls0
    ).

told([], []).
told([out(_)-_|Places], Told) :-
    !,
    told(Places, Told).
told([_-Argument|Places], [Argument|Told]) :-
    told(Places, Told).

repeated([First, Second|Rest], Modes) :-
    First == Second,
    !,
    First = Mode-_,
    Modes = [Mode|More],
    repeated([Second|Rest], More).
repeated([_|Rest], Modes) :-
    repeated(Rest, Modes).
repeated([], []).

branching(FactLists, Branching) :-
    findall(Mode, ( member(facts(Modes, _), FactLists), member(Mode, Modes) ), Branching0),
    sort(Branching0, Branching).

pairs_by_type([], []).
pairs_by_type([Type-Constant|Pairs], [Type-[Constant|More]|Types]) :-
    same_type(Pairs, Type, More, Rest),
    pairs_by_type(Rest, Types).

same_type([Type-Constant|Pairs], Type, [Constant|More], Rest) :-
    !,
    same_type(Pairs, Type, More, Rest).
same_type(Pairs, _, [], Pairs).

%!  survey_branches(+Survey, +Mode) is semidet.
%
%   Some call of the mode has more than one answer.

survey_branches(survey(Branching, _), Mode) :-
    memberchk(Mode, Branching).

%!  survey_constants(+Survey, -Constants:list) is det.
%
%   Constants is a list of Type-Constants.

survey_constants(survey(_, Constants), Constants).

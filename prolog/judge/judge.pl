:- module(hornbeam_judge,
          [ open_court/3,           % +Words, +Allowed, +Limits
            write_out/1,            % +Predicates
            judge_texts/3,          % +Texts, +Ids, -Outcomes
            admit_lines/2,          % +Lines, -Admitted
            admit_plain_lines/2,    % +Lines, -Admitted
            expect_relations/1,     % +Names
            table_answers/2,        % +Questions, -Outcomes
            answer_names/2,         % +Relations, -Names
            true_answers/2          % +Ids, -Answers
          ]).
% Programs from outside live in `user`: they must not define what this module calls.
:- set_module(base(system)).
:- use_module(language, [set_language/2, read_program/2, table_fact/1]).
:- use_module(tables, [line_facts/3, plain_facts/3, keep_line/2, kept_table/3, number_relations/1, forget_lines/0]).
:- use_module(library(apply), [maplist/2, maplist/3, foldl/4]).
:- use_module(library(lists), [member/2, memberchk/2, append/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(tabling)).
:- use_module(library(time), [alarm/4, remove_alarm/1, install_alarm/2, uninstall_alarm/1]).

/** <module> Theories as text, judged in bulk on samples that are loaded once

A text is read as data, checked against a small language (language.pl), put into the module `mine`, and asked about all samples
by mine_answer/2 of the dataset, as courtroom.py does for theories of learners. Then it is taken out again, with its tables.
No label is in this process, and nothing that the language admits keeps a state, so the order of samples and texts is of no
consequence.
*/

:- dynamic limit/2.                 % Kind, Number

%!  open_court(+Words:list, +Allowed:list, +Limits:list) is det.
%
%   Say what texts may use (see language.pl) and what it may take: `cpu` seconds, and inferences, `first` for all samples at once and, if these do not
%   suffice, `each` for a sample and `all` for a text; after `undecided` samples that exceed their limit, no more are asked.

open_court(Words, Allowed, Limits) :-
    must_be(list, Limits),
    set_language(Words, Allowed),
    forget_lines,
    retractall(limit(_, _)),
    forall(member(Kind-Number, Limits), assertz(limit(Kind, Number))),
    forall(member([head, _, Name, Arity], Words), empty_target(Name, Arity)),
    (   rules_as_data
    ->  table(theory_rules:theory_rules/3),
        number_texts
    ;   true
    ).

%   RuDaS' files read the rules of a theory as data and tell theories apart by a hash, which they work out for every sample. Here it is
%   the number of the text.

rules_as_data :-
    current_predicate(models:theory_hash/3).

number_texts :-
    abolish(models:theory_hash/3),
    dynamic(models:theory_hash/3),
    assertz(models:theory_hash(truth, _, truth)),
    assertz(models:theory_hash(mine, _, 0)).

next_text :-
    retract(models:theory_hash(mine, _, Number)),
    !,
    Next is Number+1,
    assertz(models:theory_hash(mine, _, Next)).

%   Predicates of which a theory defines some are there, and empty.

empty_target(Name, Arity) :-
    functor(Head, Name, Arity),
    dynamic(mine:Name/Arity),
    retractall(mine:Head).

%!  write_out(+Predicates:list) is det.
%
%   Replace the definitions of Predicates, each [Name, Arity], in `mine` by the facts that they derive from the samples, which do not
%   change any more.

write_out(Predicates) :-
    forall(member([Name, Arity], Predicates), write_out_one(Name, Arity)).

write_out_one(Name, Arity) :-
    functor(Head, Name, Arity),
    findall(Head, mine:Head, Facts0),
    sort(Facts0, Facts),
    abolish(mine:Name/Arity),
    dynamic(mine:Name/Arity),
    forall(member(Fact, Facts), assertz(mine:Fact)).

%!  true_answers(+Ids:list, -Answers:atom) is det.
%
%   What the true theory answers for each sample; answers are joined by tabs.

true_answers(Ids, Line) :-
    maplist(true_said, Ids, Said),
    atomic_list_concat(Said, '\t', Line).

true_said(Id, Said) :-
    (   user:true_answer(Id, Answer)
    ->  answer_text(Answer, Said)
    ;   Said = nothing
    ).

%!  judge_texts(+Texts:list, +Ids:list, -Outcomes:list) is det.
%
%   Outcomes has for each text `[said, Answers, Clauses, Literals]`, the answers joined by tabs, or
%   `[refused, Line, Kind, Message]`.

judge_texts(Texts, Ids, Outcomes) :-
    (   limit(_, _)
    ->  true
    ;   throw(error(existence_error(court, judge), _))      % the process is new: nobody has said what texts may use
    ),
    maplist(judge_text(Ids), Texts, Outcomes).

judge_text(Ids, Text, Outcome) :-
    catch(judged(Text, Ids, Outcome), Ball, failed(Ball, Outcome)),
    !.
judge_text(_, _, [refused, 1, fault, 'the judge failed']).

failed(hornbeam_unfit(Line, Kind, Message), [refused, Line, Kind, Message]) :- !.
failed(Ball, [refused, 1, fault, Message]) :-
    format(atom(Message), '~W', [Ball, [quoted(true), max_depth(8)]]).

judged(Text, Ids, [said, Line, Clauses, Literals]) :-
    read_program(Text, program(Program, Tabled, Literals)),
    length(Program, Clauses),
    setup_call_cleanup(
        install(Program, Tabled, Heads),
        ( sayer(Sayer),
          asked(Sayer, Ids, Said) ),
        remove(Heads, Tabled)),
    atomic_list_concat(Said, '\t', Line).

%   Networks: what kind of theory the text is, is worked out once and not for every sample, as mine_answer/2 does.

sayer(user:mine_says(Theory)) :-
    current_predicate(user:mine_says/3),
    current_predicate(user:mine_theory/2),
    catch(( user:theory_generation(Generation), user:mine_theory(Generation, Theory) ), error(_, _), fail),
    !.
sayer(user:mine_answer).

% Tables --------------------------------------------------------------------------------------------------------------

%!  admit_lines(+Lines:list, -Admitted:list) is det.
%
%   Of each line that has nothing but facts of a table [Number, Facts]: the facts, one a line, are name and arguments joined by tabs.
%   Of others `[]`.

admit_lines(Lines, Admitted) :-
    maplist(admitted_line, Lines, Admitted).

admitted_line(Line, Admitted) :-
    (   line_facts(table_fact, Line, Facts)
    ->  admitted_facts(Facts, Admitted)
    ;   Admitted = []
    ).

admitted_facts(Facts, [Number, Text]) :-
    keep_line(Facts, Number),
    maplist(fact_text, Facts, Texts),
    atomic_list_concat(Texts, '\n', Text).

%!  admit_plain_lines(+Lines:list, -Admitted:list) is det.
%
%   As admit_lines/2, for lines that look like one fact each.

admit_plain_lines(Lines, Admitted) :-
    (   plain_facts(table_fact, Lines, Facts)
    ->  maplist(admitted_fact, Facts, Admitted)
    ;   admit_lines(Lines, Admitted)
    ).

admitted_fact(Fact, Admitted) :-
    admitted_facts([Fact], Admitted).

%!  expect_relations(+Names:list) is det.
%
%   The relations of the true table, in order: most tables have the same.

expect_relations(Names) :-
    must_be(list(atom), Names),
    number_relations(Names).

fact_text(Fact, Text) :-
    Fact =.. Parts,
    atomic_list_concat(Parts, '\t', Text).

%!  table_answers(+Questions:list, -Outcomes:list) is det.
%
%   What tables answer. A question is [Lines, Asked]: the numbers of a table's lines, as the text of a list, and what it is asked: ids
%   of samples, or network(Edges, Query). Outcomes are as those of judge_texts/3.

table_answers(Questions, Outcomes) :-
    maplist(table_answer, Questions, Outcomes).

table_answer([Lines, Asked], Outcome) :-
    term_string(Numbers, Lines),
    must_be(list(integer), Numbers),
    catch(table_said(Numbers, Asked, Outcome), Ball, failed(Ball, Outcome)),
    !.

table_said(Numbers, Asked, [said, Line, Count, Count]) :-
    length(Numbers, Count),
    kept_table(user:facts_table, Numbers, Table),
    asked_all(hornbeam_judge:table_says(Table), Asked, Said),
    atomic_list_concat(Said, '\t', Line).

table_says(Table, network(Edges, Query), Label) =>
    catch(user:network_answer(Table, Edges, Query, Relations, _), error(existence_error(relation, _), _), fail),
    user:label_of(Relations, Label).
table_says(Table, Id, Label) =>
    user:mine_says(table(Table), Id, Label).

%!  answer_names(+Relations:list, -Names:list) is det.
%
%   The answer that each list of relations makes; `nothing` if it makes none.

answer_names(Relations, Names) :-
    maplist(answer_name, Relations, Names).

answer_name(Relations, Name) :-
    (   user:label_of(Relations, Label)
    ->  answer_text(Label, Name)
    ;   Name = nothing
    ).

% Any text ------------------------------------------------------------------------------------------------------------

install(Program, Tabled, Heads) :-
    findall(Name/Arity, ( member(Clause, Program), clause_indicator(Clause, Name, Arity) ), Heads0),
    sort(Heads0, Heads),
    forall(member(Name/Arity, Heads), dynamic(mine:Name/Arity)),
    forall(member(Clause, Program), assertz(mine:Clause)),
    (   rules_as_data
    ->  next_text                   % nobody calls them
    ;   forall(member(Name/Arity, Tabled), table(mine:Name/Arity))
    ).

remove(Heads, Tabled) :-
    (   rules_as_data
    ->  abolish_table_subgoals(theory_rules:theory_rules(_, _, _))
    ;   forall(member(Name/Arity, Tabled), untable(mine:Name/Arity)),
        forget_tables
    ),
    forall(member(Name/Arity, Heads), ( functor(Head, Name, Arity), retractall(mine:Head) )).

%   The tables that depend on a text. In files that are not ours, these may be any.

forget_tables :-
    known_tables(Goals),
    !,
    abolish_module_tables(mine),
    forall(member(Goal, Goals), abolish_table_subgoals(Goal)).
forget_tables :-
    abolish_all_tables.

known_tables([user:mine_theory(_, _)]) :-
    predicate_property(user:mine_theory(_, _), tabled),
    current_predicate(user:mine_says/3).

clause_indicator((Head :- _), Name, Arity) :- !, functor(Head, Name, Arity).
clause_indicator(Head, Name, Arity) :- functor(Head, Name, Arity).

%   Most texts need few inferences for all samples together. One that needs more is asked sample by sample, each with a limit of
%   its own; when it has used up its inferences, or was undecided too often, it is not asked any more.

%   Sayer is called with a sample and its answer.

asked(Sayer, Ids, Said) :-
    limit(cpu, Seconds),
    within_cpu(asked_all(Sayer, Ids, Said), Seconds).

asked_all(Sayer, Ids, Said) :-
    limit(first, Each),
    catch(call_with_inference_limit(maplist(plainly_said(Sayer), Ids, Said0), Each, Result), _, Result = threw),
    ( Result == (!) ; Result == true ),
    !,
    Said = Said0.
asked_all(Sayer, Ids, Said) :-
    limit(each, Each),
    limit(all, All),
    limit(undecided, Most),
    statistics(inferences, Start),
    End is Start+All,
    asked(Ids, Sayer, Each, End, Most, Said).

%   A predicate in C may take long for one inference. So there is a limit on the CPU time of a text, too: an alarm looks at it, for
%   time on the clock may be that of others.

:- meta_predicate within_cpu(0, +).
:- dynamic late/0.

within_cpu(Goal, Seconds) :-
    retractall(late),
    statistics(cputime, Start),
    End is Start+Seconds,
    setup_call_cleanup(
        nb_setval(hornbeam_judge_end, End),
        ( set_alarm(Seconds, Alarm),
          call_cleanup(Goal, remove_alarm(Alarm)) ),
        retractall(late)).

set_alarm(Seconds, Alarm) :-
    alarm(Seconds, hornbeam_judge:look_at_time, Alarm, [remove(false)]),
    nb_setval(hornbeam_judge_alarm, Alarm).

:- public look_at_time/0.

look_at_time :-
    nb_getval(hornbeam_judge_end, End),
    statistics(cputime, Now),
    nb_getval(hornbeam_judge_alarm, Alarm),
    (   Now < End
    ->  Wait is max(0.1, End-Now),
        current_alarm_again(Alarm, Wait)
    ;   current_alarm_again(Alarm, 0.5),
        ( late -> true ; assertz(late) ),
        throw(hornbeam_judge_late)
    ).

current_alarm_again(Alarm, Wait) :-
    uninstall_alarm(Alarm),
    install_alarm(Alarm, Wait).

plainly_said(Sayer, Id, Said) :-
    (   call(Sayer, Id, Answer)
    ->  answer_text(Answer, Said)
    ;   Said = nothing
    ).

asked([], _, _, _, _, []).
asked([Id|Ids], Sayer, Each, End, Most, [One|Said]) :-
    statistics(inferences, Now),
    (   Most > 0,
        Now < End,
        \+ late
    ->  carefully_said(Sayer, Id, Each, One)
    ;   One = undecided
    ),
    (   One == undecided
    ->  Left is Most-1
    ;   Left = Most
    ),
    asked(Ids, Sayer, Each, End, Left, Said).

carefully_said(Sayer, Id, Each, Said) :-
    catch(call_with_inference_limit(plainly_said(Sayer, Id, Said0), Each, Result), _, Result = threw),
    (   ( Result == (!) ; Result == true )
    ->  Said = Said0
    ;   Said = undecided
    ).

answer_text(Answer, Said) :-
    (   atom(Answer)
    ->  Said = Answer
    ;   format(atom(Said), '~q', [Answer])
    ).

% Texts are read as data, and what is admitted of them is less than the sandbox admits. So a contained process may call these.

:- multifile sandbox:safe_primitive/1.

sandbox:safe_primitive(hornbeam_judge:open_court(_, _, _)).
sandbox:safe_primitive(hornbeam_judge:judge_texts(_, _, _)).
sandbox:safe_primitive(hornbeam_judge:admit_lines(_, _)).
sandbox:safe_primitive(hornbeam_judge:admit_plain_lines(_, _)).
sandbox:safe_primitive(hornbeam_judge:expect_relations(_)).
sandbox:safe_primitive(hornbeam_judge:table_answers(_, _)).
sandbox:safe_primitive(hornbeam_judge:answer_names(_, _)).
sandbox:safe_primitive(hornbeam_judge:true_answers(_, _)).
sandbox:safe_primitive(hornbeam_judge:write_out(_)).

:- module(test_soundness, []).
:- use_module(library(plunit)).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [append/2, member/2, sum_list/2]).
:- use_module(library(process), [process_create/3]).
:- use_module(library(readutil), [read_stream_to_codes/2]).
:- use_module(hornbeam(prolog/clutrr/theory)).

/** <module> Every rule against all families

For a rule First, Second -> Whole clingo searches all families of families.lp and nuclear.lp for persons 1, 2, 3
with First(1,2) and Second(2,3) but not Whole(1,3). Beside the three there are as many unnamed persons as the two
facts can speak of, and a counterexample cut down to these stays one; so that no counterexample here means none at all.
*/

% The interpreter that has clingo: the project's own, or the one on the path.
python(Python) :-
    (   absolute_file_name(hornbeam('.venv/bin/python'), Python, [access(execute), file_errors(fail)])
    ->  true
    ;   absolute_file_name(path(python3), Python, [access(execute), file_errors(fail)])
    ).

kb(Name, File) :-
    absolute_file_name(hornbeam(kb/clutrr/Name), File, [extensions([lp]), access(read)]).

% How many unnamed persons a relation speaks of, by its meaning.
unnamed(Relation, Number) :-
    (   member(Relation, [father,mother,parent,child,spouse])
    ->  Number = 0
    ;   aggregate_all(max(N), ( theory_meaning([base], Relation, path(Path)), on_path(Path, N) ), Number)
    ).

on_path(Path, Number) :-
    length(Path, Length),
    findall(N, ( member(R, Path), unnamed(R, N) ), Inner),
    sum_list(Inner, Sum),
    Number is Sum + Length-1.

% A family that refutes the rule, as text; fails where there is none.
counterexample(First, Second, Whole, Family) :-
    unnamed(First, N1), unnamed(Second, N2),
    Persons is 3+N1+N2,
    format(string(Program),
           "person(1..~d). 1 { generation(P,0..5) } 1 :- person(P). pair(1,2). pair(2,3). pair(1,3). \c
            :- not rel(~w,1,2). :- not rel(~w,2,3). :- rel(~w,1,3). \c
            #show father/2. #show mother/2. #show spouse/2.",
           [Persons, First, Second, Whole]),
    python(Python),
    findall(file(File), ( member(Name, [families,nuclear,relations,search]), kb(Name, File) ), Files),
    append([['-m',clingo,'--outf=0','--verbose=0','--warn=none'|Files], ['-']], Arguments),
    setup_call_cleanup(
        process_create(Python, Arguments, [stdin(pipe(In)), stdout(pipe(Out)), process(_)]),
        ( format(In, "~s", [Program]), close(In), read_stream_to_codes(Out, Codes) ),
        close(Out)),
    string_codes(Text, Codes),
    split_string(Text, "\n", " ", [Family|_]),
    satisfiable(Text).

% Where clingo says neither, it did not run: that is an error, not a rule without counterexample.
satisfiable(Text) :-
    (   sub_string(Text, _, _, _, "UNSATISFIABLE")
    ->  fail
    ;   sub_string(Text, _, _, _, "SATISFIABLE")
    ->  true
    ;   throw(error(clingo_did_not_answer(Text), _))
    ).

:- begin_tests(clutrr_soundness).

test(no_family_refutes_a_rule, [forall(theory_rule([base], First, Second, Whole)), fail]) :-
    counterexample(First, Second, Whole, _).

test(a_childs_uncle_may_be_a_spouses_sibling) :-
    counterexample(child, pibling, sibling, Family),
    once(sub_string(Family, _, _, _, "spouse(")).

test(a_childs_grandparent_may_be_a_parent_in_law) :-
    counterexample(child, grandparent, parent, Family),
    once(sub_string(Family, _, _, _, "spouse(")).

:- end_tests(clutrr_soundness).

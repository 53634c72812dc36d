:- module(test_star_calculi, []).
:- use_module(library(plunit)).
:- use_module(hornbeam(prolog/star/calculus)).
:- use_module(hornbeam(prolog/star/laws)).
:- use_module(hornbeam(prolog/star/regions),
              [rcc8_cell/3, regions/3, region_relation/3]).
:- use_module(hornbeam(prolog/star/intervals),
              [allen_cell/3, intervals/3, interval_relation/3]).
:- use_module(hornbeam(kb/star/rcc8), []).
:- use_module(hornbeam(kb/star/allen), []).
:- use_module(hornbeam(kb/star/rcc5), []).
:- use_module(hornbeam(kb/star/point), []).

calculus_file(Name, File) :-
    absolute_file_name(hornbeam(kb/star/Name), File, [file_type(prolog), access(read)]).

calculus(Name, Calculus) :-
    calculus_file(Name, File),
    read_calculus(File, ok(Calculus)).

shipped(rcc8).
shipped(allen).
shipped(rcc5).
shipped(point).

:- begin_tests(star_laws).

test(no_law_is_broken, [forall(shipped(Name)), true(Broken == [])]) :-
    calculus(Name, Calculus),
    findall(Law-Text, law_violation(Calculus, Law, Text), Broken).

test(a_wrong_cell_breaks_the_peircean_law, true(memberchk('Peircean law', Laws))) :-
    broken_point_algebra([1, 3, 7, 1, 2, 4, 7, 4, 4], Laws).

test(a_wrong_identity_row_breaks_the_identity_law, true(memberchk(identity, Laws))) :-
    broken_point_algebra([1, 1, 7, 1, 2, 4, 7, 6, 4], Laws).

test(a_wrong_cell_breaks_associativity, true(memberchk(associativity, Laws))) :-
    broken_point_algebra([1, 1, 2, 1, 2, 4, 7, 4, 4], Laws).

broken_point_algebra(Cells, Laws) :-
    Table =.. [cells|Cells],
    findall(Law, law_violation(calculus(p, "p", [<, =, >], 1, converses(2, 1, 0), Table, []), Law, _), Laws).

:- end_tests(star_laws).

:- begin_tests(star_derived_tables).

test(rcc8_cell_from_forks, [forall(star_rcc8:composition(A, B, Rs)), true(Derived == Rs)]) :-
    rcc8_cell(A, B, Derived).

test(allen_cell_from_end_points, [forall(star_allen:composition(A, B, Rs)), true(Derived == Rs)]) :-
    allen_cell(A, B, Derived).

test(point_cell_from_integers, [forall(star_point:composition(A, B, Rs)), true(Derived == Rs)]) :-
    findall(C,
            ( between(0, 2, X), between(0, 2, Y), between(0, 2, Z),
              compare(A, X, Y), compare(B, Y, Z), compare(C, X, Z)
            ),
            Found),
    sort(Found, Derived).

test(rcc5_cell_is_a_union_of_rcc8_cells, [forall(star_rcc5:composition(A, B, Rs)), true(Derived == Expected)]) :-
    findall(C,
            ( coarse(FineA, A), coarse(FineB, B),
              star_rcc8:composition(FineA, FineB, Fine),
              member(F, Fine), coarse(F, C)
            ),
            Found),
    sort(Found, Derived),
    sort(Rs, Expected).

coarse('DC', 'DR').
coarse('EC', 'DR').
coarse('PO', 'PO').
coarse('TPP', 'PP').
coarse('NTPP', 'PP').
coarse('TPPI', 'PPI').
coarse('NTPPI', 'PPI').
coarse('EQ', 'EQ').

:- end_tests(star_derived_tables).

:- begin_tests(star_models).

test(two_regions_realise_each_relation, [forall(star_rcc8:relation(R)), true(Found == R)]) :-
    regions([a, b], [edge(a, b, R)], [a-X, b-Y]),
    region_relation(X, Y, Found).

test(no_region_is_empty, fail) :-
    region_relation([], [1], _).

test(chained_forks_and_all_forks_agree,
     [forall((star_rcc8:relation(A), star_rcc8:relation(B))), true(Chained == Tried)]) :-
    rcc8_cell(A, B, Tried),
    findall(C,
            ( star_rcc8:relation(C),
              regions([0, 1, 2], [edge(0, 1, A), edge(1, 2, B), edge(0, 2, C)], _)
            ),
            Chained).

test(two_intervals_realise_each_relation, [forall(star_allen:relation(R)), true(Found == R)]) :-
    intervals([a, b], [edge(a, b, R)], [a-X, b-Y]),
    interval_relation(X, Y, Found).

test(settled_points_and_all_intervals_agree,
     [forall((star_allen:relation(A), star_allen:relation(B))), true(Settled == Tried)]) :-
    allen_cell(A, B, Tried),
    findall(C,
            ( star_allen:relation(C),
              intervals([0, 1, 2], [edge(0, 1, A), edge(1, 2, B), edge(0, 2, C)], _)
            ),
            Settled).

test(no_interval_is_before_itself_round_a_circle, fail) :-
    intervals([a, b, c], [edge(a, b, <), edge(b, c, m), edge(c, a, <)], _).

test(no_region_is_inside_itself_round_a_circle, fail) :-
    regions([a, b, c], [edge(a, b, 'TPP'), edge(b, c, 'NTPP'), edge(c, a, 'TPP')], _).

:- end_tests(star_models).

:- begin_tests(star_calculus_files).

test(shipped_files_load, [forall(shipped(Name)), true(Loaded == Name)]) :-
    calculus_file(Name, File),
    load_calculus(File, calculus(Loaded, _, _, _, _, _, _)).

test(a_clause_is_refused_and_not_run, true(Line-Problem == 2-true)) :-
    report("calculus(x, \"x\").\nrelation(a) :- halt.\n", Line, Text),
    ( sub_string(Text, _, _, _, "is no fact of a calculus") -> Problem = true ; Problem = Text ).

test(a_directive_is_refused_and_not_run, true(Line == 1)) :-
    report(":- initialization(halt).\n", Line, _).

test(an_unknown_relation_is_named, true(Line-Text == 5-"b is not one of the relations")) :-
    report("calculus(x, \"x\").\nrelation(a).\nidentity(a).\nconverse(a, a).\ncomposition(a, a, [b]).\n", Line, Text).

test(a_converse_of_no_relation_is_named, true(Line-Text == 4-"b is not one of the relations")) :-
    report("calculus(x, \"x\").\nrelation(a).\nidentity(a).\nconverse(a, a). converse(b, a).\n", Line, Text).

test(a_name_that_sets_cannot_be_written_with_is_refused, true(Line-Text == 2-"a relation cannot be called 'a|b'")) :-
    report("calculus(x, \"x\").\nrelation('a|b').\n", Line, Text).

test(a_missing_cell_is_named, true(Text == "a ; a is stated 0 times, expected once")) :-
    report("calculus(x, \"x\").\nrelation(a).\nidentity(a).\nconverse(a, a).\n", _, Text).

test(a_broken_law_is_named, true(Law == "identity")) :-
    report("calculus(x, \"x\").\nrelation(a). relation(b).\nidentity(a).\nconverse(a, a). converse(b, b).\n\c
            composition(a, a, [a]). composition(a, b, [a]). composition(b, a, [b]). composition(b, b, [a, b]).\n", 0, Text),
    split_string(Text, ":", "", [Law|_]).

test(syntax_errors_have_a_line, true(Line == 2)) :-
    report("calculus(x, \"x\").\nrelation(a\n", Line, _).

report(Text, Line, Problem) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        write_and_report(Out, File, Text, Report),
        delete_file(File)),
    Report = problem(Line, Problem).

write_and_report(Out, File, Text, Report) :-
    write(Out, Text),
    close(Out),
    calculus_report(File, Report).

:- end_tests(star_calculus_files).

:- module(test_kandy_tables, []).

:- use_module(library(plunit)).
:- use_module(library(lists), [member/2]).
:- use_module(hornbeam(prolog/kandy/knowledge), [knowledge_modes/3, knowledge_text/3, truth_text/4]).
:- use_module(hornbeam(prolog/kandy/tables), [tables/8]).

%   in([stack([triangle_red_small, square_red_small])])
picture([1, in, 2, stack, triangle_red_small, square_red_small]).

rows(Depth, Rows, Pairs) :-
    picture(Codes),
    tables(mid, Depth, Codes, [_], _, _, Rows, Pairs).

:- begin_tests(kandy_tables).

test(equal_terms_have_one_name) :-
    rows(2, Rows, _),
    once(member([extract_op_and_chld, Stack, stack, List], Rows)),
    once(member([contains, Root, Stack], Rows)),
    \+ member([contains, _, Root], Rows),
    once(member([extract_children, Stack, List], Rows)),
    once(member([first, List, triangle_red_small], Rows)).

test(what_is_inside_has_all_its_rows) :-
    rows(1, Rows, _),
    once(member([extract_operator, Stack, stack], Rows)),
    once(member([extract_children, Stack, List], Rows)),
    findall(Child, member([contains, Stack, Child], Rows), [square_red_small, triangle_red_small]),
    once(member([first, List, triangle_red_small], Rows)).

test(what_is_further_out_is_tested_and_leads_nowhere) :-
    picture(Codes),
    tables(mid, 0, Codes, [Root], Inside, _, Rows, _),
    once(member([contains, Root, Stack], Rows)),
    memberchk(Root, Inside),
    \+ memberchk(Stack, Inside),
    once(member([extract_children, Stack, List], Rows)),
    once(member([same_color, red, List], Rows)),
    \+ member([contains, Stack, _], Rows),
    \+ member([first, List, _], Rows).

test(pairs_speak_of_both, Names == [same_attribute, same_color, same_non_size, same_size]) :-
    rows(2, _, Pairs),
    findall(Name, member([Name, triangle_red_small, square_red_small], Pairs), Unsorted),
    sort(Unsorted, Names).

test(unknown_size, error(type_error(oneof(_), huge))) :-
    tables(huge, 1, [], _, _, _, _, _).

:- end_tests(kandy_tables).

:- begin_tests(kandy_knowledge).

test(sizes_are_nested, [Minimal, Mid, Large] == [18, 40, 47]) :-
    findall(Length,
            ( member(Size, [minimal, mid, large]),
              knowledge_modes(natural, Size, Modes),
              length(Modes, Length)
            ),
            [Minimal, Mid, Large]).

test(the_text_is_a_program_of_its_own) :-
    knowledge_text(natural, minimal, Text),
    once(sub_string(Text, _, _, _, "all_of_color_(")),
    \+ sub_string(Text, _, _, _, "house("),
    \+ sub_string(Text, _, _, _, "kandy_").

test(a_truth_brings_its_helpers_only) :-
    truth_text(easy_15_house, natural, mid, Text),
    once(sub_string(Text, _, _, _, "house(A) :-")),
    \+ sub_string(Text, _, _, _, "contains(A, B) :-").

:- end_tests(kandy_knowledge).

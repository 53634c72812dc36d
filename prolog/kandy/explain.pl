:- module(kandy_explain,
          [ explanation/3,              % +Module, +Tree, -Explanation
            explanation_text/2          % +Explanation, -Text
          ]).

:- use_module(library(apply), [maplist/3]).
:- use_module(failures, [failure/3]).
:- use_module(proofs, [proof/3]).
:- use_module(prose, [line_text/2, prose//1]).

/** <module> Why a rule holds of a picture, or where it fails

    ?- explanation(kandy_easy_15_house, in([stack([triangle_red_small, square_red_large])]), E),
       explanation_text(E, Text).

The rule is interpreted over the clauses of its module; what the background
knowledge says of single objects and lists is taken as given.
*/

%!  explanation(+Module:atom, +Tree, -Explanation) is det.
%
%   Explanation says why Module:valid(Tree) holds or does not:
%
%     - holds(Tree, Proof)
%     - fails(Tree, Failure)
%       where Failure has no reason if to find one would take too long
%     - undecided(Tree)
%       if the rule does not come to an end within two million inferences

explanation(Module, Tree, Explanation) :-
    (   call_with_inference_limit(proof(Module, valid(Tree), Proof), 2_000_000, Result)
    ->  (   Result == inference_limit_exceeded
        ->  Explanation = undecided(Tree)
        ;   Explanation = holds(Tree, Proof)
        )
    ;   Explanation = fails(Tree, Failure),
        told_failure(Module, valid(Tree), Failure)
    ).

told_failure(Module, Goal, Failure) :-
    (   call_with_inference_limit(failure(Module, Goal, Found), 2_000_000, Result),
        Result \== inference_limit_exceeded
    ->  Failure = Found
    ;   Failure = failed(Goal, plainly)
    ).

%!  explanation_text(+Explanation, -Text:string) is det.
%
%   Text is Explanation for people to read.

explanation_text(Explanation, Text) :-
    phrase(prose(Explanation), Lines),
    maplist(line_text, Lines, Texts),
    atomic_list_concat(Texts, '\n', Atom),
    string_concat(Atom, "\n", Text).

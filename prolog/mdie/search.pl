:- module(mdie_search,
          [ start_search/7,         % +Task, +Settings, +Bottom, +Examples, +Limits, -Search, -Good
            search_on/4,            % +Search0, +Clauses, -Search, -Good
            search_over/2,          % +Search, -Why
            search_best/2,          % +Search, -Good
            search_tried/2          % +Search, -Tried
          ]).
:- use_module(coverage, [covered/6, covers_more_than/6]).
:- use_module(literals, [bound_after/3, insert_number/3, literal_atom/2, literal_goal/2, place/5]).
:- use_module(scores, [score/5, acceptable/3]).
:- use_module(settings, [setting/3]).
:- use_module(shuffle, [shuffled/3]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(heaps), [add_to_heap/4, empty_heap/1, get_from_heap/4]).
:- autoload(library(lists), [append/3, reverse/2]).
:- use_module(library(record), [(record)/1, op(_, _, record)]).

/** <module> Best-first search for clauses among the subsets of a bottom clause

A node is a set of literals of the bottom clause in which each literal's inputs are bound. Its children add one literal
each. Every set is looked at once, whatever the order in which its literals came, so that the search may follow
the score; and a child is tried only on the examples that its parent covers.

A child is left out if

  - it covers too few positives,
  - no specialisation of it can beat the best clause found so far,
  - it has as many literals as a clause may have and still covers too many negatives,
  - its last literal changes nothing, and binds no variable that another literal could use.

Good clauses are reduced: a literal goes if the clause stays good without it.

The search is a value: search_on/4 continues it for some clauses and hands back what it found, so that the caller decides
when to stop, and nothing is lost if it does.
*/

:- record context(task, settings, head, bound, wanted, used, literals, examples, evaluation,
                  max_body, max_vars, bar, noise, inferences, nodes, guard).

%   search(Context, Queue, Serial, Tried, Best, Seen)
%
%   Queue holds node(Literals, Numbers, Bound, Size, Ps, Ns, P, N): the literals in the order of their calls, their numbers
%   sorted, a mask of bound variables, the covered examples and how many they are. Best is `none` or best(Score, Size,
%   Good), and Seen is a trie of the sets of numbers that have been tried.

%!  start_search(+Task, +Settings, +Bottom, +Examples, +Limits, -Search, -Good:list) is det.
%
%   Examples is examples(Positives, Negatives, All), lists of numbers: Positives are those to be covered, a part of All.
%   Limits is limits(Nodes, Order, Bar, Guard): how many clauses may be tried, the number of the order in which literals
%   are (0 for that of the bottom clause), how many of Positives a clause must cover, and a goal that is called with a good
%   clause, Head-Body, and the positives that it covers: only if it succeeds the clause is taken. Good has the clause without
%   a body, if that is good: where there are no negatives, say.

start_search(Task, Settings, Bottom, Examples, limits(Nodes, Order, Bar, Guard), Search, Good) :-
    Examples = examples(Ps, Ns, _),
    Bottom = bottom(Head, Bound, Wanted, Literals0),
    shuffled(Order, Literals0, Literals),
    evaluation(Settings, Ps, Ns, Evaluation),
    setting(max_body, Settings, MaxBody),
    setting(max_vars, Settings, MaxVars),
    setting(noise, Settings, Noise),
    setting(inferences, Settings, Inferences),
    used_variables(Literals, Wanted, Used),
    make_context([ task(Task), settings(Settings), head(Head), bound(Bound), wanted(Wanted), used(Used),
                   literals(Literals), examples(Examples), evaluation(Evaluation), max_body(MaxBody),
                   max_vars(MaxVars), bar(Bar), noise(Noise), inferences(Inferences), nodes(Nodes), guard(Guard)
                 ], Context),
    length(Ps, P),
    length(Ns, N),
    trie_new(Seen),
    empty_heap(Empty),
    judge(node([], [], Bound, 0, Ps, Ns, P, N, Literals, _), search(Context, Empty, 0, 0, none, Seen), Search, [],
          Good).

evaluation(Settings, Ps, Ns, Evaluation) :-
    setting(evaluation, Settings, Name),
    (   Name == m_estimate
    ->  setting(m, Settings, M),
        length(Ps, P),
        length(Ns, N),
        Prior is P/max(1.0, P+N),
        Evaluation = m_estimate(M, Prior)
    ;   Evaluation = Name
    ).

%   A variable is of use if a literal needs it, or if the head wants it.

used_variables([], Used, Used).
used_variables([literal(_, _, _, Needs, _, _)|Literals], Used0, Used) :-
    Used1 is Used0 \/ Needs,
    used_variables(Literals, Used1, Used).

%!  search_on(+Search0, +Clauses:positive_integer, -Search, -Good:list) is det.
%
%   Try some Clauses more, or a few above that. Good are the good clauses found, each good(Head, Body, Positives,
%   Negatives, Size), Body being a list.

search_on(Search0, Clauses, Search, Good) :-
    search_tried(Search0, Tried),
    Until is Tried+Clauses,
    search_until(Search0, Until, Search, [], Reversed),
    reverse(Reversed, Good).

search_until(Search0, Until, Search, Good0, Good) :-
    (   search_tried(Search0, Tried),
        Tried < Until,
        \+ search_over(Search0, _)
    ->  expand_best(Search0, Search1, Good0, Good1),
        search_until(Search1, Until, Search, Good1, Good)
    ;   Search = Search0,
        Good = Good0
    ).

expand_best(search(Context, Queue0, Serial, Tried, Best, Seen), Search, Good0, Good) :-
    get_from_heap(Queue0, _, Node, Queue),
    Search0 = search(Context, Queue, Serial, Tried, Best, Seen),
    (   promising(Node, Context, Best)
    ->  node_candidates(Node, Literals),
        node_offspring(Node, Kept),
        children(Literals, Node, [], Kept, Search0, Search, Good0, Good)
    ;   Search = Search0,
        Good = Good0
    ).

%!  search_over(+Search, -Why:oneof([exhausted,nodes])) is semidet.
%
%   The search has ended: nothing is left to try, or as many clauses as allowed were tried.

search_over(search(Context, Queue, _, Tried, _, _), Why) :-
    (   empty_heap(Queue)
    ->  Why = exhausted
    ;   context_nodes(Context, Nodes),
        Tried >= Nodes
    ->  Why = nodes
    ).

%!  search_best(+Search, -Good) is semidet.
%
%   Good is the best of the good clauses; fails if there is none.

search_best(search(_, _, _, _, best(_, _, Good), _), Good).

%!  search_tried(+Search, -Tried:integer) is det.

search_tried(search(_, _, _, Tried, _, _), Tried).

node_candidates(node(_, _, _, _, _, _, _, _, Candidates, _), Candidates).
node_offspring(node(_, _, _, _, _, _, _, _, _, Offspring), Offspring).

%   Kept are the literals that may be added further down. Covers are those of the settled tests that were added so far.

children([], _, _, [], Search, Search, Good, Good).
children([Literal|Literals], Node, Covers0, Kept0, Search0, Search, Good0, Good) :-
    (   child(Literal, Node, Search0, Child)
    ->  try(Child, Literal, Node, Covers0, Covers, Outcome, Search0, Search1, Good0, Good1)
    ;   Outcome = kept,
        Covers = Covers0,
        Search1 = Search0,
        Good1 = Good0
    ),
    (   Outcome == kept
    ->  Kept0 = [Literal|Kept]
    ;   Kept0 = Kept
    ),
    children(Literals, Node, Covers, Kept, Search1, Search, Good1, Good).

%   Child is what is known before it is tried: child(Literals, Numbers, Bound, Size).

child(Literal, Node, Search, child(Literals, Numbers, Bound, Size)) :-
    Literal = literal(Number, _, _, Needs, Gives, _),
    Node = node(Literals0, Numbers0, Bound0, Size0, _, _, _, _, _, _),
    Needs /\ Bound0 =:= Needs,
    Bound is Bound0 \/ Gives,
    Search = search(Context, _, _, _, _, Seen),
    (   Bound =:= Bound0
    ->  true
    ;   context_max_vars(Context, MaxVars),
        context_wanted(Context, Wanted),
        popcount(Bound \/ Wanted) =< MaxVars
    ),
    insert_number(Numbers0, Number, Numbers),
    trie_insert(Seen, Numbers),
    Size is Size0+1,
    place(Literals0, Literal, Bound0, Bound, Literals).

%   Outcome is `dropped` if the literal need not be tried again further down: what it lacks here it lacks there.

try(Child, Literal, Parent, Covers0, Covers, Outcome, Search0, Search, Good0, Good) :-
    Child = child(Literals, Numbers, Bound, Size),
    Search0 = search(Context, Queue, Serial, Tried0, Best, Seen),
    Tried is Tried0+1,
    Search1 = search(Context, Queue, Serial, Tried, Best, Seen),
    Parent = node(_, _, Bound0, _, Ps0, Ns0, P0, N0, _, Candidates),
    maplist(literal_goal, Literals, Goals),
    (   context_max_body(Context, Size),
        context_noise(Context, Noise),
        clause_covers_more_than(Context, Goals, Ns0, Noise)
    ->  Outcome = dropped
    ;   clause_covers(Context, Goals, Ps0, Ps, P),
        context_bar(Context, Bar),
        P >= Bar,
        can_beat(P, Size, Context, Best)
    ->  clause_covers(Context, Goals, Ns0, Ns, N),
        outcome(Literal, Bound0, Context, change(P0, N0, P, N), Ps-Ns, Covers0, Covers, Outcome)
    ;   Outcome = dropped
    ),
    (   Outcome == kept
    ->  judge(node(Literals, Numbers, Bound, Size, Ps, Ns, P, N, Candidates, _), Search1, Search, Good0, Good)
    ;   Covers = Covers0,
        Search = Search1,
        Good = Good0
    ).

%   A settled test that has changed nothing never will, and of two that leave the same examples one is enough. A literal
%   is idle, too, if it only binds variables that no other needs.

outcome(literal(_, _, _, _, Gives, Settled), Bound, Context, Change, Cover, Covers0, Covers, Outcome) :-
    New is Gives /\ \Bound,
    (   New =:= 0,
        Settled == true
    ->  (   (   Change = change(P, N, P, N)
            ;   same_cover(Covers0, Cover)
            )
        ->  Outcome = dropped
        ;   Outcome = kept,
            Covers = [Cover|Covers0]
        )
    ;   New =\= 0,
        Change = change(P, N, P, N),
        context_used(Context, Used),
        New /\ Used =:= 0
    ->  Outcome = dropped
    ;   Outcome = kept,
        Covers = Covers0
    ).

same_cover([Cover0|Covers], Cover) :-
    (   Cover0 == Cover
    ->  true
    ;   same_cover(Covers, Cover)
    ).

clause_covers(Context, Goals, Ids, Covered, Count) :-
    context_task(Context, Task),
    context_head(Context, Head),
    context_inferences(Context, Inferences),
    covered(Task, Inferences, Head, Goals, Ids, Covered),
    length(Covered, Count).

clause_covers_more_than(Context, Goals, Ids, Most) :-
    context_task(Context, Task),
    context_head(Context, Head),
    context_inferences(Context, Inferences),
    covers_more_than(Task, Inferences, Head, Goals, Ids, Most).

promising(node(_, _, _, Size, _, _, P, _, _, _), Context, Best) :-
    can_beat(P, Size, Context, Best).

can_beat(_, _, _, none) :-
    !.
can_beat(P, Size, Context, best(Score, BestSize, _)) :-
    context_evaluation(Context, Evaluation),
    score(Evaluation, P, 0, Size, Bound),
    (   Bound > Score
    ->  true
    ;   Bound =:= Score,
        Size < BestSize
    ).

%   Keep a clause that is good, and queue one that may become so.

judge(Node, Search0, Search, Good0, Good) :-
    Node = node(Literals, _, Bound, Size, _, _, P, N, _, _),
    Search0 = search(Context, Queue0, Serial0, Tried, Best0, Seen),
    context_settings(Context, Settings),
    context_wanted(Context, Wanted),
    (   Wanted /\ Bound =:= Wanted,
        acceptable(Settings, P, N),
        context_bar(Context, Bar),
        P >= Bar,
        reduced(Literals, Context, Found, FoundSize, Fp, Fn),
        guarded(Context, Found)
    ->  Good = [Found|Good0],
        better(Found, FoundSize, Fp, Fn, Context, Best0, Best)
    ;   Good = Good0,
        Best = Best0
    ),
    context_max_body(Context, MaxBody),
    (   Size < MaxBody,
        \+ ( Good \== Good0, finished(Node, Context) ),
        can_beat(P, Size, Context, Best)
    ->  context_evaluation(Context, Evaluation),
        score(Evaluation, P, N, Size, Score),
        Rank is -Score,
        Serial is Serial0+1,
        add_to_heap(Queue0, rank(Rank, Size, Serial), Node, Queue)
    ;   Queue = Queue0,
        Serial = Serial0
    ),
    Search = search(Context, Queue, Serial, Tried, Best, Seen).

guarded(Context, good(Head, Body, Ps, _, _)) :-
    context_guard(Context, Guard),
    \+ \+ call(Guard, Head-Body, Ps).

%   Without negatives and with the head's outputs bound there is nothing to gain.

finished(node(_, _, Bound, _, _, _, _, 0, _, _), Context) :-
    context_wanted(Context, Wanted),
    Wanted /\ Bound =:= Wanted.

better(Found, Size, P, N, Context, Best0, Best) :-
    context_evaluation(Context, Evaluation),
    score(Evaluation, P, N, Size, Score),
    (   Best0 = best(Score0, Size0, _),
        (   Score0 > Score
        ;   Score0 =:= Score,
            Size0 =< Size
        )
    ->  Best = Best0
    ;   Best = best(Score, Size, Found)
    ).

%   Drop literals, the last first, while the clause stays good.

reduced(Literals0, Context, good(Head, Body, AllPs, Ns, Size), Size, P, N) :-
    context_head(Context, Head),
    context_examples(Context, examples(Ps0, Ns0, All)),
    reverse(Literals0, Reversed),
    reduce(Reversed, [], Context, Literals),
    maplist(literal_goal, Literals, Goals),
    maplist(literal_atom, Literals, Body),
    length(Body, Size),
    clause_covers(Context, Goals, Ps0, _, P),
    clause_covers(Context, Goals, Ns0, Ns, N),
    clause_covers(Context, Goals, All, AllPs, _).

reduce([], Kept, _, Kept).
reduce([Literal|Rest], Kept, Context, Literals) :-
    (   reverse(Rest, Front),
        append(Front, Kept, Without),
        whole(Without, Context),
        still_good(Without, Context)
    ->  reduce(Rest, Kept, Context, Literals)
    ;   reduce(Rest, [Literal|Kept], Context, Literals)
    ).

%   Each input is bound before its call, and the head's outputs at the end.

whole(Literals, Context) :-
    context_wanted(Context, Wanted),
    context_bound(Context, Bound0),
    bound_after(Literals, Bound0, Bound),
    Wanted /\ Bound =:= Wanted.

still_good(Literals, Context) :-
    context_examples(Context, examples(Ps, Ns, _)),
    context_noise(Context, Noise),
    maplist(literal_goal, Literals, Goals),
    \+ clause_covers_more_than(Context, Goals, Ns, Noise),
    clause_covers(Context, Goals, Ps, _, P),
    clause_covers(Context, Goals, Ns, _, N),
    context_settings(Context, Settings),
    acceptable(Settings, P, N).

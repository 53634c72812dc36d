% Proofs and families in English. This file is included by the background.pl of every dataset; it stands on the rest of
% that, on theory.pl, and on the dataset's facts sample/5, fact/4, person/3 and family/2.

%!  kin(?Story, ?Word, ?X, ?Y) is nondet.
%
%   It follows from Story that Y is the Word of X, such as grandmother. Answers are unordered.

kin(Story, Word, X, Y) :-
    sample(Story, _, _, _, _),
    related(theory, Story, Relation, X, Y),
    said_as(Story, Relation, Y, Word).

%!  explain_truth(+Id) is semidet.
%
%   Prints why the answer of story Id is what it is: the shortest proof of each word that follows, or that none does.
%   Fails if there is no story Id.

explain_truth(Id) :-
    answer_words(Id, Words),
    once(sample(Id, _, _, _, query(X, Y))),
    (   Words = [_]
    ->  true
    ;   Words == []
    ->  format("Nothing follows from the story about what ~w is to ~w.~n", [Y, X])
    ;   length(Words, Count),
        atomic_list_concat(Words, ', ', Text),
        format("The story has no single answer: ~d follow (~w).~n", [Count, Text])
    ),
    forall(member(Word, Words), explain_word(Id, Word, X, Y)).

explain_word(Story, Word, X, Y) :-
    word_names(Word, Relation),
    (   proof_lines(Story, Relation, X, Y, Lines)
    ->  print_lines(Lines)
    ;   format("~w is the ~w of ~w, but only by going through somebody twice.~n", [Y, Word, X])
    ).

%!  explain_kin(?Story, ?Pair) is nondet.
%
%   Prints why Y is what it is to X, for any two persons Pair = X-Y of Story. An unbound Pair is the question of Story.

explain_kin(Story, X-Y) :-
    explanation(Story, X-Y, Lines),
    print_lines(Lines).

print_lines(Lines) :-
    forall(member(Line, Lines), format("~w~n", [Line])).

%!  explanation(?Story, ?Pair, -Lines:list(string)) is nondet.
%
%   Lines are the shortest proof in English.

explanation(Story, X-Y, Lines) :-
    sample(Story, _, _, _, query(QueryX, QueryY)),
    ( var(X), var(Y) -> X = QueryX, Y = QueryY ; true ),
    proof_lines(Story, _, X, Y, Lines).

proof_lines(Story, Relation, X, Y, Lines) :-
    shortest_proof(theory, Story, Relation, X, Y, Tree),
    number_lines(Tree, Story, 1, _, _, Lines, []).

% Lines are numbered as they come; a conclusion names the numbers of its two premises.
number_lines(told(Relation,X,Y), Story, Number, Next, Number, [Line|Lines], Lines) :-
    Next is Number+1,
    sentence(Story, Relation, X, Y, Sentence),
    (   fact(Story, Word, X, Y), word_names(Word, Relation)
    ->  format(string(Line), "~d. ~w. The story says so.", [Number, Sentence])
    ;   fact(Story, Word, Y, X)
    ->  format(string(Line), "~d. ~w. The story says that ~w is the ~w of ~w.", [Number, Sentence, X, Word, Y])
    ).
number_lines(so(Relation,X,Y,Left,Right), Story, Number0, Next, Number, Lines0, Lines) :-
    number_lines(Left, Story, Number0, Number1, First, Lines0, Lines1),
    number_lines(Right, Story, Number1, Number, Second, Lines1, [Line|Lines]),
    Next is Number+1,
    sentence(Story, Relation, X, Y, Sentence),
    parts(Left, Right, Story, FirstWord, SecondWord),
    said_as(Story, Relation, Y, Word),
    with_article(FirstWord, FirstText),
    with_article(Word, WordText),
    format(string(Line), "~d. So ~w, by ~d and ~d: the ~w of ~w is ~w.",
           [Number, Sentence, First, Second, SecondWord, FirstText, WordText]).

with_article(Word, Text) :-
    sub_atom(Word, 0, 1, _, Letter),
    ( memberchk(Letter, [a,e,i,o,u]) -> Article = an ; Article = a ),
    format(string(Text), "~w ~w", [Article, Word]).

parts(Left, Right, Story, First, Second) :-
    relation_end(Left, R1, Y), said_as(Story, R1, Y, First),
    relation_end(Right, R2, Z), said_as(Story, R2, Z, Second).

relation_end(told(R,_,Y), R, Y).
relation_end(so(R,_,Y,_,_), R, Y).

sentence(Story, Relation, X, Y, Sentence) :-
    said_as(Story, Relation, Y, Word),
    format(string(Sentence), "~w is the ~w of ~w", [Y, Word, X]).

%!  family_tree(?Story) is nondet.
%
%   Prints the family behind Story, oldest first, a generation a step to the right. A plus joins spouses; who
%   is named in the story has a star.

family_tree(Story) :-
    family_lines(Story, Lines),
    print_lines(Lines).

%!  family_lines(?Story, -Lines:list(string)) is nondet.
%
%   Lines are what family_tree/1 prints.

family_lines(Story, Lines) :-
    family(Story, Persons),
    findall(Name, root(Persons, Name), Roots),
    branches(Roots, Story, Persons, 0, [], _, Lines, []).

% Who has no parents here, and no spouse who has; of a couple the one that comes first.
root(Persons, Name) :-
    nth1(Place, Persons, person(Name, _, -, -, Spouse)),
    \+ ( nth1(Other, Persons, person(Spouse, _, Father, _, _)),
         ( Father \== - ; Other < Place ) ).

branches([], _, _, _, Shown, Shown, Lines, Lines).
branches([Name|Names], Story, Persons, Depth, Shown0, Shown, Lines0, Lines) :-
    branch(Name, Story, Persons, Depth, Shown0, Shown1, Lines0, Lines1),
    branches(Names, Story, Persons, Depth, Shown1, Shown, Lines1, Lines).

branch(Name, Story, Persons, Depth, Shown0, Shown, [Line|Lines0], Lines) :-
    memberchk(person(Name, _, _, _, Spouse), Persons),
    couple_text(Story, Name, Spouse, Text),
    Indent is 4*Depth,
    format(string(Line), "~t~*|~w", [Indent, Text]),
    (   memberchk(Name, Shown0)
    ->  Shown = Shown0, Lines0 = Lines
    ;   findall(Child, child_of(Persons, Name, Child), Children),
        Deeper is Depth+1,
        branches(Children, Story, Persons, Deeper, [Name,Spouse|Shown0], Shown, Lines0, Lines)
    ).

child_of(Persons, Name, Child) :-
    member(person(Child, _, Father, Mother, _), Persons),
    ( Father == Name -> true ; Mother == Name ).

couple_text(Story, Name, -, Text) :- !,
    starred(Story, Name, Text).
couple_text(Story, Name, Spouse, Text) :-
    starred(Story, Name, One),
    starred(Story, Spouse, Other),
    format(string(Text), "~w + ~w", [One, Other]).

starred(Story, Name, Text) :-
    (   person(Story, Name, _)
    ->  format(string(Text), "~w*", [Name])
    ;   format(string(Text), "~w", [Name])
    ).

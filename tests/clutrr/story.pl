:- module(clutrr_story,
          [ story_facts/3,      % +Theory, +Text, -Facts
            stories_facts/3,    % +Theory, +Texts, -FactLists
            story_tokens/2      % +Text, -Tokens
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(dcg/basics), [blanks//0, digits//1, string_without//2]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).
:- use_module(hornbeam(prolog/clutrr/theory), [theory_relation/5]).
:- use_module(hornbeam(kb/clutrr/names), [name/2]).
:- use_module(hornbeam(kb/clutrr/phrasings), [phrasing/2, pronouns/4]).

/** <module> Reading stories

The grammar of stories, made of the same phrasings by which they are told. It reads text back to facts, and it
refuses text whose pronouns, articles or words do not agree with the persons' genders.

    ?- story_facts([base], "[Ann] asked her father [Bob] for help with a broken bicycle.", Facts).
    Facts = [fact(father,'Ann','Bob')].
*/

%!  story_facts(+Theory, +Text, -Facts:list) is nondet.
%
%   Facts are those that Text says, in its order, as fact(Word,X,Y): Y is the Word of X. More than one answer
%   would be an ambiguous story. Names stand in brackets, are placeholders such as @ent4, or are known names.

story_facts(Theory, Text, Facts) :-
    must_be(string, Text),
    story_tokens(Text, Tokens),
    phrase(story(Theory, Facts, Genders), Tokens),
    consistent(Genders).

%!  stories_facts(+Theory, +Texts:list, -FactLists:list) is det.
%
%   For each of Texts its sorted facts as lists [Word,X,Y], or `ambiguous` where it can be read in two ways, or
%   `unreadable`.

stories_facts(Theory, Texts, FactLists) :-
    must_be(list, Texts),
    maplist(readings_(Theory), Texts, FactLists).

readings_(Theory, Atom, Reading) :-
    atom_string(Atom, Text),
    findall(Sorted,
            ( story_facts(Theory, Text, Facts),
              findall([W,X,Y], member(fact(W,X,Y), Facts), Rows),
              msort(Rows, Sorted) ),
            Readings),
    sort(Readings, Distinct),
    (   Distinct = [Only] -> Reading = Only
    ;   Distinct = []     -> Reading = unreadable
    ;   Reading = ambiguous
    ).

story(_, [], []) --> [].
story(Theory, Facts, Genders) -->
    part(Theory, PartFacts, PartGenders),
    story(Theory, RestFacts, RestGenders),
    { append(PartFacts, RestFacts, Facts),
      append(PartGenders, RestGenders, Genders) }.

% What one phrasing says. The phrasing's slots share variables, so that agreement is unification.
part(Theory, Facts, Genders) -->
    { phrasing_pattern(Kind, Size, Items, Persons, Words) },
    matches(Items),
    { said(Size, Persons, Words, Kind, Theory, Facts),
      findall(Name-Gender, ( member(Name-Gender, Persons), nonvar(Gender) ), Genders) }.

matches([]) --> [].
matches([Token|Items]) --> [Token], matches(Items).

said(Size, [First|Persons], Words, Kind, Theory, Facts) :-
    said_(Size, First, Persons, Words, Kind, Theory, Facts).

said_(0, _, _, _, _, _, []) :- !.
said_(Left, X-_, [Y-Gender|Persons], [word(Word, Article)|Words], Kind, Theory, [fact(Word,X,Y)|Facts]) :-
    word_relation(Theory, Word, Gender, Relation),
    right_kind(Kind, Relation),
    right_article(Word, Article),
    Rest is Left-1,
    said_(Rest, Y-Gender, Persons, Words, Kind, Theory, Facts).

% A word for both genders leaves the gender to the pronouns.
word_relation(Theory, Word, Gender, Relation) :-
    theory_relation(Theory, Relation, Male, Female, _),
    (   Male == Female -> Word == Male
    ;   Word == Male   -> Gender = male
    ;   Word == Female -> Gender = female
    ).

right_kind(chain(_), _).
right_kind(any, Relation) :- \+ phrasing(Relation, _).
right_kind(Relation, Relation) :- phrasing(Relation, _), !.

right_article(Word, Article) :-
    sub_atom(Word, 0, 1, _, Letter),
    (   memberchk(Letter, [a,e,i,o,u]) -> Article = an ; Article = a ).

% Nobody has two genders, nor one that their first name denies.
consistent(Genders) :-
    \+ ( member(Name-One, Genders), member(Name-Other, Genders), One \== Other ),
    \+ ( member(Name-One, Genders), name(Other, Name), One \== Other ).

%!  phrasing_pattern(-Kind, -Size, -Items, -Persons, -Words) is multi.
%
%   A phrasing as the tokens that it matches. Persons are Name-Gender, Words are word(Word,Article); both share
%   variables with Items. A phrasing with pronouns has a pattern for each gender of the persons they stand for.

:- table phrasing_pattern/5.

phrasing_pattern(Kind, Size, Items, Persons, Words) :-
    phrasing(Kind, Text),
    ( Kind = chain(Size) -> true ; Size = 1 ),
    pronoun_choice(Text, Choice),
    Count is Size+1,
    length(Persons, Count),
    maplist(pair_, Persons),
    length(Words, Size),
    template_tokens(Text, Slots),
    maplist(slot_item(Choice, Persons, Words), Slots, Items).

pair_(_-_).

% The genders of those persons whose pronouns the text has: each choice is a pattern of its own.
pronoun_choice(Text, Choice) :-
    template_tokens(Text, Slots),
    findall(Person, ( member(slot(Kind, Person), Slots), pronouns(Kind, _, _, _) ), Found),
    sort(Found, Persons),
    choose_(Persons, Choice).

choose_([], []).
choose_([Person|Persons], [Person-Gender|Choice]) :-
    member(Gender, [male,female]),
    choose_(Persons, Choice).

slot_item(_, _, _, literal(Token), Token) :- !.
slot_item(Choice, Persons, _, slot('', Number), name(Name)) :- !,
    nth_(Number, Persons, Name-Gender),
    ( member(Number-Gender, Choice) -> true ; true ).
slot_item(_, _, Words, slot(r, Number), word(Word)) :- !,
    Place is Number-1,
    nth_(Place, Words, word(Word, _)).
slot_item(_, _, Words, slot(a, Number), word(Article)) :- !,
    Place is Number-1,
    nth_(Place, Words, word(_, Article)).
slot_item(Choice, Persons, _, slot(Kind, Number), word(Pronoun)) :-
    nth_(Number, Persons, _-Gender),
    member(Number-Gender, Choice),
    pronouns(Kind, _, Male, Female),
    ( Gender == male -> Text = Male ; Text = Female ),
    atom_string(Pronoun, Text),
    !.

nth_(0, [Item|_], Item) :- !.
nth_(Number, [_|Items], Item) :-
    Before is Number-1,
    nth_(Before, Items, Item).

template_tokens(Text, Slots) :-
    string_codes(Text, Codes),
    phrase(template(Slots), Codes),
    !.

template([]) --> blanks, end_.
template([slot(Kind, Number)|Slots]) -->
    blanks, "{", string_without(`0123456789}`, KindCodes), digits(Digits), "}", !,
    { atom_codes(Kind, KindCodes), number_codes(Number, Digits) },
    template(Slots).
template([literal(Token)|Slots]) -->
    blanks, token(Token), !,
    template(Slots).

end_([], []).

%!  story_tokens(+Text:string, -Tokens:list) is det.
%
%   Tokens are name(Name), word(Word) and mark(Mark).

story_tokens(Text, Tokens) :-
    must_be(string, Text),
    string_codes(Text, Codes),
    phrase(tokens(Tokens), Codes),
    !.

tokens([]) --> blanks, end_.
tokens([Token|Tokens]) --> blanks, token(Token), !, tokens(Tokens).

token(name(Name)) --> "[", string_without(`]`, Codes), "]", !, { atom_codes(Name, Codes) }.
token(name(Name)) --> "@", !, letters(Codes), { atom_codes(Name, [0'@|Codes]) }.
token(mark('''s')) --> "'s", !.
token(Token) -->
    letters([Code|Codes]), !,
    { atom_codes(Word, [Code|Codes]),
      ( name(_, Word) -> Token = name(Word) ; Token = word(Word) ) }.
token(mark(Mark)) --> [Code], { char_code(Mark, Code) }.

letters([Code|Codes]) --> [Code], { letter(Code) }, !, letters(Codes).
letters([]) --> [].

letter(Code) :- code_type(Code, alnum), !.
letter(0'-).

:- module(clutrr_reading,
          [ story_facts/3,      % +Theory, +Text, -Facts
            stories_parts/3,    % +Theory, +Texts, -Readings
            story_tokens/2      % +Text, -Tokens
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2, maplist/3, foldl/4]).
:- use_module(library(dcg/basics), [blanks//0, digits//1, string_without//2]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).
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

%!  stories_parts(+Theory, +Texts:list, -Readings:list) is det.
%
%   For each of Texts what can be read: a list with [Length,Facts] for each part of it that one phrasing tells, where
%   Length counts tokens and Facts are lists [Word,X,Y]; or ambiguous, where it can be read in two ways; or
%   unreadable(Length), where nothing is known to follow the first Length tokens.

stories_parts(Theory, Texts, Readings) :-
    must_be(list, Texts),
    maplist(reading_(Theory), Texts, Readings).

reading_(Theory, Atom, Reading) :-
    atom_string(Atom, Text),
    story_tokens(Text, Tokens),
    findall(Parts,
            ( phrase(parts(Theory, Parts, Genders), Tokens),
              append(Genders, All),
              consistent(All) ),
            Found),
    sort(Found, Distinct),
    (   Distinct = [Reading] -> true
    ;   Distinct = [_,_|_]   -> Reading = ambiguous
    ;   farthest(Theory, Tokens, Length),
        Reading = unreadable(Length)
    ).

% The most tokens from the start that parts can tell.
farthest(Theory, Tokens, Length) :-
    length(Tokens, Whole),
    aggregate_all(max(Read),
                  ( phrase(parts(Theory, _, _), Tokens, Rest),
                    length(Rest, Left),
                    Read is Whole-Left ),
                  Length).

story(Theory, Facts, Genders) -->
    parts(Theory, Parts, GendersOfParts),
    { foldl(facts_of_part, Parts, Facts, []),
      append(GendersOfParts, Genders) }.

facts_of_part([_,Rows], Facts, Rest) :-
    findall(fact(Word,X,Y), member([Word,X,Y], Rows), Own),
    append(Own, Rest, Facts).

parts(_, [], []) --> [].
parts(Theory, [[Length,Facts]|Parts], [PartGenders|Genders]) -->
    part(Theory, Length, Facts, PartGenders),
    parts(Theory, Parts, Genders).

% What one phrasing says. The phrasing's slots share variables, so that agreement is unification.
part(Theory, Length, Facts, Genders, Tokens, Rest) :-
    Tokens = [First,Second|_],
    token_key(First, One),
    token_key(Second, Two),
    known_pattern(One, Two, Kind, Size, Length, Items, Persons, Words),
    phrase(matches(Items), Tokens, Rest),
    said(Size, Persons, Words, Kind, Theory, Facts),
    findall(Name-Gender, ( member(Name-Gender, Persons), nonvar(Gender) ), Genders).

%!  known_pattern(?First, ?Second, -Kind, -Size, -Length, -Items, -Persons, -Words) is nondet.
%
%   The patterns of phrasing_pattern/5, to be found by the keys of their first two tokens.

:- dynamic known_pattern/8.

compile_patterns :-
    forall(phrasing_pattern(Kind, Size, Items, Persons, Words),
           ( Items = [First,Second|_],
             token_key(First, One),
             token_key(Second, Two),
             length(Items, Length),
             assertz(known_pattern(One, Two, Kind, Size, Length, Items, Persons, Words)) )).

% A word that is not known yet has any key.
token_key(name(_), name).
token_key(word(Word), Word).
token_key(mark(Mark), Mark).

:- initialization(compile_patterns).

matches([]) --> [].
matches([Token|Items]) --> [Token], matches(Items).

said(Size, [First|Persons], Words, Kind, Theory, Facts) :-
    said_(Size, First, Persons, Words, Kind, Theory, Facts).

said_(0, _, _, _, _, _, []) :- !.
said_(Left, X-_, [Y-Gender|Persons], [word(Word, Article)|Words], Kind, Theory, [[Word,X,Y]|Facts]) :-
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

:- module(mdie_session,
          [ open_session/3,         % +Task, +Options, -Session
            session_events/3,       % +Session, +Most, -Events
            close_session/1         % +Session
          ]).
:- use_module(mdie, [learning/3]).
:- use_module(settings, [settings/2]).
:- autoload(library(error), [must_be/2]).
:- autoload(library(gensym), [gensym/2]).

/** <module> Learning in steps, for a host that wants to look in between

A session runs mdie:learning/3 in an engine of its own. Each call of session_events/3 fetches the events up to the next
report of clauses tried, which is a few milliseconds of work, so that the host can keep its own clock, and stop by
closing the session. Variables of clauses come numbered, `'$VAR'(N)`.
*/

:- dynamic running/2.                % Session, Engine

%!  open_session(+Task:list, +Options:list, -Session:atom) is det.
%
%   Start learning; nothing is searched yet. Errors in Options are raised here.

open_session(Task, Options, Session) :-
    settings(Options, _),
    gensym(mdie_session_, Session),
    engine_create(Event, learning(Task, Event, Options), Engine),
    assertz(running(Session, Engine)).

%!  session_events(+Session:atom, +Most:positive_integer, -Events:list) is det.
%
%   Events are what happened since: up to Most reports of clauses tried, with all that was told in between. The empty
%   list is the end, after which the session is closed.

session_events(Session, Most, Events) :-
    must_be(atom, Session),
    must_be(positive_integer, Most),
    (   running(Session, Engine)
    ->  fetch(Most, Session, Engine, Events)
    ;   Events = []
    ).

fetch(0, _, _, Events) :-
    !,
    Events = [].
fetch(Most, Session, Engine, Events) :-
    (   engine_next(Engine, Event)
    ->  numbervars(Event, 0, _),
        Events = [Event|Rest],
        (   Event = tried(_)
        ->  Left is Most-1
        ;   Left = Most
        ),
        fetch(Left, Session, Engine, Rest)
    ;   retractall(running(Session, _)),
        Events = []
    ).

%!  close_session(+Session:atom) is det.
%
%   End the learning, if it has not ended by itself.

close_session(Session) :-
    forall(retract(running(Session, Engine)), engine_destroy(Engine)).

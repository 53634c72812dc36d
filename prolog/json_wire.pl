:- module(hornbeam_json_wire,
          [ serve_json/2,           % +RequestText, -ReplyText
            serve_lines/2           % +In, +Out
          ]).
:- use_module(bridge, [serve/3]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(http/json), [json_read/2, json_write/3]).
:- autoload(library(readutil), [read_line_to_string/2]).

/** <module> The bridge's requests and replies as JSON text

For bridges that carry text: pyswip, and a process that reads requests from its standard input. A tuple (see wire.pl) is
an object with the one key `t`; atoms are JSON strings.
*/

%!  serve_json(+RequestText, -ReplyText) is det.
%
%   RequestText is a JSON array of the operation and its request.

serve_json(RequestText, ReplyText) :-
    setup_call_cleanup(
        open_string(RequestText, Stream),
        json_read(Stream, Json),
        close(Stream)),
    json_wire(Json, [Operation, Request]),
    serve(Operation, Request, Reply),
    wire_json(Reply, ReplyJson),
    with_output_to(string(ReplyText), json_write(current_output, ReplyJson, [width(0)])).

%!  serve_lines(+In, +Out) is det.
%
%   Answer a request per line until In ends.

serve_lines(In, Out) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  true
    ;   serve_json(Line, Reply),
        format(Out, '~s~n', [Reply]),
        flush_output(Out),
        serve_lines(In, Out)
    ).

json_wire(Json, Wire), is_list(Json) => maplist(json_wire, Json, Wire).
json_wire(json([t=Parts0]), Wire) =>
    maplist(json_wire, Parts0, Parts),
    compound_name_arguments(Wire, -, Parts).
json_wire(Json, Wire) => Wire = Json.

wire_json(Wire, Json), is_list(Wire) => maplist(wire_json, Wire, Json).
wire_json(Wire, Json), compound(Wire) =>
    compound_name_arguments(Wire, -, Parts0),
    maplist(wire_json, Parts0, Parts),
    Json = json([t=Parts]).
% A string, for json_write/3 takes the atoms true, false and null for constants.
wire_json(Wire, Json), atom(Wire) => atom_string(Wire, Json).
wire_json(Wire, Json) => Json = Wire.

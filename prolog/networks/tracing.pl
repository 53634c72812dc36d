:- module(networks_tracing,
          [ network_traces/4    % +Facts, +Networks, +Limit, -Traces
          ]).
:- use_module(reasoning, [facts_table/2, network_lines/4]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [must_be/2]).

/** <module> How a theory of composition answers many networks

For each network the lines of network_lines/4, which the datasets show for a theory of one's own: one table, one call.
*/

%!  network_traces(+Facts:list, +Networks:list, +Limit:positive_integer, -Traces:list) is det.
%
%   Facts are a theory as in facts_table/2. Each of Networks is network(Edges, Query) as in network_lines/4. Each of
%   Traces is the list of lines for that network; `none` where Limit inferences do not suffice, or where the network has a
%   relation that the theory does not know.

network_traces(Facts, Networks, Limit, Traces) :-
    must_be(list, Facts),
    must_be(list, Networks),
    must_be(positive_integer, Limit),
    facts_table(Facts, Table),
    maplist(network_trace(Table, Limit), Networks, Traces).

network_trace(Table, Limit, network(Edges, Query), Trace) :-
    (   catch(call_with_inference_limit(once(network_lines(Table, Edges, Query, Lines)), Limit, Result),
              error(existence_error(relation, _), _),
              fail),
        Result \== inference_limit_exceeded
    ->  Trace = Lines
    ;   Trace = none
    ).

:- module(kandy_kb,
          [ shape/1,                    % ?Shape
            color/1,                    % ?Color
            size/1,                     % ?Size
            atom_props/4,               % ?Object, ?Shape, ?Color, ?Size
            defined_as/3,               % ?Pointer, ?Operator, ?Children
            sample_is/2,                % ?Sample, ?Node
            task/4,                     % ?Rule, ?Curriculum, ?Index, ?Title
            any_composition/1,          % ?Operator
            displacement/1,             % ?Operator
            line/1,                     % ?Operator
            diag/1,                     % ?Operator
            upright/1,                  % ?Operator
            quadrant/1,                 % ?Operator
            quadrant_or_center/1        % ?Operator
          ]).

:- use_module('../kb/kandy/compositions',
              [ any_composition/1, diag/1, displacement/1, line/1, quadrant/1,
                quadrant_or_center/1, upright/1
              ]).
:- use_module('../kb/kandy/domain', [shape/1, color/1, size/1, atom_props/4]).
:- use_module('../kb/kandy/natural/full', []).
:- use_module('../kb/kandy/pointer/full', []).
:- use_module('../kb/kandy/scenes', [defined_as/3, sample_is/2]).
:- use_module('../kb/kandy/tasks', [task/4]).

/** <module> The door from prolog/kandy to kb/kandy

A sandboxed load follows a path that goes up once, and none that goes up twice.
*/

:- module(kandy_task_cases,
          [ case/3                      % ?Rule, ?Label, ?Tree
          ]).

/** <module> Hand-made pictures for each task, near misses included */

%!  case(?Rule:atom, ?Label:oneof([0,1]), ?Tree) is nondet.
%
%   By hand, Label is the label of Tree in the task of Rule.

:- discontiguous case/3.

% Easy -----------------------------------------------------------------------

case(easy_00_triangle, 1, in([triangle_red_small])).
case(easy_00_triangle, 1, quadrant_ll([triangle_blue_large])).
case(easy_00_triangle, 1, in([circle_red_small, triangle_cyan_small])).
case(easy_00_triangle, 0, in([square_red_small])).
case(easy_00_triangle, 0, in([stack([triangle_red_small])])).   % not a direct child
case(easy_00_triangle, 0, triangle_red_small).                  % an object contains nothing
case(easy_00_triangle, 0, in([])).

case(easy_01_square, 1, in([square_red_small])).
case(easy_01_square, 1, quadrant_ur([square_magenta_large])).
case(easy_01_square, 1, random([circle_red_small, square_red_small])).
case(easy_01_square, 0, in([triangle_red_small])).
case(easy_01_square, 0, in([circle_red_small])).
case(easy_01_square, 0, in([grid([square_red_small])])).

case(easy_02_circle, 1, in([circle_red_small])).
case(easy_02_circle, 1, quadrant_lr([circle_green_large])).
case(easy_02_circle, 1, stack([square_red_small, circle_red_small])).
case(easy_02_circle, 0, in([triangle_red_small])).
case(easy_02_circle, 0, quadrant_ul([square_green_large])).
case(easy_02_circle, 0, in([stack([circle_red_small])])).

case(easy_03_red, 1, in([circle_red_small])).
case(easy_03_red, 1, in([square_red_large])).
case(easy_03_red, 1, in([circle_blue_small, triangle_red_small])).
case(easy_03_red, 0, in([circle_yellow_small])).
case(easy_03_red, 0, in([stack([circle_red_small])])).
case(easy_03_red, 0, in([square_magenta_large])).

case(easy_04_green, 1, in([circle_green_small])).
case(easy_04_green, 1, quadrant_ul([triangle_green_large])).
case(easy_04_green, 1, in([circle_red_small, square_green_small])).
case(easy_04_green, 0, in([circle_cyan_small])).
case(easy_04_green, 0, in([triangle_yellow_large])).
case(easy_04_green, 0, in([in([circle_green_small])])).

case(easy_05_blue, 1, in([circle_blue_small])).
case(easy_05_blue, 1, quadrant_ul([triangle_blue_large])).
case(easy_05_blue, 1, grid([square_blue_small])).
case(easy_05_blue, 0, in([circle_cyan_small])).
case(easy_05_blue, 0, in([square_magenta_large])).
case(easy_05_blue, 0, in([in([circle_blue_small])])).

case(easy_06_cyan, 1, in([circle_cyan_small])).
case(easy_06_cyan, 1, quadrant_ll([triangle_cyan_large])).
case(easy_06_cyan, 1, in([square_cyan_small])).
case(easy_06_cyan, 0, in([circle_blue_small])).
case(easy_06_cyan, 0, in([circle_green_small])).
case(easy_06_cyan, 0, in([in([circle_cyan_small])])).

case(easy_07_magenta, 1, in([circle_magenta_small])).
case(easy_07_magenta, 1, quadrant_lr([triangle_magenta_large])).
case(easy_07_magenta, 1, in([square_magenta_small])).
case(easy_07_magenta, 0, in([circle_red_small])).
case(easy_07_magenta, 0, in([square_blue_small])).
case(easy_07_magenta, 0, in([in([circle_magenta_small])])).

case(easy_08_yellow, 1, in([circle_yellow_small])).
case(easy_08_yellow, 1, quadrant_ur([triangle_yellow_large])).
case(easy_08_yellow, 1, in([square_yellow_small])).
case(easy_08_yellow, 0, in([circle_green_small])).
case(easy_08_yellow, 0, in([square_red_small])).
case(easy_08_yellow, 0, in([in([circle_yellow_small])])).

case(easy_09_last_red_triangle, 1, side_by_side([circle_blue_small, triangle_red_small])).
case(easy_09_last_red_triangle, 1, side_by_side([triangle_red_small, triangle_red_large])).
case(easy_09_last_red_triangle, 1, side_by_side([square_cyan_large, triangle_red_large])).
case(easy_09_last_red_triangle, 0, side_by_side([triangle_red_small, circle_blue_small])).
case(easy_09_last_red_triangle, 0, side_by_side([circle_blue_small, triangle_magenta_small])).
case(easy_09_last_red_triangle, 0, side_by_side([circle_blue_small, square_red_small])).
case(easy_09_last_red_triangle, 0, side_by_side([])).
case(easy_09_last_red_triangle, 0, side_by_side([circle_blue_small, in([triangle_red_small])])).

case(easy_10_last_red_triangle_long, 1,
     side_by_side([circle_blue_small, square_red_small, triangle_red_small])).
case(easy_10_last_red_triangle_long, 1,
     side_by_side([circle_blue_small, circle_blue_small, circle_red_large, square_red_small,
                   square_cyan_small, triangle_red_large])).
case(easy_10_last_red_triangle_long, 1, side_by_side([triangle_red_small])).
case(easy_10_last_red_triangle_long, 0,
     side_by_side([circle_blue_small, triangle_red_small, square_red_small])).
case(easy_10_last_red_triangle_long, 0,
     side_by_side([triangle_red_small, triangle_red_small, triangle_yellow_small])).
case(easy_10_last_red_triangle_long, 0,
     side_by_side([circle_blue_small, square_cyan_small, circle_red_small])).

case(easy_11_and_a_circle, 1, side_by_side([circle_blue_small, triangle_red_small])).
case(easy_11_and_a_circle, 1,
     side_by_side([square_blue_small, circle_red_large, square_red_small, triangle_red_large])).
case(easy_11_and_a_circle, 1,
     side_by_side([triangle_red_small, circle_red_large, triangle_red_large])).
case(easy_11_and_a_circle, 0, side_by_side([square_blue_small, triangle_red_small])).
case(easy_11_and_a_circle, 0, side_by_side([triangle_red_small, circle_blue_small])).
case(easy_11_and_a_circle, 0, side_by_side([circle_blue_small, triangle_green_small])).
case(easy_11_and_a_circle, 0, side_by_side([in([circle_blue_small]), triangle_red_small])).

case(easy_12_and_something_blue, 1, side_by_side([circle_blue_small, triangle_red_small])).
case(easy_12_and_something_blue, 1,
     side_by_side([square_cyan_small, triangle_blue_large, square_red_small, triangle_red_large])).
case(easy_12_and_something_blue, 1,
     side_by_side([square_blue_large, square_blue_large, triangle_red_small])).
case(easy_12_and_something_blue, 0, side_by_side([circle_cyan_small, triangle_red_small])).
case(easy_12_and_something_blue, 0, side_by_side([triangle_red_small, circle_blue_small])).
case(easy_12_and_something_blue, 0, side_by_side([circle_blue_small, triangle_blue_small])).

case(easy_13_same_colour_pair, 1, in([stack([triangle_red_small, square_red_large])])).
case(easy_13_same_colour_pair, 1, quadrant_ul([grid([square_cyan_small, triangle_cyan_small])])).
case(easy_13_same_colour_pair, 1,
     in([stack([triangle_red_small]), stack([circle_blue_small, in([square_red_large])])])).
case(easy_13_same_colour_pair, 0, in([stack([triangle_red_small, square_blue_large])])).
case(easy_13_same_colour_pair, 0, in([stack([triangle_red_small, circle_red_large])])).
case(easy_13_same_colour_pair, 0, in([stack([square_red_small, square_red_large])])).
case(easy_13_same_colour_pair, 0,
     in([stack([triangle_red_small, square_blue_large, triangle_green_small, square_cyan_small])])).

case(easy_14_palindrome, 1,
     side_by_side([circle_red_small, square_blue_small, circle_red_small])).
case(easy_14_palindrome, 1,
     side_by_side([circle_red_small, circle_red_small, circle_red_small])).
case(easy_14_palindrome, 1, side_by_side([circle_red_small])).
case(easy_14_palindrome, 0,
     side_by_side([circle_red_small, circle_red_small, square_blue_small])).
case(easy_14_palindrome, 0,
     side_by_side([circle_red_small, square_blue_small, circle_red_large])).   % a size differs
case(easy_14_palindrome, 0,
     side_by_side([circle_red_small, square_blue_small, circle_magenta_small])).

case(easy_15_house, 1, in([stack([triangle_red_small, square_blue_small])])).
case(easy_15_house, 1, quadrant_ul([stack([triangle_red_large, square_red_large])])).
case(easy_15_house, 1, in([circle_red_small, stack([triangle_cyan_large, square_green_large])])).
case(easy_15_house, 0, in([stack([triangle_red_small, square_blue_large])])).
case(easy_15_house, 0, in([stack([square_blue_small, triangle_red_small])])).
case(easy_15_house, 0, in([stack_reduce_bb([triangle_red_small, square_blue_small])])).
case(easy_15_house, 0, in([side_by_side([triangle_red_small, square_blue_small])])).
case(easy_15_house, 0, in([stack([triangle_red_small, square_blue_small, square_blue_small])])).
case(easy_15_house, 0, stack([triangle_red_small, square_blue_small])).

case(easy_16_car, 1, in([side_by_side([circle_red_small, circle_red_small])])).
case(easy_16_car, 1, quadrant_lr([side_by_side([circle_blue_large, circle_blue_large])])).
case(easy_16_car, 1, in([side_by_side([circle_cyan_small, circle_cyan_small])])).
case(easy_16_car, 0, in([side_by_side([circle_red_small, circle_blue_small])])).
case(easy_16_car, 0, in([side_by_side([circle_red_small, circle_red_large])])).
case(easy_16_car, 0, in([stack([circle_red_small, circle_red_small])])).
case(easy_16_car, 0, in([side_by_side([square_red_small, square_red_small])])).
case(easy_16_car, 0,
     in([side_by_side([circle_red_small, circle_red_small, circle_red_small])])).

case(easy_17_tower, 1, in([stack([square_red_small, square_blue_small])])).
case(easy_17_tower, 1, in([stack([square_red_large, square_blue_large, square_red_large])])).
case(easy_17_tower, 1, quadrant_ll([stack([square_cyan_small, square_cyan_small])])).
case(easy_17_tower, 0, in([stack([square_red_small])])).
case(easy_17_tower, 0,
     in([stack([square_red_small, square_red_small, square_red_small, square_red_small])])).
case(easy_17_tower, 0, in([stack([square_red_small, square_red_large])])).
case(easy_17_tower, 0, in([stack([square_red_small, square_red_small, triangle_red_small])])).
case(easy_17_tower, 0, in([side_by_side([square_red_small, square_red_small])])).

case(easy_18_wagon, 1, in([side_by_side([square_red_small, square_blue_small])])).
case(easy_18_wagon, 1, in([side_by_side([square_red_large, square_blue_large, square_red_large])])).
case(easy_18_wagon, 1, quadrant_ll([side_by_side([square_cyan_small, square_cyan_small])])).
case(easy_18_wagon, 0, in([side_by_side([square_red_small])])).
case(easy_18_wagon, 0, in([side_by_side([square_red_small, square_red_large])])).
case(easy_18_wagon, 0, in([side_by_side([circle_red_small, square_red_small])])).
case(easy_18_wagon, 0, in([stack([square_red_small, square_red_small])])).
case(easy_18_wagon, 0, in([side_by_side_reduce_bb([square_red_small, square_red_small])])).

case(easy_19_traffic_light, 1,
     in([stack([circle_red_small, circle_yellow_small, circle_green_small])])).
case(easy_19_traffic_light, 1,
     in([stack([circle_red_large, circle_yellow_large, circle_green_large])])).
case(easy_19_traffic_light, 1,
     quadrant_ur([stack([circle_red_large, circle_yellow_large, circle_green_large])])).
case(easy_19_traffic_light, 0,
     in([stack([circle_green_small, circle_yellow_small, circle_red_small])])).
case(easy_19_traffic_light, 0,
     in([stack([circle_red_small, circle_yellow_large, circle_green_small])])).
case(easy_19_traffic_light, 0,
     in([stack([circle_red_small, circle_yellow_small, square_green_small])])).
case(easy_19_traffic_light, 0,
     in([side_by_side([circle_red_small, circle_yellow_small, circle_green_small])])).
case(easy_19_traffic_light, 0, in([stack([circle_red_small, circle_yellow_small])])).

% Hard -----------------------------------------------------------------------

case(hard_00_dimer_colour, 1, in([grid([circle_red_small, square_red_large])])).
case(hard_00_dimer_colour, 1, quadrant_ul([diag_ul_lr([triangle_cyan_small, triangle_cyan_small])])).
case(hard_00_dimer_colour, 1, in([stack([circle_red_small]), stack([circle_blue_small, square_blue_small])])).
case(hard_00_dimer_colour, 0, in([grid([circle_red_small, circle_blue_small])])).
case(hard_00_dimer_colour, 0, in([grid([circle_red_small, square_red_large, square_red_large])])).
case(hard_00_dimer_colour, 0, in([circle_red_small, square_red_large])).
case(hard_00_dimer_colour, 0, in([grid([circle_red_small, in([square_red_large])])])).

case(hard_01_dimer_shape, 1, in([grid([circle_red_small, circle_blue_large])])).
case(hard_01_dimer_shape, 1, quadrant_ul([stack([triangle_cyan_small, triangle_cyan_small])])).
case(hard_01_dimer_shape, 1, in([side_by_side([square_red_small, square_green_small])])).
case(hard_01_dimer_shape, 0, in([grid([circle_red_small, square_red_small])])).
case(hard_01_dimer_shape, 0, in([grid([circle_red_small, circle_red_small, circle_red_small])])).
case(hard_01_dimer_shape, 0, in([grid([circle_red_small])])).

case(hard_02_trimer_colour, 1, in([grid([circle_red_small, square_red_large, triangle_red_small])])).
case(hard_02_trimer_colour, 1, in([stack([circle_cyan_small, circle_cyan_small, circle_cyan_small])])).
case(hard_02_trimer_colour, 1,
     quadrant_lr([diag_ll_ur([square_blue_small, circle_blue_small, circle_blue_large])])).
case(hard_02_trimer_colour, 0, in([grid([circle_red_small, square_red_large])])).
case(hard_02_trimer_colour, 0, in([grid([circle_red_small, square_red_large, triangle_blue_small])])).
case(hard_02_trimer_colour, 0,
     in([grid([circle_red_small, circle_red_small, circle_red_small, circle_red_small])])).

case(hard_03_trimer_shape, 1, in([grid([circle_red_small, circle_blue_large, circle_cyan_small])])).
case(hard_03_trimer_shape, 1, in([stack([square_cyan_small, square_cyan_small, square_cyan_small])])).
case(hard_03_trimer_shape, 1,
     quadrant_ll([side_by_side([triangle_red_small, triangle_red_large, triangle_blue_small])])).
case(hard_03_trimer_shape, 0, in([grid([circle_red_small, circle_blue_large])])).
case(hard_03_trimer_shape, 0, in([grid([circle_red_small, square_red_small, circle_red_small])])).
case(hard_03_trimer_shape, 0,
     in([grid([circle_red_small, circle_red_small, in([circle_red_small])])])).

case(hard_04_house, 1,
     grid([stack([circle_red_small, square_red_small]), stack([triangle_red_small, square_blue_small])])).
case(hard_04_house, 1,
     stack([stack([triangle_red_large, square_red_large]), side_by_side([circle_red_small, circle_red_small])])).
case(hard_04_house, 1,
     diag_ul_lr([side_by_side([circle_red_small, square_red_small]),
                 stack([square_red_small, circle_red_small]),
                 stack([square_cyan_small, triangle_cyan_small]),
                 stack([triangle_cyan_small, square_cyan_small])])).
case(hard_04_house, 0,
     grid([stack([square_red_small, triangle_red_small]), stack([triangle_red_small, square_blue_large])])).
case(hard_04_house, 0, grid([side_by_side([triangle_red_small, square_blue_small])])).
case(hard_04_house, 0, grid([in([stack([triangle_red_small, square_blue_small])])])).

case(hard_05_car, 1,
     diag_ul_lr([stack([circle_red_small, circle_red_small]),
                 side_by_side([circle_red_small, circle_red_small])])).
case(hard_05_car, 1, diag_ll_ur([side_by_side([circle_cyan_large, circle_cyan_large])])).
case(hard_05_car, 1,
     diag_ll_ur([side_by_side([circle_blue_small, circle_blue_small]),
                 side_by_side([square_red_small, circle_red_small])])).
case(hard_05_car, 0,
     diag_ul_lr([stack([circle_red_small, circle_red_small]),
                 side_by_side([circle_red_small, circle_red_large])])).
case(hard_05_car, 0, diag_ul_lr([side_by_side([circle_red_small, circle_magenta_small])])).
case(hard_05_car, 0, side_by_side([circle_red_small, circle_red_small])).

case(hard_06_tower, 1,
     diag_ul_lr([stack([circle_red_small, circle_red_small]), stack([square_red_small, square_cyan_small])])).
case(hard_06_tower, 1,
     diag_ll_ur([stack([square_red_large, square_red_large, square_blue_large]),
                 side_by_side([square_red_small, circle_red_small])])).
case(hard_06_tower, 1, diag_ul_lr([stack([square_red_small, square_red_small])])).
case(hard_06_tower, 0, diag_ul_lr([side_by_side([square_red_small, square_red_small])])).
case(hard_06_tower, 0, diag_ul_lr([stack([square_red_small, square_red_large])])).
case(hard_06_tower, 0, diag_ul_lr([stack([square_red_small, square_red_small, circle_red_small])])).

case(hard_07_wagon, 1,
     diag_ul_lr([stack([circle_red_small, circle_red_small]),
                 side_by_side([square_red_small, square_cyan_small])])).
case(hard_07_wagon, 1,
     diag_ll_ur([side_by_side([square_red_large, square_red_large, square_blue_large])])).
case(hard_07_wagon, 1, diag_ul_lr([side_by_side([square_red_small, square_red_small])])).
case(hard_07_wagon, 0, diag_ul_lr([stack([square_red_small, square_red_small])])).
case(hard_07_wagon, 0, diag_ul_lr([side_by_side([square_red_small, square_red_large])])).
case(hard_07_wagon, 0,
     diag_ul_lr([side_by_side([square_red_small, square_red_small, square_red_small, square_red_small])])).

case(hard_08_traffic_light, 1,
     diag_ul_lr([stack([circle_red_small, circle_red_small, circle_red_small]),
                 stack([circle_red_small, circle_yellow_small, circle_green_small])])).
case(hard_08_traffic_light, 1, diag_ll_ur([stack([circle_red_large, circle_yellow_large, circle_green_large])])).
case(hard_08_traffic_light, 1,
     diag_ll_ur([stack([circle_red_large, circle_yellow_large, circle_green_large]), square_red_small])).
case(hard_08_traffic_light, 0,
     diag_ul_lr([stack([circle_red_small, circle_green_small, circle_yellow_small])])).
case(hard_08_traffic_light, 0,
     diag_ul_lr([side_by_side([circle_red_small, circle_yellow_small, circle_green_small])])).
case(hard_08_traffic_light, 0,
     diag_ul_lr([stack([circle_red_small, circle_yellow_small, circle_green_large])])).

case(hard_09_shared_shape, 1,
     grid([diag_ul_lr([circle_red_small, square_red_small]), diag_ul_lr([triangle_red_small, circle_blue_large])])).
case(hard_09_shared_shape, 1,
     grid([diag_ul_lr([square_red_small]), diag_ll_ur([square_cyan_small, square_red_small]),
           diag_ll_ur([circle_cyan_small, square_red_small])])).
case(hard_09_shared_shape, 1, grid([diag_ul_lr([triangle_red_small])])).
case(hard_09_shared_shape, 1, grid([])).                        % every one of none
case(hard_09_shared_shape, 0,
     grid([diag_ul_lr([circle_red_small, square_red_small]), diag_ul_lr([triangle_red_small, triangle_blue_large])])).
case(hard_09_shared_shape, 0,                                   % each two share one, all three do not
     grid([diag_ul_lr([circle_red_small, square_red_small]),
           diag_ul_lr([circle_red_small, triangle_red_small]),
           diag_ul_lr([square_red_small, triangle_red_small])])).
case(hard_09_shared_shape, 0, grid([circle_red_small, circle_red_small])).   % no groups
case(hard_09_shared_shape, 0,
     grid([diag_ul_lr([circle_red_small]), diag_ul_lr([in([circle_red_small])])])).

case(hard_10_shared_colour, 1,
     grid([diag_ul_lr([circle_red_small, square_blue_small]), diag_ul_lr([triangle_red_small, circle_cyan_large])])).
case(hard_10_shared_colour, 1,
     grid([diag_ul_lr([square_cyan_small]), diag_ll_ur([circle_cyan_small, square_red_small])])).
case(hard_10_shared_colour, 1, grid([diag_ul_lr([triangle_red_small])])).
case(hard_10_shared_colour, 0,
     grid([diag_ul_lr([circle_red_small, square_blue_small]), diag_ul_lr([circle_cyan_small, square_green_small])])).
case(hard_10_shared_colour, 0,
     grid([diag_ul_lr([circle_red_small, square_blue_small]),
           diag_ul_lr([circle_red_small, triangle_cyan_small]),
           diag_ul_lr([square_blue_small, triangle_cyan_small])])).
case(hard_10_shared_colour, 0,
     grid([diag_ul_lr([circle_red_small]), diag_ul_lr([circle_magenta_small])])).

case(hard_11_shared_object, 1,
     grid([diag_ul_lr([stack([triangle_red_small, square_blue_small]), circle_red_small]),
           diag_ul_lr([stack([triangle_cyan_large, square_blue_large])])])).
case(hard_11_shared_object, 1,
     grid([diag_ul_lr([side_by_side([circle_red_small, circle_red_small])])])).
case(hard_11_shared_object, 1,
     grid([diag_ul_lr([stack([square_red_small, square_red_small]),
                       stack([triangle_red_small, square_blue_small])]),
           diag_ll_ur([stack([square_red_large, square_red_large, square_red_large])])])).
case(hard_11_shared_object, 0,
     grid([diag_ul_lr([stack([triangle_red_small, square_blue_small])]),
           diag_ul_lr([stack([triangle_cyan_small, square_blue_large])])])).
case(hard_11_shared_object, 0,
     grid([diag_ul_lr([stack([triangle_red_small, square_blue_small])]),
           diag_ul_lr([stack([square_red_small, square_red_small])])])).
case(hard_11_shared_object, 0,
     grid([stack([triangle_red_small, square_blue_small]), stack([triangle_red_small, square_blue_small])])).

case(hard_12_palindrome, 1, stack([circle_red_small, square_blue_small, circle_red_small])).
case(hard_12_palindrome, 1,
     diag_ul_lr([circle_red_small, square_blue_small, triangle_red_large, square_blue_small, circle_red_small])).
case(hard_12_palindrome, 1, stack([square_blue_small, square_blue_small])).
case(hard_12_palindrome, 0, stack([circle_red_small, circle_red_small, square_blue_small])).
case(hard_12_palindrome, 0,
     diag_ul_lr([circle_red_small, square_blue_small, triangle_red_large, square_blue_large, circle_red_small])).
case(hard_12_palindrome, 0, stack([circle_red_small, square_blue_small])).

case(hard_13_pseudo_palindrome, 1,
     stack([circle_red_small, square_blue_small, triangle_cyan_small, square_red_small, triangle_red_large])).
case(hard_13_pseudo_palindrome, 1,
     stack([circle_red_small, square_blue_small, circle_blue_large, circle_blue_small, circle_red_small])).
case(hard_13_pseudo_palindrome, 1, stack([circle_red_small])).
case(hard_13_pseudo_palindrome, 1, stack([circle_red_small, circle_blue_large])).
case(hard_13_pseudo_palindrome, 0,
     stack([circle_red_small, square_blue_small, triangle_cyan_small, square_red_small, triangle_blue_large])).
case(hard_13_pseudo_palindrome, 0,                              % the inner pair differs
     stack([circle_red_small, square_blue_small, triangle_cyan_small, circle_red_small, circle_red_small])).
case(hard_13_pseudo_palindrome, 0,                              % same size alone does not count
     stack([circle_red_small, square_blue_small])).
case(hard_13_pseudo_palindrome, 0,                              % named objects do not count here
     stack([stack([triangle_red_small, square_red_small]), stack([triangle_red_small, square_red_small])])).

case(hard_14_pseudo_palindrome_objects, 1,
     diag_ul_lr([stack([triangle_red_small, square_red_small]), circle_red_small,
                 stack([triangle_cyan_large, square_blue_large])])).
case(hard_14_pseudo_palindrome_objects, 1,
     diag_ul_lr([circle_red_small, side_by_side([square_red_small, square_red_small]), square_cyan_small,
                 side_by_side([square_red_large, square_red_large, square_red_large]), square_red_small])).
case(hard_14_pseudo_palindrome_objects, 1, diag_ul_lr([circle_red_small, square_red_small])).
case(hard_14_pseudo_palindrome_objects, 1,                      % the middle may be anything
     diag_ul_lr([circle_red_small, stack([circle_red_small, square_red_small]), circle_blue_small])).
case(hard_14_pseudo_palindrome_objects, 0,
     diag_ul_lr([stack([triangle_red_small, square_red_small]), circle_red_small,
                 stack([square_cyan_large, square_blue_large])])).
case(hard_14_pseudo_palindrome_objects, 0,                      % equal, but with no name
     diag_ul_lr([stack([circle_red_small, square_red_small]), circle_red_small,
                 stack([circle_red_small, square_red_small])])).
case(hard_14_pseudo_palindrome_objects, 0,
     diag_ul_lr([circle_red_small, circle_red_small, square_blue_small])).

case(hard_15_parity, 1, stack([circle_red_small, square_red_small, triangle_red_large])).
case(hard_15_parity, 1, stack([circle_red_small, circle_blue_small])).
case(hard_15_parity, 1, grid([circle_red_small])).
case(hard_15_parity, 0, stack([circle_red_small, circle_blue_small, circle_red_large])).
case(hard_15_parity, 0, stack([circle_red_small, square_red_small])).
case(hard_15_parity, 0, stack([circle_red_small, square_red_small, triangle_red_large, circle_red_small])).
case(hard_15_parity, 0, stack([])).

case(hard_16_implications, 1,
     diag_ul_lr([circle_red_small, stack([circle_red_small, circle_yellow_small, circle_green_small]),
                 side_by_side([circle_red_small, circle_red_small])])).
case(hard_16_implications, 1,
     diag_ul_lr([stack([triangle_red_small, square_red_small]), stack([square_red_small, square_red_small])])).
case(hard_16_implications, 1,
     diag_ul_lr([circle_red_small, stack([square_red_small, square_red_small])])).
case(hard_16_implications, 1,                                   % the light has no car, the house its tower
     diag_ul_lr([stack([circle_red_small, circle_yellow_small, circle_green_small]),
                 stack([triangle_red_small, square_red_small]), stack([square_red_small, square_red_small])])).
case(hard_16_implications, 0,
     diag_ul_lr([circle_red_small, stack([circle_red_small, circle_yellow_small, circle_green_small])])).
case(hard_16_implications, 0,
     diag_ul_lr([circle_red_small, stack([triangle_red_small, square_red_small])])).
case(hard_16_implications, 0,                                   % true by the paper's prose, false by its rule
     diag_ul_lr([stack([circle_red_small, circle_yellow_small, circle_green_small]),
                 stack([square_red_small, square_red_small])])).
case(hard_16_implications, 0,
     diag_ul_lr([stack([triangle_red_small, square_red_small]), side_by_side([circle_red_small, circle_red_small])])).

case(hard_17_implications_everywhere, 1,
     grid([diag_ul_lr([stack([triangle_red_small, square_red_small]), stack([square_red_small, square_red_small])]),
           diag_ul_lr([circle_red_small, circle_blue_small])])).
case(hard_17_implications_everywhere, 1,
     grid([diag_ul_lr([stack([circle_red_small, circle_yellow_small, circle_green_small]),
                       side_by_side([circle_red_small, circle_red_small])])])).
case(hard_17_implications_everywhere, 1,
     grid([diag_ul_lr([circle_red_small]), diag_ll_ur([square_red_small])])).
case(hard_17_implications_everywhere, 0,                        % one group of two breaks it
     grid([diag_ul_lr([circle_red_small, circle_blue_small]),
           diag_ul_lr([circle_red_small, stack([triangle_red_small, square_red_small])])])).
case(hard_17_implications_everywhere, 0,                        % light and car are not in the same group
     grid([diag_ul_lr([stack([circle_red_small, circle_yellow_small, circle_green_small])]),
           diag_ul_lr([side_by_side([circle_red_small, circle_red_small])])])).
case(hard_17_implications_everywhere, 0,
     grid([diag_ul_lr([stack([triangle_red_small, square_red_small])]),
           diag_ul_lr([stack([triangle_red_small, square_red_small])])])).

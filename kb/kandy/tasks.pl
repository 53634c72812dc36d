:- module(kandy_tasks,
          [ task/4                      % ?Rule, ?Curriculum, ?Index, ?Title
          ]).

/** <module> The tasks of the two published curricula

The rule of each is in a file of its own, tasks/<Rule>.pl, in the module
kandy_<Rule>, so that what it defines for itself meets nobody else's names.
*/

%!  task(?Rule:atom, ?Curriculum:oneof([easy,hard]), ?Index:nonneg, ?Title:string) is nondet.
%
%   Rule is the ground truth of the task at this Index of Curriculum, and
%   Title says what makes a picture valid.

task(easy_00_triangle, easy, 0, "a triangle").
task(easy_01_square, easy, 1, "a square").
task(easy_02_circle, easy, 2, "a circle").
task(easy_03_red, easy, 3, "something red").
task(easy_04_green, easy, 4, "something green").
task(easy_05_blue, easy, 5, "something blue").
task(easy_06_cyan, easy, 6, "something cyan").
task(easy_07_magenta, easy, 7, "something magenta").
task(easy_08_yellow, easy, 8, "something yellow").
task(easy_09_last_red_triangle, easy, 9, "the last of two is a red triangle").
task(easy_10_last_red_triangle_long, easy, 10, "the last of several is a red triangle").
task(easy_11_and_a_circle, easy, 11, "the last is a red triangle, and there is a circle").
task(easy_12_and_something_blue, easy, 12, "the last is a red triangle, and something is blue").
task(easy_13_same_colour_pair, easy, 13, "a triangle and a square of the same colour").
task(easy_14_palindrome, easy, 14, "three in a row read the same from both ends").
task(easy_15_house, easy, 15, "a house: a triangle on a square, equal in size").
task(easy_16_car, easy, 16, "a car: two circles side by side, equal in size and colour").
task(easy_17_tower, easy, 17, "a tower: two or three squares on each other, equal in size").
task(easy_18_wagon, easy, 18, "a wagon: two or three squares side by side, equal in size").
task(easy_19_traffic_light, easy, 19, "a traffic light: circles red, yellow, green on each other, equal in size").
task(hard_00_dimer_colour, hard, 0, "a group of two of the same colour").
task(hard_01_dimer_shape, hard, 1, "a group of two of the same shape").
task(hard_02_trimer_colour, hard, 2, "a group of three of the same colour").
task(hard_03_trimer_shape, hard, 3, "a group of three of the same shape").
task(hard_04_house, hard, 4, "among several groups, a house: a triangle on a square, equal in size").
task(hard_05_car, hard, 5, "among several groups, a car: two circles side by side, equal in size and colour").
task(hard_06_tower, hard, 6, "among several groups, a tower: two or three squares on each other, equal in size").
task(hard_07_wagon, hard, 7, "among several groups, a wagon: two or three squares side by side, equal in size").
task(hard_08_traffic_light, hard, 8,
     "among several groups, a traffic light: circles red, yellow, green, equal in size").
task(hard_09_shared_shape, hard, 9, "one shape is in every group").
task(hard_10_shared_colour, hard, 10, "one colour is in every group").
task(hard_11_shared_object, hard, 11, "one kind of named object is in every group").
task(hard_12_palindrome, hard, 12, "a line reads the same from both ends").
task(hard_13_pseudo_palindrome, hard, 13, "five on a line; mirrored ones share shape or colour").
task(hard_14_pseudo_palindrome_objects, hard, 14, "seven on a diagonal; mirrored ones share shape, colour or kind").
task(hard_15_parity, hard, 15, "an odd number of one colour, or an even number of one shape").
task(hard_16_implications, hard, 16,
     "a traffic light with a car, a house with a tower, or neither light nor house").
task(hard_17_implications_everywhere, hard, 17,
     "every group: a light with a car, a house with a tower, or neither light nor house").

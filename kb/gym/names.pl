:- module(gym_names,
          [ unisex/1            % ?Name
          ]).

/** <module> First names that do not tell the gender

A story that gives only names leaves the gender of these persons open, unless their spouse's name tells it.
*/

%!  unisex(?Name:atom) is nondet.
%
%   Name is given to men and to women.

unisex('Jayden').
unisex('Kai').
unisex('Phoenix').
unisex('Rain').
unisex('River').
unisex('Sage').
unisex('Sky').
unisex('Winter').
unisex('Zion').

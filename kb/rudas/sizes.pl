:- module(rudas_sizes,
          [ size/4                      % ?Name, ?Least, ?Most, ?NodeSupport
          ]).

/** <module> How large the datasets of RuDaS are

The sizes of the paper (Cornelio and Thost, section 3): each names a range of training facts.
*/

%!  size(?Name, ?Least, ?Most, ?NodeSupport) is nondet.
%
%   A dataset of size Name has between Least and Most training facts. NodeSupport is how often each rule
%   is instantiated whole before the rounds begin, so that each has examples.

size(xs,     50,    100,  3).
size(s,     101,   1000,  5).
size(m,    1001,  10000, 10).
size(l,   10001, 100000, 20).
size(xl, 100001, 500000, 50).

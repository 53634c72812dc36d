:- module(mdie_scores,
          [ score/5,                % +Evaluation, +Positives, +Negatives, +Size, -Score
            acceptable/3            % +Settings, +Positives, +Negatives
          ]).
:- use_module(settings, [setting/3]).

/** <module> How good a clause is

Evaluations get the number of covered positives and negatives, and the size of the body. More is better. None of
them grows with the number of negatives or the size, so that the score of a clause without negatives bounds those
of all its specialisations.
*/

%!  score(+Evaluation, +Positives:integer, +Negatives:integer, +Size:integer, -Score:number) is det.
%
%   Evaluation is one of
%
%     - `coverage`: positives less negatives
%     - `compression`: the same, less the size
%     - `laplace`, `m_estimate(M, Prior)`, `accuracy`: the part of the covered examples that is positive; the
%       first two lean towards the prior where few are covered.

score(coverage, P, N, _, Score) :-
    Score is P-N.
score(compression, P, N, Size, Score) :-
    Score is P-N-Size.
score(laplace, P, N, _, Score) :-
    Score is (P+1.0)/(P+N+2).
score(m_estimate(M, Prior), P, N, _, Score) :-
    Score is (P+M*Prior)/max(1.0e-9, P+N+M).
score(accuracy, P, N, _, Score) :-
    Score is P/max(1.0, P+N).

%!  acceptable(+Settings, +Positives:integer, +Negatives:integer) is semidet.
%
%   A clause that covers so many may be part of a theory.

acceptable(Settings, P, N) :-
    setting(noise, Settings, Noise),
    N =< Noise,
    setting(min_pos, Settings, MinPos),
    P >= MinPos,
    setting(min_acc, Settings, MinAcc),
    P >= MinAcc*(P+N).

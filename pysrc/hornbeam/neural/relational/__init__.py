"""The experiments of the GraphLog, CLUTRR and STaR papers again, with graph models and the learner of algebras."""

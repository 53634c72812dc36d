"""`mdie`: mode-directed inverse entailment, in the manner of Aleph. The learner itself is prolog/mdie/."""

"""Learning from failures: rules made by clingo, tested in Prolog, and what fails taken out of the space."""

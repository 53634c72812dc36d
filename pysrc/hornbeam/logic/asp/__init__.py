"""clingo, the second reasoner: least Herbrand models of datalog programs, and answer sets.

>>> from hornbeam.logic.asp import Program
>>> model = Program.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z).").model(
...     Facts.rows("edge", [("ann", "Bob"), ("Bob", "cid")]))
>>> sorted(model.rows("path"))
[('Bob', 'cid'), ('ann', 'Bob'), ('ann', 'cid')]
"""

from hornbeam.logic.asp.facts import Facts, Model
from hornbeam.logic.asp.messages import ProgramError
from hornbeam.logic.asp.program import Program
from hornbeam.logic.asp.solver import Optimum, Solver

__all__ = ["Facts", "Model", "Optimum", "Program", "ProgramError", "Solver"]

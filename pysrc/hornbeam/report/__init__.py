"""Output: pages, plots, and tables on a terminal. Independent of the families."""

"""The look of what Hornbeam shows: pages, figures, and tables on a terminal. It knows no family."""

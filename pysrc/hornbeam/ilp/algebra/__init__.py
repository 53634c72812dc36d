"""Learns how relations compose from labelled graphs, and answers by algebraic closure."""

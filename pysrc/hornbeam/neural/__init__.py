"""Learners of models: one trainer for pictures, graphs and stories; settings, metrics, runs that resume exactly.

Torch is an optional extra (``hornbeam[neural]``): nothing here is imported before it is asked for.

>>> import hornbeam as hb
>>> trained = hb.train(hb.load("data/easy"), "cnn", setting="joint", seeds=3)     # doctest: +SKIP
>>> trained.accuracy                                                             # doctest: +SKIP
{'mean': 0.71, 'std': 0.01}

A domain (`registry.Domain`) prepares a `ModelLearner` and a stream of `Experience`s; the `Trainer` does the rest.
"""

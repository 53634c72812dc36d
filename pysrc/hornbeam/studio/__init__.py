"""The web workbench: a server on this machine with a screen for datasets, samples, rules, learners and questions.

>>> from hornbeam.studio.app import create_app
>>> app = create_app([folder], token="secret")
"""

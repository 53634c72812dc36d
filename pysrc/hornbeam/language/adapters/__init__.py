"""Adapters for packages that train or test language models. Each module imports its package when it is used.

========================  ==============================================  =================
module                    package                                         extra
========================  ==============================================  =================
`reasoning_gym`           reasoning-gym: procedural datasets, curricula   ``reasoning-gym``
`verifiers`               verifiers: tasksets and rewards                 ``verifiers``
`inspect`                 inspect-ai: ``inspect eval hornbeam/clutrr``    ``inspect``
`lm_eval`                 lm-evaluation-harness: YAML and functions       ``lm-eval``
========================  ==============================================  =================

The packages do not agree on their dependencies: install one extra in an environment of its own.
"""

"""Hornbeam's taskset under a name that verifiers can load: ``vf-validate hornbeam_taskset --taskset.family star``."""

from hornbeam.language.adapters.verifiers import HornbeamTaskset

__all__ = ["HornbeamTaskset"]

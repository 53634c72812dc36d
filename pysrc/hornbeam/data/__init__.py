"""The dataset on disk: samples, manifest, writer, reader."""

from hornbeam.data.sample import Json, Sample

__all__ = ["Json", "Sample"]

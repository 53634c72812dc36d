"""Models and settings by name, those of other packages too."""

from __future__ import annotations

import pytest

from hornbeam import registry as plugins
from hornbeam.errors import UsageError
from hornbeam.neural import registry
from hornbeam.neural.vision.domain import Vision


def test_what_is_announced_is_what_a_domain_says() -> None:
    for name, (_, families) in registry.BUILT_IN.items():
        (made,) = (domain for domain in registry.domains(families[0]) if domain.name == name)
        assert (made.name, made.families) == (name, families)
        assert made.default_setting in made.settings()
        assert all(made.models().values()) and all(made.settings().values())


def test_a_model_is_found_with_its_domain() -> None:
    domain, setting = registry.find("kandy", "cnn", None)
    assert (domain.name, setting) == ("vision", "joint")
    assert registry.find("kandy", "mlp", "independent")[1] == "independent"


def test_a_domain_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Vision):
        name = "other"
        families = ("ancestors",)

    class Point:
        name = "other"

        @staticmethod
        def load() -> type[Other]:
            return Other

    monkeypatch.setattr(plugins, "entry_points", lambda group: [Point] if group == registry.GROUP else [])
    assert registry.find("ancestors", "mlp", None)[0].name == "other"
    with pytest.raises(UsageError, match="there are no models for the family rudas"):
        registry.find("rudas", "mlp", None)

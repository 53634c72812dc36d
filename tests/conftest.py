"""What all tests share: plunit files as test items, a family from another package, a small dataset."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from hornbeam import resources
from hornbeam.logic import swipl

# Property tests draw the same examples in every run: what passes here passes elsewhere.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")


def pytest_configure() -> None:
    """Tests of Ctrl-C need it: a run that was started in the background inherits that it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# What takes minutes comes first, so that no worker is left with it at the end.
LONGEST = ("tests/test_readme.py", "tests/demo/test_report.py", "tests/test_one_truth.py", "tests/ilp/test_compare.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".pl" and file_path.name.startswith("test_"):
        return PlunitFile.from_parent(parent, path=file_path)
    return None


class PlunitFile(pytest.File):
    """A file of plunit tests."""

    def collect(self) -> Iterable[pytest.Item]:
        yield PlunitItem.from_parent(self, name="plunit")


class PlunitItem(pytest.Item):
    """All tests of a file, run in plain `swipl`; warnings fail too, among them choice points left behind."""

    def runtest(self) -> None:
        done = subprocess.run(
            [
                swipl.find().executable, "-q", "-f", "none", "--no-packs", "--on-error=status", "--on-warning=status",
                "-p", f"hornbeam={resources.root()}", "-g", "run_tests", "-t", "halt", str(self.path),
            ],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise PlunitFailed(f"{done.stdout}\n{done.stderr}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, PlunitFailed):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"plunit: {self.path.name}"


class PlunitFailed(Exception):
    """What swipl printed."""


PLUGIN = Path(__file__).parent / "plugin"


@pytest.fixture(scope="session", autouse=True)
def _family_of_another_package() -> Iterator[None]:
    """Make the family in tests/plugin visible as an installed package, here and in child processes."""
    before = os.environ.get("PYTHONPATH")
    sys.path.insert(0, str(PLUGIN))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PLUGIN), *([before] if before else [])])
    yield
    sys.path.remove(str(PLUGIN))
    os.environ["PYTHONPATH"] = before or ""


@pytest.fixture(scope="session")
def dataset_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small finished dataset."""
    import hornbeam

    folder = tmp_path_factory.mktemp("data") / "ancestors"
    hornbeam.generate("ancestors", "small", out=folder, seed=7)
    return folder

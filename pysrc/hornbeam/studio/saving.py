"""Theory files below the studio's folders: reading one into the editor, writing what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hornbeam.data import manifest as manifests
from hornbeam.errors import PrologSyntaxError, UsageError
from hornbeam.studio.engine.judge import MOST_TEXT
from hornbeam.studio.workplace import Place, Workplace
from hornbeam.tasks.court import Court
from hornbeam.theory import Theory, read
from hornbeam.theory.files import MODULE, save_theory
from hornbeam.theory.reading import file_text
from hornbeam.writing import write_atomic

_SUFFIX = ".pl"


def text_of(place: Place) -> str:
    """The text of a theory file.

    Raises:
        UsageError: if it cannot be read, or is too long to be edited.
    """
    if place.path.stat().st_size > 4 * MOST_TEXT:
        raise UsageError(f"the file is too long for the editor, which takes {MOST_TEXT:,} characters", file=place.shown)
    return file_text(place.path)


def checked(text: str) -> Theory:
    """The theory of a text.

    Raises:
        UsageError: if it is not Prolog, has no rule or is too long.
    """
    if len(text) > MOST_TEXT:
        raise UsageError(f"the text has {len(text):,} characters; at most {MOST_TEXT:,} are allowed")
    try:
        theory = read(text, dialect="prolog")
    except PrologSyntaxError as error:
        place = f"line {error.line}, column {error.column}" if error.line else "the text"
        raise UsageError(f"{place}: {error.message}") from None
    if not len(theory):
        raise UsageError("there is no rule in the text")
    return theory


def target(workplace: Workplace, name: str) -> Path:
    """The file that a visitor names, below the studio's folders.

    Raises:
        UsageError: if it lies elsewhere, in a dataset or in no folder, or is not called NAME.pl.
    """
    named = name.strip()
    path = workplace.inside(named if named.endswith(_SUFFIX) else named + _SUFFIX if named else "")
    if path.name.startswith("."):
        raise UsageError(f"'{named}' would be hidden; choose a name without a leading dot")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {workplace.shown(path.parent)}")
    if path.exists() and not path.is_file():
        raise UsageError(f"{workplace.shown(path)} is no file")
    if any((parent / manifests.NAME).is_file() for parent in path.parents):
        raise UsageError(f"'{named}' lies inside a dataset, whose files are recorded; choose another place")
    return path


def save(court: Court, text: str, path: Path, header: Mapping[str, str]) -> None:
    """Write a theory file that loads in plain `swipl` behind the dataset.

    A text that is such a file already is written as it stands.

    Raises:
        UsageError: if the text is not Prolog or has no rule.
    """
    theory = checked(text)
    if any(one.lstrip().startswith(f"module({MODULE},") for one in theory.directives):
        write_atomic(path, text.encode())
    else:
        save_theory(court.defined_at_once(theory), path, {"learner": "a person, in the studio", **header})

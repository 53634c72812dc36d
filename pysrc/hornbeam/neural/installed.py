"""Networks and vocabularies of Hugging Face transformers.

Pretrained weights are a folder on this machine or a name on
the hub. What comes from the hub is fetched once and kept by transformers in its own cache; without a network a model
that is not there yet is an error that says what to do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hornbeam.errors import EngineUnavailable, UsageError
from hornbeam.extras import need


def load(kind: Any, name: str, **more: Any) -> Any:
    """A configuration, network or vocabulary: ``kind.from_pretrained``, with an error that says what to do."""
    if _is_path(name) and not Path(name).exists():
        raise UsageError("no such folder; give one that save_pretrained wrote, or a name on the hub", file=name)
    logging = need("transformers.utils.logging", f"'{name}'")
    shown = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        return kind.from_pretrained(name, **more)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        if Path(name).exists():
            raise EngineUnavailable(f"cannot be loaded: {reason}", file=name) from None
        raise EngineUnavailable(
            f"the weights '{name}' are not on this machine and could not be fetched ({reason}). Where there is a "
            f"network run `hf download {name} --local-dir FOLDER`, bring the folder here, and give --set weights=FOLDER"
        ) from None
    finally:
        logging.set_verbosity(shown)


def _is_path(name: str) -> bool:
    """Whether it cannot be a name on the hub, which is NAME or OWNER/NAME."""
    return name.startswith((".", "/", "~")) or name.count("/") > 1


def frozen(network: Any) -> Any:
    """The network without dropout and without gradients."""
    network.eval()
    return network.requires_grad_(False)

"""The process of a learner, or of a judge: the job of its working directory is done, its outcome written beside it.

Started as ``python -m hornbeam.ilp.worker``. What the job prints goes to standard error, so that it garbles nothing.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError
from hornbeam.ilp.jobs import JOB, OUTCOME, Job
from hornbeam.ilp.process import settle


def main() -> None:
    """Do the job of the working directory."""
    os.dup2(2, 1)
    job: Job = pickle.loads(Path(JOB).read_bytes())
    settle(job.bounds)
    try:
        outcome: tuple[str, Any] = ("ok", job.work(*job.arguments))
    except HornbeamError as error:
        outcome = ("error", error)
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    Path(OUTCOME).write_bytes(pickle.dumps(outcome))
    # Engines with threads of their own need not be asked to leave.
    sys.stderr.flush()
    os._exit(0 if outcome[0] == "ok" else 1)


if __name__ == "__main__":
    main()

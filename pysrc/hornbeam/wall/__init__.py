"""The wall around a process that runs what others wrote: what it may read and write is all that it can touch.

>>> import subprocess
>>> wall = Wall(readable=())
>>> command = wall.around(["/bin/cat", "/etc/passwd"], Quota(cpu=5))
>>> subprocess.run(command, capture_output=True, text=True).returncode if support().whole else 1
1

The process builds the wall itself, before it becomes the program (:mod:`hornbeam.wall.launch`). It gives up the right
to gain privileges, takes namespaces of its own where that is allowed, lets Landlock refuse all paths but those that it
was given, and lets a seccomp filter refuse all calls that start processes, open sockets, signal others or change files.
A program cannot take the wall down again. What it can still see of other files is whether they exist, and how large
they are.
"""

from __future__ import annotations

from hornbeam.wall.support import Support, support
from hornbeam.wall.trust import trusted, trusting
from hornbeam.wall.walls import Quota, Wall, holds_home, neighbours

__all__ = ["Quota", "Support", "Wall", "holds_home", "neighbours", "support", "trusted", "trusting"]

"""`python -m hornbeam` is the command `hornbeam`."""

from hornbeam.cli import main

main()

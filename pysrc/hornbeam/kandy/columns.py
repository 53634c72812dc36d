"""The columns of a picture in tables."""

from __future__ import annotations

from hornbeam.data.columns import FLAG, IMAGE, INTEGER, NUMBER, TEXT, Column, Kind

_OBJECT: Kind = {"name": TEXT, "path": [INTEGER], "box": [INTEGER], "rgb": [INTEGER], "visible": NUMBER, "mask": TEXT}
_GROUP: Kind = {"op": TEXT, "path": [INTEGER], "objects": [INTEGER], "box": [INTEGER], "visible": NUMBER}

COLUMNS = (
    Column("label", FLAG, "label", "whether the rule of the task holds"),
    Column("image", IMAGE, "input.image", "the picture"),
    Column("objects", [_OBJECT], "input.objects", "each object with its box: x, y, width, height", ("name", "box")),
    Column("groups", [_GROUP], "input.groups", "each composition with its box", ("op", "box")),
    Column("prolog", TEXT, "symbolic.prolog", "the symbol of the picture, in Prolog"),
    Column("rule", TEXT, "proof.rule", "the true rule of the task, by its name"),
)

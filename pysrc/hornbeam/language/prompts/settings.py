"""The settings of prompts."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from hornbeam.config import validated

Kind = Literal["answer", "induce"]
Style = Literal["natural", "formal", "symbols"]
Names = Literal["own", "en", "de", "fr", "es", "it", "tr", "letters"]
Format = Literal["tags", "boxed", "json"]
Rules = Literal["auto", "given", "hidden"]
Picture = Literal["text", "image", "both"]

KINDS: tuple[str, ...] = get_args(Kind)


class PromptSettings(BaseModel):
    """How samples become prompts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind = Field(default="answer", description="answer: the label of a sample; induce: the rules of a task")
    shots: int = Field(default=0, ge=0, le=32, description="solved training samples in front of the question")
    style: Style = Field(
        default="natural", description="natural: sentences; formal: facts; symbols: facts with meaningless names"
    )
    names: Names = Field(default="own", description="names of persons, regions and nodes: of a language, or letters")
    answer_format: Format = Field(default="tags", description="how the answer is marked")
    rules: Rules = Field(default="auto", description="whether the prompt states the rules; auto: where it must")
    picture: Picture = Field(default="text", description="KANDY: the scene as text, as a picture, or both")
    examples: int = Field(default=8, ge=1, le=200, description="induce: examples of each class")
    seed: int = Field(default=0, description="of the order, the shots and the names")


def settings_of(values: dict[str, Any]) -> PromptSettings:
    """The settings, checked; UsageError names the one that is wrong."""
    return validated(PromptSettings, values, kind="setting of prompts", option="prompts:")

"""Messages and contents: text, or parts of which some are pictures or sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..model.text import text_of
from .values import is_list, mapping_of

IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")

AUDIO_TYPES = (
    "audio/wav",
    "audio/mpeg",
    "audio/mp4",
    "audio/aac",
    "audio/ogg",
    "audio/flac",
    "audio/webm",
    "audio/aiff",
)

AUDIO_ALIASES = {
    "audio/mp3": "audio/mpeg",
    "audio/mpga": "audio/mpeg",
    "audio/x-mpeg": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-m4a": "audio/mp4",
    "audio/m4a": "audio/mp4",
    "audio/x-aac": "audio/aac",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a message. Media are named, never opened."""

    kind: str
    """text, image, audio, or what a later version calls it."""
    text: str = ""
    media_type: str = ""
    path: str = ""


def audio_type(media_type: str) -> str:
    """The media type by the name that the format uses."""
    plain = media_type.strip().lower()
    return AUDIO_ALIASES.get(plain, plain)


def parts_of(value: Any) -> tuple[Part, ...]:
    """The parts of a message; of a text just one."""
    if value is None:
        return ()
    if not is_list(value):
        return (Part("text", text_of(value)),)
    return tuple(_part(item) for item in value)


def _part(value: Any) -> Part:
    if not isinstance(value, Mapping):
        return Part("text", text_of(value))
    source = mapping_of(value.get("source"))
    return Part(
        str(value.get("type", "text")),
        text_of(value["text"]) if value.get("text") is not None else "",
        str(source.get("media_type", "")),
        str(source.get("path", "")),
    )


def text_of_parts(parts: tuple[Part, ...]) -> str:
    """The parts as text, media by their type and path: ``[image: image/png, images/p1.png]``."""
    said = (
        part.text if part.kind == "text" else f"[{part.kind}: {part.media_type or '?'}, {part.path[:200]}]"
        for part in parts
    )
    return "\n".join(said)

"""Tables as plain bytes, so that a release can be pickled without any other library.

What is kept of a column are the cells that are released and nothing around them: a slice of a larger
buffer is cut out of it.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

from . import _core

_OFFSETS = {"u": "i", "U": "q"}


@dataclass
class Cells:
    """An array of Arrow."""

    format: str
    length: int
    nulls: int
    buffers: tuple[bytes | None, ...]
    entries: Cells | None = None  # of an encoded one


@dataclass
class Kept:
    """A column: its cells batch by batch."""

    name: str
    ordered: bool
    chunks: list[Cells]


def _bits(buffer: Any, first: int, n: int) -> bytes:
    """n bits from the first on, from the beginning of a byte on."""
    if buffer is None:
        return b""
    number = int.from_bytes(buffer, "little") >> first & (1 << n) - 1
    return number.to_bytes((n + 7) // 8, "little")


def _texts(chunk: _core.Chunk, valid: bytes | None, nulls: int) -> Cells:
    offsets = array(_OFFSETS[chunk.format], bytes(chunk.buffer(1)))
    offsets = offsets[chunk.offset : chunk.offset + chunk.length + 1]
    begin, end = offsets[0], offsets[-1]
    if begin != 0:
        offsets = array(offsets.typecode, [offset - begin for offset in offsets])
    texts = bytes(memoryview(chunk.buffer(2))[begin:end])
    return Cells(chunk.format, chunk.length, nulls, (valid, offsets.tobytes(), texts))


def _views(chunk: _core.Chunk) -> Cells:
    """Views of texts are kept as texts."""
    texts = chunk.texts()
    offsets, encoded = array("q", [0]), []
    for text in texts:
        encoded.append((text or "").encode())
        offsets.append(offsets[-1] + len(encoded[-1]))
    there = sum(1 << i for i, text in enumerate(texts) if text is not None)
    nulls = len(texts) - there.bit_count()
    valid = there.to_bytes((len(texts) + 7) // 8, "little") if nulls else None
    return Cells("U", len(texts), nulls, (valid, offsets.tobytes(), b"".join(encoded)))


def _cells(chunk: _core.Chunk) -> Cells:
    if chunk.format == "n":
        return Cells("n", chunk.length, chunk.length, ())
    if chunk.format == "vu":
        return _views(chunk)
    valid, nulls = chunk.buffer(0), 0
    if valid is not None:
        valid = _bits(valid, chunk.offset, chunk.length)
        nulls = chunk.length - int.from_bytes(valid, "little").bit_count()
    if chunk.format in _OFFSETS:
        return _texts(chunk, valid, nulls)
    values = memoryview(chunk.buffer(1))
    if chunk.format == "b":
        kept = _bits(values, chunk.offset, chunk.length)
    else:
        width = len(values) // max(chunk.offset + chunk.length, 1)
        kept = bytes(values[chunk.offset * width :])
    return Cells(chunk.format, chunk.length, nulls, (valid, kept))


def _kept(chunks: list[_core.Chunk]) -> list[Cells]:
    """Entries that several chunks share are kept once."""
    kept: list[Cells] = []
    last: _core.Chunk | None = None
    for chunk in chunks:
        cells = _cells(chunk)
        entries = chunk.dictionary
        if entries is not None:
            shared = last is not None and entries.same_cells(last)
            cells.entries = kept[-1].entries if shared else _cells(entries)
            last = entries
        kept.append(cells)
    return kept


def freeze(stream: object) -> list[Kept]:
    """What is in a stream, which is used up."""
    return [Kept(name, ordered, _kept(chunks)) for name, ordered, chunks in _core.read(stream)]


def _column(name: str, ordered: bool, cells: Cells) -> _core.Column:
    entries = None if cells.entries is None else _column("", False, cells.entries)
    return _core.column(
        name, cells.format, cells.length, cells.nulls, cells.buffers, entries, ordered
    )


def thaw(columns: list[Kept]) -> object:
    """A stream of what was kept; as often as wanted."""
    batches = []
    for i, first in enumerate(columns[0].chunks):
        batch = [_column(column.name, column.ordered, column.chunks[i]) for column in columns]
        batches.append((batch, first.length))
    return _core.stream(batches)

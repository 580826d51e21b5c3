"""Plots of results, on matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Plots"]


def _axes(axes: Axes | None, title: str) -> Axes:
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise UsageError("plots need matplotlib: pip install matplotlib") from None
        axes = pyplot.subplots()[1]
    drawn: Axes = axes
    drawn.set_title(title)
    return drawn


def _span(bar: dict[str, Any]) -> str:
    return str(bar["from"]) if bar["from"] == bar["to"] else f"{bar['from']}-{bar['to']}"


class Plots:
    """``release.plot.classes()``, ``.columns()``, ``.distribution(column)``: plots on matplotlib.

    axes: where to draw; None: on a figure of its own. Each returns the axes.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        figures = document.get("figures")
        if figures is None:
            raise UsageError("a brief result has no figures; leave brief out")
        self._figures = figures

    def classes(self, axes: Axes | None = None) -> Axes:
        """Rows by the size of their class, before and after."""
        drawn = _axes(axes, "Rows by size of their class")
        for when, width in (("before", 0.8), ("after", 0.5)):
            bars = self._figures["class_sizes"][when]
            drawn.bar([_span(b) for b in bars], [b["rows"] for b in bars], width=width, label=when)
        drawn.set_xlabel("rows of the class")
        drawn.set_ylabel("rows")
        drawn.legend()
        return drawn

    def columns(self, axes: Axes | None = None) -> Axes:
        """What each column lost."""
        drawn = _axes(axes, "Loss by column")
        found = self._figures["columns"]
        drawn.barh([c["column"] for c in found], [c["loss"] for c in found])
        drawn.set_xlabel("loss")
        drawn.set_xlim(0, 1)
        return drawn

    def distribution(self, column: str, axes: Axes | None = None) -> Axes:
        """How often the values of a column occur, before and after."""
        found = {c["column"]: c for c in self._figures["columns"]}
        if column not in found:
            raise UsageError(f"no figures of {column!r}; there are: {', '.join(found)}")
        drawn = _axes(axes, column)
        groups = found[column]["distribution"]["groups"]
        for when, width in (("before", 0.8), ("after", 0.5)):
            drawn.bar([g["value"] for g in groups], [g[when] for g in groups], width=width, label=when)
        drawn.tick_params(axis="x", rotation=45)
        drawn.legend()
        return drawn

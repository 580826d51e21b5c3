"""Polars behind Ibis: tables are frames in this process."""

from __future__ import annotations

from typing import Any

from .adapter import Engine, asking
from .targets import TableName, Target


class Polars(Engine):
    has_windows = False

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self._written: dict[str, Any] = {}
        self._shuffles = False

    def probe(self, table: Any, cell: Any) -> list[str]:
        from .collations import probes

        return probes(cell)  # there are no collations

    def _put(self, name: str, table: Any) -> Any:
        return self.backend.create_table(name, obj=table)

    def _keep(self, name: str, expression: Any) -> Any:
        return self.backend.create_table(name, obj=expression.to_polars())

    def _drop_kept(self, name: str) -> None:
        self.backend.drop_table(name)

    def shuffled(self, expression: Any) -> Any:
        self._shuffles = True  # Ibis has no random numbers for Polars: frames are shuffled
        return expression

    def try_to_write(self, target: Target) -> None:
        """A name is all it takes."""

    def write(self, target: Target, expression: Any) -> None:
        assert isinstance(target, TableName)
        with asking(self.name, "write the release"):
            frame = expression.to_polars()  # a lazy one would be made anew each time it is read
            if self._shuffles:
                frame = frame.sample(fraction=1.0, shuffle=True)
            self._written[target.name] = frame
            self.backend.create_table(target.name, obj=frame)

    def publish(self, staged: Target, final: Target) -> None:
        assert isinstance(staged, TableName) and isinstance(final, TableName)
        with asking(self.name, "rename the release"):
            self.backend.create_table(final.name, obj=self._written[staged.name])
            self.remove(staged)

    def remove(self, staged: Target) -> None:
        assert isinstance(staged, TableName)
        self._written.pop(staged.name, None)
        with asking(self.name, "drop what was not released"):
            self.backend.drop_table(staged.name, force=True)

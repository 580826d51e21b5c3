"""Progress: a line in a terminal, a bar in a notebook, or a function of the caller's."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

from . import _core

#: True: show it; False: do not; None: if somebody sees it and it takes long; a function: told.
Wish = Union[bool, None, Callable[[str, int, int], object]]

_LONG = 1.0  # seconds before anything is shown unasked
#: What stages do, in the order of a run, and where each ends in the whole.
_STAGES = {"wait": ("waiting", 0.01), "read": ("reading", 0.3), "import": ("reading", 0.3),
           "search": ("searching", 0.65), "curve": ("other k", 0.7), "compare": ("comparing", 0.7),
           "what-if": ("comparing", 0.7), "write": ("writing", 0.85), "guard": ("guarding", 0.92),
           "check": ("checking", 0.99), "verify": ("verifying", 1.0)}


class _Whole:
    """How much of a run is done: never goes back, and stays at the last stage that was reached."""

    def __init__(self) -> None:
        self.share, self.words = 0.0, "reading"
        self._rank, self._done, self._from, self._to = -1, 0, 0.0, 0.0

    def advance(self, stage: str, done: int, total: int) -> None:
        names = list(_STAGES)
        if stage not in _STAGES or names.index(stage) < self._rank:
            return
        rank, (words, end) = names.index(stage), _STAGES[stage]
        if rank > self._rank:
            before = _STAGES[names[rank - 1]][1] if rank else 0.0
            self._from = self.share = max(self.share, before)
            self._to = self._from + 0.8 * (end - self._from)
            self._rank, self.words = rank, words
        elif done < self._done:  # another pass gets half of what is left of the stage
            self._from = self.share
            self._to = self._from + 0.5 * (end - self._from)
        self._done = done
        part = min(1.0, done / total) if total else 0.0
        self.share = max(self.share, self._from + part * (self._to - self._from))


class _Line:
    """A line on a terminal that is written over and over."""

    def __init__(self, wait: float) -> None:
        self._since = time.monotonic() + wait
        self._last = 0.0
        self._width = 0
        self._whole = _Whole()

    def __call__(self, stage: str, done: int, total: int) -> None:
        self._whole.advance(stage, done, total)
        now = time.monotonic()
        if now < self._since or now - self._last < 0.1:
            return
        self._last = now
        text = f"mingle: {self._whole.words} {100 * self._whole.share:.0f} %"
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class _Bar:
    """A bar of tqdm in a notebook."""

    def __init__(self, wait: float) -> None:
        self._since = time.monotonic() + wait
        self._bar: Any = None
        self._whole = _Whole()

    def __call__(self, stage: str, done: int, total: int) -> None:
        self._whole.advance(stage, done, total)
        if time.monotonic() < self._since:
            return
        from tqdm.auto import tqdm

        if self._bar is None:
            self._bar = tqdm(total=100, leave=False)
        self._bar.set_description(self._whole.words, refresh=False)
        self._bar.n = round(100 * self._whole.share)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    try:
        return shell is not None and "IPKernelApp" in shell.get_ipython().config
    except AttributeError:
        return False


def _listener(wish: Wish) -> Any:
    if callable(wish):
        return wish
    if wish is False or (wish is None and not (_in_notebook() or sys.stderr.isatty())):
        return None
    wait = 0.0 if wish else _LONG
    if _in_notebook() and importlib.util.find_spec("tqdm") is not None:
        return _Bar(wait)
    return _Line(wait)


@contextmanager
def shown(job: _core.Job, wish: Wish) -> Iterator[None]:
    """Shows how far a job is while it runs."""
    listener = _listener(wish)
    job.listen(listener)
    try:
        yield
    finally:
        job.listen(None)
        if isinstance(listener, (_Line, _Bar)):
            listener.close()

"""Progress: a line in a terminal, a bar in a notebook, or a function of the caller's."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

from . import _core
from .errors import UsageError

#: True: show it; False: do not; None: if it is seen and takes long; a function: called with it.
Wish = Union[bool, None, Callable[[str, int, int], object]]

_LONG = 1.0  # seconds before anything is shown unasked
#: What the stages of the library do.
_STAGES = {"wait": "waiting", "import": "reading", "read": "reading", "search": "searching",
           "write": "writing", "verify": "verifying", "guard": "guarding", "check": "checking",
           "measure": "measuring", "curve": "other k", "compare": "comparing",
           "what-if": "comparing", "attack": "attacking"}


class _Line:
    """A line on a terminal that is written over and over."""

    def __init__(self, wait: float) -> None:
        self._since = time.monotonic() + wait
        self._last = 0.0
        self._width = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._since or now - self._last < 0.1:
            return
        self._last = now
        text = f"mingle: {_STAGES[stage]} {100 * done / total:.0f} %"
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

    def __call__(self, stage: str, done: int, total: int) -> None:
        if time.monotonic() < self._since:
            return
        from tqdm.auto import tqdm

        if self._bar is None:
            self._bar = tqdm(total=100, leave=False)
        self._bar.set_description(_STAGES[stage], refresh=False)
        self._bar.n = round(100 * done / total)
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
    if isinstance(wish, bool) and not wish or (wish is None and not (_in_notebook() or sys.stderr.isatty())):
        return None
    if wish is not None and not isinstance(wish, bool):
        raise UsageError(
            f"progress={wish!r:.40}: give True, False, None or a function", code="bad-value", key="progress"
        )
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

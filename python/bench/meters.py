"""What a piece of work takes: seconds, seconds of processors, and memory, of this process and of those
that it started. Linux only."""

from __future__ import annotations

import functools
import glob
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Callable

#: What an adapter does by its engine.
_ENGINE = ("_fetch", "_put", "_keep", "write", "written", "publish")


def processes() -> list[int]:
    """This process, and those that it started."""
    found, at = [os.getpid()], 0
    while at < len(found):
        for task in glob.glob(f"/proc/{found[at]}/task/*/children"):
            with suppress(OSError), open(task) as file:
                found += [int(process) for process in file.read().split()]
        at += 1
    return found


def processor_seconds() -> float:
    ticks = 0
    for process in processes():
        with suppress(OSError), open(f"/proc/{process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _kilobytes(key: str, process: int | str) -> int:
    with suppress(OSError), open(f"/proc/{process}/status") as file:
        return next((int(line.split()[1]) for line in file if line.startswith(key)), 0)
    return 0  # it has ended


def most_memory(process: int | str = "self") -> int:
    """The most it had since it began or `forget_most`, in MB."""
    return _kilobytes("VmHWM:", process) // 1024


def memory() -> int:
    """What this process has now, in MB."""
    return _kilobytes("VmRSS:", "self") // 1024


def forget_most() -> None:
    """Lets `most_memory` of this process begin anew."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


@dataclass
class Spent:
    """Seconds, and seconds of processors."""

    seconds: float = 0.0
    processors: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.seconds + other.seconds, self.processors + other.processors)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.seconds - other.seconds, self.processors - other.processors)


def now() -> Spent:
    return Spent(time.monotonic(), processor_seconds())


def timed(act: Callable[[], Any]) -> Spent:
    since = now()
    act()
    return now() - since


@dataclass
class Apart:
    """What is the engine's and what is ours, of what an adapter does: the time of each step of the
    engine, and the memory that this process takes beyond what it has, while the engine is not asked.
    An engine within the process gives back little of what it took, so that its memory does not look
    like ours."""

    steps: list[tuple[str, Spent]] = field(default_factory=list)
    ours: int = 0  # MB: the most of one phase, with the answers that are held
    most: int = 0  # MB: of this process, whoever took it
    _held: int = 0
    _since: int = 0

    def begin(self) -> None:
        self.most = max(self.most, most_memory())
        forget_most()
        self._since = memory()

    def pause(self) -> None:
        self.most = max(self.most, most_memory())
        grown = max(most_memory() - self._since, 0)
        self.ours = max(self.ours, grown + self._held // (1 << 20))

    def watch(self, adapter: type) -> None:
        """Has every step of an adapter's engine measured from now on."""
        for name in _ENGINE:
            setattr(adapter, name, self._measured(name, getattr(adapter, name)))

    def _measured(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(act)
        def measured(*given: Any, **named: Any) -> Any:
            self.pause()
            since = now()
            answer = act(*given, **named)
            self.steps.append((name.strip("_"), now() - since))
            if name == "_fetch":
                self._held += answer.nbytes
            self.begin()
            return answer

        return measured

    def engine(self) -> Spent:
        return sum((spent for _, spent in self.steps), Spent())

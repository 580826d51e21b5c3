"""While a call runs: other threads do, Ctrl-C ends it, progress is shown where somebody looks."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import textwrap
import threading

import mingle
import pytest

QUASI = ["age", "sex", "zip"]
pytestmark = pytest.mark.libraries

#: A search that goes on for a minute, unless it is stopped.
LONG = """
    import sys, mingle
    import numpy as np, pandas as pd
    random = np.random.default_rng(1)
    columns = {f"c{i}": random.integers(0, 30, 40000) for i in range(9)}
    frame = pd.DataFrame(columns)
    hierarchies = {name: mingle.hierarchy.intervals(2, 4, 8, 16) for name in columns}
    def told(stage, done, total):
        if stage == "search":
            print("searching", flush=True)
    said = dict(quasi=list(columns), k=5, hierarchy=hierarchies, effort="best", time_limit=60)
"""


def _started(code: str):
    text = textwrap.dedent(LONG) + textwrap.dedent(code)
    return subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_control_c_from_outside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    process = _started("""
        try:
            mingle.anonymize(frame, **said, progress=told, output="never.csv")
        except KeyboardInterrupt:
            print("interrupted")
            sys.exit(7)
    """)
    assert process.stdout.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=55)
    assert process.returncode == 7, errors
    assert rest.endswith("interrupted\n") and not os.path.exists("never.csv")


def test_control_c_without_progress():
    process = _started("""
        print("searching", flush=True)
        try:
            mingle.anonymize(frame, **said)
        except KeyboardInterrupt:
            sys.exit(7)
    """)
    assert process.stdout.readline() == "searching\n"
    threading.Event().wait(2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=55)
    assert process.returncode == 7, errors


def test_other_threads_run_meanwhile(frame):
    """A thread that only Python runs gets on while the library searches: it is what ends the call."""
    from mingle import _core, keys, tables

    job = _core.Job()
    job.set("data", tables.give(job, "data", frame).location)
    keys.Filling(job, "anonymize", lambda c, j: j.run(c)).fill(
        {"quasi": QUASI, "rest": "drop", "k": 5, "output": "memory:release"}
    )
    searching, went_on = threading.Event(), threading.Event()

    def told(stage: str, done: int, total: int) -> None:
        if stage == "search" and not searching.is_set():
            searching.set()
            assert went_on.wait(30), "the other thread did not run"

    def other() -> None:
        searching.wait(30)
        went_on.set()
        job.cancel()

    thread = threading.Thread(target=other)
    thread.start()
    job.listen(told)
    with pytest.raises(mingle.Cancelled):
        job.run("anonymize")
    thread.join()


def test_two_calls_at_once(frame):
    """Without the lock both are in the library at the same time: each waits for the other there."""
    both = threading.Barrier(2, timeout=30)
    met = []

    def ask() -> None:
        once = []

        def told(stage: str, done: int, total: int) -> None:
            if not once:
                once.append(stage)
                met.append(both.wait())

        mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, progress=told)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(met) == [0, 1]


def test_nothing_is_shown_where_nobody_looks(frame, capfd):
    mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5)
    mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, progress=False)
    assert capfd.readouterr().err == ""


def test_a_line_in_a_terminal():
    """Standard error is a terminal: the line is written over, and gone at the end."""
    outside, inside = pty.openpty()
    code = "mingle.anonymize(frame, quasi=['c0', 'c1', 'c2'], rest='drop', k=5, progress=True)"
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(LONG) + code], stderr=inside)
    os.close(inside)
    shown = b""
    try:
        while True:
            some = os.read(outside, 4096)
            if not some:
                break
            shown += some
    except OSError:  # the other end is closed
        pass
    assert process.wait() == 0
    os.close(outside)
    text = shown.decode()
    assert re.search(r"\rmingle: (reading|searching|writing|verifying)", text), text
    assert text.endswith("\r"), text


def test_a_bar_in_a_notebook():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("tqdm")
    code = textwrap.dedent(LONG) + (
        "release = mingle.anonymize(frame, quasi=['c0', 'c1', 'c2'], rest='drop', k=5, progress=True)"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    client.NotebookClient(notebook, timeout=300).execute()
    shown = str(notebook.cells[0].outputs)
    assert "searching" in shown or "reading" in shown, shown


def test_one_share_never_goes_back(frame):
    """A function is told how far the whole call is, and a stage that the line has words for."""
    from mingle import progress

    heard: list[tuple[str, int, int]] = []

    def told(stage: str, done: int, total: int) -> None:
        heard.append((stage, done, total))

    said = {"quasi": QUASI, "rest": "drop", "k": 5}
    for command in (mingle.anonymize, mingle.compare, mingle.what_if, mingle.risk):
        heard.clear()
        command(frame, progress=told, **(said if command is not mingle.risk else {"quasi": QUASI}))
        assert {total for _, _, total in heard} == {heard[0][2]} and heard[0][2] > 0
        shares = [done for _, done, _ in heard]
        assert shares == sorted(shares) and shares[-1] == heard[0][2]
        assert {stage for stage, _, _ in heard} <= set(progress._STAGES)

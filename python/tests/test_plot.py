"""Plots, where matplotlib is."""

from __future__ import annotations

import mingle
import pytest

pytestmark = pytest.mark.libraries


def test_plots(frame):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    release = mingle.anonymize(frame, quasi=["age", "sex"], rest="drop", k=5)
    heights = [bar.get_height() for bar in release.plot.classes().patches]
    assert sum(heights) == 2 * len(frame)
    assert len(release.plot.columns().patches) == 2
    drawn = release.plot.distribution("sex")
    assert drawn.get_title() == "sex" and len(drawn.patches) == 4
    with pytest.raises(mingle.UsageError, match="zip"):
        release.plot.distribution("zip")

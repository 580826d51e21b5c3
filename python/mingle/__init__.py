"""mingle: make a table about persons safe to release.

>>> import mingle
>>> release = mingle.anonymize(frame, quasi=["age", "zip", "sex"], sensitive=["disease"], k=5)
>>> len(release.to_pandas())
1200

Every released row looks the same as at least k-1 others on the columns that others may know; what
was lost by that, and how much had to be lost, is in ``release.utility`` and ``release.bound``.
"""

from __future__ import annotations

from typing import Any

from . import _core, hierarchy
from .answers import Answer, Comparison
from .commands import (
    advise,
    anonymize,
    apply,
    attack,
    check,
    codebook,
    compare,
    gate,
    lattice,
    look,
    preview,
    risk,
    statement,
    suggest,
    utility,
    what_if,
)
from .errors import (
    Cancelled,
    DataError,
    MingleError,
    PrivacyError,
    SystemFailure,
    UsageError,
)
from .features import features
from .job import Job
from .models import (
    Alpha,
    Beta,
    DeltaDisclosure,
    DeltaPresence,
    EnhancedBeta,
    EntropyL,
    ExtendedPSensitive,
    HouseholdRisk,
    KAnonymity,
    KMap,
    LDiversity,
    MaxRisk,
    MeanRisk,
    Model,
    PopulationUniqueness,
    PSensitive,
    RecursiveCL,
    RiskShare,
    SampleUniqueness,
    TCloseness,
)
from .release import Release
from .session import Session

__version__ = _core.version()

__all__ = [
    "advise",
    "Alpha",
    "anonymize",
    "Answer",
    "apply",
    "attack",
    "Beta",
    "Cancelled",
    "check",
    "gate",
    "codebook",
    "statement",
    "compare",
    "Comparison",
    "DataError",
    "DeltaDisclosure",
    "DeltaPresence",
    "EnhancedBeta",
    "EntropyL",
    "ExtendedPSensitive",
    "features",
    "hierarchy",
    "HouseholdRisk",
    "Job",
    "KAnonymity",
    "KMap",
    "lattice",
    "look",
    "LDiversity",
    "MaxRisk",
    "MeanRisk",
    "MingleError",
    "Model",
    "PopulationUniqueness",
    "preview",
    "PrivacyError",
    "PSensitive",
    "RecursiveCL",
    "Release",
    "risk",
    "RiskShare",
    "SampleUniqueness",
    "Session",
    "suggest",
    "SystemFailure",
    "TCloseness",
    "UsageError",
    "utility",
    "what_if",
]


def __getattr__(name: str) -> Any:
    """Builders of hierarchies were names of the package itself until 0.2; they are those of
    ``mingle.hierarchy``."""
    if name == "hierarchies":
        return hierarchy
    if name in hierarchy.__all__:
        import warnings

        warnings.warn(f"mingle.{name} is mingle.hierarchy.{name} now", DeprecationWarning, 2)
        return getattr(hierarchy, name)
    raise AttributeError(f"module 'mingle' has no attribute {name!r}")

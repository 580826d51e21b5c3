"""mingle: make a table about persons safe to release.

>>> import mingle
>>> release = mingle.anonymize(frame, quasi=["age", "zip", "sex"], sensitive=["disease"], k=5)
>>> len(release.to_pandas())
1200

Every released row looks the same as at least k-1 others on the columns that others may know; what
was lost by that, and how much had to be lost, is in ``release.result``.
"""

from __future__ import annotations

from . import _core
from .answers import Answer
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
from .hierarchies import (
    bottom,
    columns,
    cuts,
    dates,
    grid,
    groups,
    icd9,
    icd10,
    intervals,
    iso3166,
    labels,
    mask,
    order,
    rare,
    suppress,
    top,
)
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
    "bottom",
    "Cancelled",
    "check",
    "gate",
    "codebook",
    "statement",
    "columns",
    "compare",
    "cuts",
    "DataError",
    "dates",
    "DeltaDisclosure",
    "DeltaPresence",
    "EnhancedBeta",
    "EntropyL",
    "ExtendedPSensitive",
    "features",
    "grid",
    "groups",
    "HouseholdRisk",
    "icd9",
    "icd10",
    "intervals",
    "iso3166",
    "Job",
    "KAnonymity",
    "KMap",
    "labels",
    "lattice",
    "look",
    "LDiversity",
    "mask",
    "MaxRisk",
    "MeanRisk",
    "MingleError",
    "Model",
    "order",
    "PopulationUniqueness",
    "preview",
    "PrivacyError",
    "PSensitive",
    "rare",
    "RecursiveCL",
    "Release",
    "risk",
    "RiskShare",
    "SampleUniqueness",
    "Session",
    "suggest",
    "suppress",
    "SystemFailure",
    "TCloseness",
    "top",
    "UsageError",
    "utility",
    "what_if",
]

"""Privacy models as values: ``mingle.anonymize(table, models=[KAnonymity(5), ...])``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

__all__ = [
    "Model",
    "KAnonymity",
    "LDiversity",
    "EntropyL",
    "RecursiveCL",
    "PSensitive",
    "ExtendedPSensitive",
    "Alpha",
    "TCloseness",
    "DeltaDisclosure",
    "Beta",
    "EnhancedBeta",
    "KMap",
    "DeltaPresence",
    "MaxRisk",
    "MeanRisk",
    "RiskShare",
    "SampleUniqueness",
    "PopulationUniqueness",
    "HouseholdRisk",
]


class Model:
    """A promise about a release. Its fields are the parameters that job files name."""

    key: ClassVar[str]

    def parameters(self) -> dict[str, object]:
        """The parameters as a job file has them."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True)
class KAnonymity(Model):
    """Every released row looks like at least k-1 others on the quasi-identifier."""

    key = "k-anonymity"
    k: int


@dataclass(frozen=True)
class LDiversity(Model):
    """Every class has at least l distinct values of the sensitive column."""

    key = "l-diversity"
    attribute: str
    l: int  # noqa: E741


@dataclass(frozen=True)
class EntropyL(Model):
    """The values of the sensitive column in every class are as mixed as l equal parts."""

    key = "entropy-l"
    attribute: str
    l: float  # noqa: E741


@dataclass(frozen=True)
class RecursiveCL(Model):
    """In every class the most common value is less than c times all from the l-th on."""

    key = "recursive-cl"
    attribute: str
    c: float
    l: int  # noqa: E741


@dataclass(frozen=True)
class PSensitive(Model):
    """Every class has at least p distinct values of each sensitive column."""

    key = "p-sensitive"
    p: int


@dataclass(frozen=True)
class ExtendedPSensitive(Model):
    """The values of every class lie in at least p protected groups of values."""

    key = "extended-p-sensitive"
    attribute: str
    p: int


@dataclass(frozen=True)
class Alpha(Model):
    """No value of the sensitive column has a larger share of a class than alpha."""

    key = "alpha"
    attribute: str
    alpha: float


@dataclass(frozen=True)
class TCloseness(Model):
    """The values in every class are distributed as in the table, up to a distance t.

    ``distance`` is ``"equal"``, ``"ordered"`` or ``"hierarchical"``; None leaves it to the column.
    """

    key = "t-closeness"
    attribute: str
    t: float
    distance: str | None = None


@dataclass(frozen=True)
class DeltaDisclosure(Model):
    """The share of every value in every class is within a factor e^delta of the table's."""

    key = "delta-disclosure"
    attribute: str
    delta: float


@dataclass(frozen=True)
class Beta(Model):
    """The share of a value in a class exceeds the table's by at most beta times that."""

    key = "beta"
    attribute: str
    beta: float


@dataclass(frozen=True)
class EnhancedBeta(Model):
    """As Beta, and the gain of a value is at most -ln of its share in the table, too."""

    key = "enhanced-beta"
    attribute: str
    beta: float


@dataclass(frozen=True)
class KMap(Model):
    """Every released row matches at least k rows of the population."""

    key = "k-map"
    k: int


@dataclass(frozen=True)
class DeltaPresence(Model):
    """Of the population rows that match a class a share from lo to hi is in the table."""

    key = "delta-presence"
    lo: float
    hi: float


@dataclass(frozen=True)
class MaxRisk(Model):
    """The chance to pick a person's row out of its class is at most x for every row."""

    key = "max-risk"
    x: float


@dataclass(frozen=True)
class MeanRisk(Model):
    """The mean over all rows of 1 / rows of the class is at most x."""

    key = "mean-risk"
    x: float


@dataclass(frozen=True)
class RiskShare(Model):
    """At most a share of the rows has a risk (1 / rows of the class) above a threshold."""

    key = "risk-share"
    threshold: float
    share: float


@dataclass(frozen=True)
class SampleUniqueness(Model):
    """At most a share x of the rows is alone in its class."""

    key = "sample-uniqueness"
    x: float


@dataclass(frozen=True)
class PopulationUniqueness(Model):
    """At most a share x of the population is estimated to be unique in it.

    ``estimator`` is ``"dankar"``, ``"pitman"``, ``"zayatz"`` or another that the catalogue names.
    """

    key = "population-uniqueness"
    x: float
    estimator: str | None = None


@dataclass(frozen=True)
class HouseholdRisk(Model):
    """The chance that a member of a household is found is at most x for every household."""

    key = "household-risk"
    x: float

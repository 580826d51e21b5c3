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
    """A promise about a release. Its fields are the parameters that job files name.

    >>> mingle.LDiversity("disease", 3).parameters()
    {'attribute': 'disease', 'l': 3}
    """

    key: ClassVar[str]

    def parameters(self) -> dict[str, object]:
        """The parameters as a job file has them."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True)
class KAnonymity(Model):
    """Every released row looks like at least k-1 others on the quasi-identifier.

    >>> mingle.KAnonymity(5).key
    'k-anonymity'
    """

    key = "k-anonymity"
    k: int


@dataclass(frozen=True)
class LDiversity(Model):
    """Every class has at least l distinct values of the sensitive column.

    >>> mingle.LDiversity("disease", 3).key
    'l-diversity'
    """

    key = "l-diversity"
    attribute: str
    l: int  # noqa: E741


@dataclass(frozen=True)
class EntropyL(Model):
    """The values of the sensitive column in every class are as mixed as l equal parts.

    >>> mingle.EntropyL("disease", 2.5).key
    'entropy-l'
    """

    key = "entropy-l"
    attribute: str
    l: float  # noqa: E741


@dataclass(frozen=True)
class RecursiveCL(Model):
    """In every class the most common value is less than c times all from the l-th on.

    >>> mingle.RecursiveCL("disease", 4, 2).key
    'recursive-cl'
    """

    key = "recursive-cl"
    attribute: str
    c: float
    l: int  # noqa: E741


@dataclass(frozen=True)
class PSensitive(Model):
    """Every class has at least p distinct values of each sensitive column.

    >>> mingle.PSensitive(2).key
    'p-sensitive'
    """

    key = "p-sensitive"
    p: int


@dataclass(frozen=True)
class ExtendedPSensitive(Model):
    """The values of every class lie in at least p protected groups of values.

    >>> mingle.ExtendedPSensitive("disease", 2).key
    'extended-p-sensitive'
    """

    key = "extended-p-sensitive"
    attribute: str
    p: int


@dataclass(frozen=True)
class Alpha(Model):
    """No value of the sensitive column has a larger share of a class than alpha.

    >>> mingle.Alpha("disease", 0.5).key
    'alpha'
    """

    key = "alpha"
    attribute: str
    alpha: float


@dataclass(frozen=True)
class TCloseness(Model):
    """The values in every class are distributed as in the table, up to a distance t.

    ``distance`` is ``"equal"``, ``"ordered"`` or ``"hierarchical"``; None leaves it to the column.

    >>> mingle.TCloseness("disease", 0.2, distance="equal").key
    't-closeness'
    """

    key = "t-closeness"
    attribute: str
    t: float
    distance: str | None = None


@dataclass(frozen=True)
class DeltaDisclosure(Model):
    """The share of every value in every class is within a factor e^delta of the table's.

    >>> mingle.DeltaDisclosure("disease", 1.5).key
    'delta-disclosure'
    """

    key = "delta-disclosure"
    attribute: str
    delta: float


@dataclass(frozen=True)
class Beta(Model):
    """The share of a value in a class exceeds the table's by at most beta times that.

    >>> mingle.Beta("disease", 2).key
    'beta'
    """

    key = "beta"
    attribute: str
    beta: float


@dataclass(frozen=True)
class EnhancedBeta(Model):
    """As Beta, and the gain of a value is at most -ln of its share in the table, too.

    >>> mingle.EnhancedBeta("disease", 2).key
    'enhanced-beta'
    """

    key = "enhanced-beta"
    attribute: str
    beta: float


@dataclass(frozen=True)
class KMap(Model):
    """Every released row matches at least k rows of the population.

    >>> mingle.KMap(5).key
    'k-map'
    """

    key = "k-map"
    k: int


@dataclass(frozen=True)
class DeltaPresence(Model):
    """Of the population rows that match a class a share from lo to hi is in the table.

    >>> mingle.DeltaPresence(0, 0.5).key
    'delta-presence'
    """

    key = "delta-presence"
    lo: float
    hi: float


@dataclass(frozen=True)
class MaxRisk(Model):
    """The chance to pick a person's row out of its class is at most x for every row.

    >>> mingle.MaxRisk(0.2).key
    'max-risk'
    """

    key = "max-risk"
    x: float


@dataclass(frozen=True)
class MeanRisk(Model):
    """The mean over all rows of 1 / rows of the class is at most x.

    >>> mingle.MeanRisk(0.1).key
    'mean-risk'
    """

    key = "mean-risk"
    x: float


@dataclass(frozen=True)
class RiskShare(Model):
    """At most a share of the rows has a risk (1 / rows of the class) above a threshold.

    >>> mingle.RiskShare(0.2, 0.05).key
    'risk-share'
    """

    key = "risk-share"
    threshold: float
    share: float


@dataclass(frozen=True)
class SampleUniqueness(Model):
    """At most a share x of the rows is alone in its class.

    >>> mingle.SampleUniqueness(0.01).key
    'sample-uniqueness'
    """

    key = "sample-uniqueness"
    x: float


@dataclass(frozen=True)
class PopulationUniqueness(Model):
    """At most a share x of the population is estimated to be unique in it.

    ``estimator`` is ``"dankar"``, ``"pitman"``, ``"zayatz"`` or another that the catalogue names.

    >>> mingle.PopulationUniqueness(0.01, "dankar").key
    'population-uniqueness'
    """

    key = "population-uniqueness"
    x: float
    estimator: str | None = None


@dataclass(frozen=True)
class HouseholdRisk(Model):
    """The chance that a member of a household is found is at most x for every household.

    >>> mingle.HouseholdRisk(0.2).key
    'household-risk'
    """

    key = "household-risk"
    x: float

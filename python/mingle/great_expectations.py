"""An expectation for Great Expectations (1.x), on batches of pandas.

``ExpectTableToBeKAnonymous(quasi=["sex", "zip"], k=5)`` holds where ``mingle.gate`` passes; what was
found is in the details of its result.
"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.core.metric_domain_types import MetricDomainTypes
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import BatchExpectation
from great_expectations.expectations.metrics.metric_provider import metric_value
from great_expectations.expectations.metrics.table_metric_provider import TableMetricProvider

from .commands import gate
from .testing import failures

__all__ = ["ExpectTableToBeKAnonymous"]


class _Failures(TableMetricProvider):  # type: ignore[misc]
    metric_name = "table.mingle_gate"
    value_keys = ("quasi", "k", "arguments")

    @metric_value(engine=PandasExecutionEngine)  # type: ignore[untyped-decorator]
    def _pandas(
        cls, execution_engine: Any, metric_domain_kwargs: Any, metric_value_kwargs: Any, **_: Any
    ) -> list[str]:
        table, _domain, _values = execution_engine.get_compute_domain(
            metric_domain_kwargs, domain_type=MetricDomainTypes.TABLE
        )
        further: dict[str, Any] = metric_value_kwargs["arguments"] or {}
        found = gate(table, quasi=metric_value_kwargs["quasi"], k=metric_value_kwargs["k"], **further)
        return failures(found)


class ExpectTableToBeKAnonymous(BatchExpectation):  # type: ignore[misc]
    """The table is k-anonymous, shows no identifiers, and no other column gives persons away.

    quasi, k: as in ``mingle.gate``.
    arguments: a dict of its further arguments.
    """

    quasi: list[str]
    k: int
    arguments: dict[str, Any] | None = None

    metric_dependencies: ClassVar[tuple[str, ...]] = ("table.mingle_gate",)
    success_keys: ClassVar[tuple[str, ...]] = ("quasi", "k", "arguments")
    args_keys: ClassVar[tuple[str, ...]] = ("quasi", "k", "arguments")

    def _validate(self, metrics: dict[str, Any], **_: Any) -> dict[str, Any]:
        found = metrics["table.mingle_gate"]
        return {"success": not found, "result": {"observed_value": found}}

"""A transformer for scikit-learn: fit finds a recoding, transform follows it.

>>> from mingle.sklearn import Anonymizer
>>> made = Anonymizer(quasi=["age", "sex", "zip"], k=5)
>>> released = made.fit_transform(frame)
>>> bool((released["disease"] == frame["disease"]).all())
True
>>> len(made.transform(frame[:3]))
3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import frames
from .arguments import Method
from .commands import Columns, Models, anonymize, apply
from .errors import UsageError

__all__ = ["Anonymizer", "EXPECTED_FAILED_CHECKS"]

_TEXTS = "it compares by subtraction, and the labels of a release are texts"

#: Checks of scikit-learn's `check_estimator` that ask for what this is not, and why.
EXPECTED_FAILED_CHECKS = {
    "check_estimators_pickle": _TEXTS,
    "check_fit2d_1sample": "a single row cannot hide among others",
    "check_fit_idempotent": _TEXTS,
    "check_methods_sample_order_invariance": _TEXTS,
    "check_methods_subset_invariance": _TEXTS,
    "check_pipeline_consistency": _TEXTS,
    "check_transformer_data_not_an_array": _TEXTS,
    "check_transformer_general": _TEXTS,
    "check_transformer_preserve_dtypes": _TEXTS,
}


def _is_polars(X: Any) -> bool:
    return type(X).__module__.startswith("polars") and hasattr(X, "get_columns")


class Anonymizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases rows so that each looks like at least k-1 others on the quasi-identifier.

    ``fit_transform(X)`` is the release of X, in X's order. ``transform(X)`` gives other rows what
    the recoding says of their values: values that it has not seen are generalized by the
    hierarchies, and rows that nothing covers are suppressed. They are judged together with the rows
    that it was fitted on, so that a single row can be transformed; with ``verify=True`` the promise
    holds on the rows of X alone, and PrivacyError is raised if it cannot.

    quasi: columns that are generalized; None: all that have no other role. Others pass through.
    k: how many rows look alike at least; None: as the models in ``arguments`` say.
    hierarchy, models, suppress, method, sensitive: as in ``mingle.anonymize``.
    verify: whether ``transform`` promises on the rows of X alone.
    arguments: further arguments of ``mingle.anonymize``.

    A fitted transformer holds the rows it was fitted on: keep it, and what is pickled of it, as
    secret as these.
    """

    def __init__(
        self,
        quasi: Sequence[str] | None = None,
        k: int | None = 5,
        hierarchy: Mapping[str, Any] | None = None,
        models: Models | None = None,
        suppress: int | float | str | None = None,
        method: Method | None = None,
        sensitive: Columns | None = None,
        verify: bool = False,
        arguments: Mapping[str, Any] | None = None,
    ) -> None:
        self.quasi = quasi
        self.k = k
        self.hierarchy = hierarchy
        self.models = models
        self.suppress = suppress
        self.method = method
        self.sensitive = sensitive
        self.verify = verify
        self.arguments = arguments

    def _frame(self, X: Any, reset: bool) -> Any:
        """X as a frame whose columns have the names that were seen at fitting."""
        if isinstance(X, pd.DataFrame):
            self._check(X, reset)
            return X.reset_index(drop=True)
        if _is_polars(X):
            self._check(X, reset)
            return frames.take(X.__arrow_c_stream__(), {})
        table = self._check(X, reset)
        return pd.DataFrame(table, columns=[f"x{i}" for i in range(table.shape[1])])

    def _check(self, X: Any, reset: bool) -> Any:
        from sklearn.utils.validation import validate_data

        as_they_are = {"dtype": None, "ensure_all_finite": "allow-nan"}
        return validate_data(self, X, reset=reset, **as_they_are)

    def _arguments(self) -> dict[str, Any]:
        """What ``anonymize`` is asked for beside the quasi-identifiers."""
        made = dict(self.arguments or {})
        for name in ("k", "hierarchy", "models", "suppress", "method", "sensitive"):
            value = getattr(self, name)
            if value is None:
                continue
            if name in made:
                raise UsageError(
                    f"{name} is given twice, the second time in arguments; leave one out",
                    code="repeated",
                    key=name,
                )
            made[name] = value
        return made

    def _quasi(self, frame: Any) -> list[str]:
        if self.quasi is not None:
            return list(self.quasi)
        others: set[str] = set()
        given = self._arguments()
        for role in ("sensitive", "identifier", "insensitive"):
            named = given.get(role) or ()
            others.update([named] if isinstance(named, str) else named)
        return [name for name in frame.columns if name not in others]

    def _given_back(self, X: Any, frame: Any) -> Any:
        if isinstance(X, pd.DataFrame):
            return frame.set_index(X.index)
        if _is_polars(X):  # its rows are in their order: what passed through is what it was
            generalized = [name for name in frame.columns if frame[name].dtype == "category"]
            labels = {name: frame[name].astype(object).where(frame[name].notna(), None) for name in generalized}
            made = type(X)({name: list(cells) for name, cells in labels.items()})
            return X.select(frame.columns).with_columns(made.get_columns())
        return frame.astype(object).to_numpy()

    def _fit(self, X: Any) -> Any:
        frame = self._frame(X, reset=True)
        said = {"suppressed": "keep", "rest": "insensitive", **self._arguments()}
        release = anonymize(
            frame,
            quasi=self._quasi(frame),
            save_recoding=True,
            keep_order=True,
            **said,
        )
        self.recoding_ = release.recoding()
        self.result_ = release.result
        self._rows = frame
        return release.to_pandas()

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Finds the recoding of X."""
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """The release of X, in its order."""
        return self._given_back(X, self._fit(X))

    def transform(self, X: Any) -> Any:
        """X as the recoding says."""
        check_is_fitted(self, "recoding_")
        frame = self._frame(X, reset=False)
        rows = frame if self.verify else pd.concat([self._rows, frame], ignore_index=True)
        release = apply(
            rows,
            recoding=self.recoding_,
            keep_order=True,
            suppress="100%",
            allow_leaks=dict(self.arguments or {}).get("allow_leaks"),
        )
        released = release.to_pandas()[len(rows) - len(frame) :].reset_index(drop=True)
        return self._given_back(X, released)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.non_deterministic = False
        return tags



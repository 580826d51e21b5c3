"""Tables that are counted coarser than they are: at a base level, or never below a least count.

Both make a table of the engine in which quasi-identifiers are labels of their hierarchies. It is
counted, searched and joined in the place of the one that was given, so that no row is released finer
than it was counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import UsageError
from . import joining
from .levels import Levels, hierarchy_of, marked
from .levels import of_column as levels_of
from .plan import Plan


@dataclass
class Coarser:
    """What is counted instead, and what is told about it."""

    table: Any
    plan: Plan
    said: dict[str, Any]
    told: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)  # that left the engine, for hierarchies
    has_marks: bool = False  # labels are marked while they are counted and searched
    rows: int | None = None  # that had the values when labels were made of them


def _base_levels(plan: Plan, said: dict[str, Any]) -> dict[str, int]:
    wanted = said.get("base_level")
    if wanted is None:
        return {}
    names = [cell.name for cell in plan.quasi]
    wanted = dict.fromkeys(names, wanted) if isinstance(wanted, int) else dict(wanted)
    for name, level in wanted.items():
        if name not in names or not isinstance(level, int) or level < 0:
            raise UsageError(
                f"base_level takes levels of quasi-identifiers, and not {name!r}: {level!r}",
                code="bad-value",
                key="base-level",
            )
    return {name: level for name, level in wanted.items() if level > 0}


def _labelled(table: Any, levels: Levels, engine: Any, wanted: dict[str, list[str | None]]) -> Any:
    """The table with columns of labels for one of its columns."""
    import pyarrow

    labels = {name: pyarrow.array(texts, pyarrow.string()) for name, texts in wanted.items()}
    small = pyarrow.table({"c0": levels.values, **labels})
    return joining.with_map(engine, table, [levels.cell], small, list(wanted))


def _as_texts(plan: Plan, columns: dict[str, Any]) -> Plan:
    quasi = [
        replace(cell, kind="text", dtype=columns[cell.name], may_be_nan=False) if cell.name in columns else cell
        for cell in plan.quasi
    ]
    return replace(plan, quasi=quasi)


def _values_told(levels: Levels, least: int) -> dict[str, int]:
    return {"values": len(levels.rows), "rare": sum(rows < least for rows in levels.rows)}


def at_base_level(engine: Any, made: Coarser) -> Coarser:
    """Counts at the levels that `base_level` says, and bounds what that costs."""
    wanted = _base_levels(made.plan, made.said)
    said = {name: value for name, value in made.said.items() if name != "base_level"}
    if not wanted:
        return replace(made, said=said)
    table, hierarchies, shares = made.table, dict(_hierarchies(said)), []
    heights = {}
    for number, cell in enumerate(made.plan.quasi):
        level = wanted.get(cell.name, 0)
        if level == 0:
            shares.append(0.0)
            continue
        levels = levels_of(engine, made.table, cell, said)
        level = min(level, levels.height - 1) if levels.height > 1 else 0
        wanted[cell.name], heights[cell.name] = level, levels.height
        made.values[cell.name] = _values_told(levels, 2)
        made.rows = sum(levels.rows)
        label = f"mingle_label_{number}"
        table = _labelled(table, levels, engine, {label: levels.labels[level]})
        table = table.mutate(**{cell.name: table[label]}).drop(label)
        hierarchies[cell.name] = hierarchy_of(levels, [level])
        shares.append(level / levels.height)
    columns = {name: table.schema()[name] for name in wanted}
    told = {
        "base_level": {
            "levels": wanted,
            "heights": heights,
            "precision_costs_at_most": sum(shares) / len(shares),
        }
    }
    said["hierarchy"] = hierarchies
    said.pop("hierarchy", None)
    return Coarser(table, _as_texts(made.plan, columns), said, {**made.told, **told}, made.values, False, made.rows)


def _hierarchies(said: dict[str, Any]) -> dict[str, Any]:
    given = said.get("hierarchy") or {}
    if isinstance(given, str):
        raise UsageError(
            "with base_level or least_count hierarchies are a dict: one for each column",
            code="bad-value",
            key="hierarchy",
        )
    return dict(given)


# ---- Least counts --------------------------------------------------------------------------------


def _grouped(engine: Any, made: Coarser, all_levels: list[Levels], least: int) -> Any:
    """Every combination with the labels it is counted as: its own values if `least` rows have it;
    those that fewer have one level up, together with each other only; and so on."""
    cells = made.plan.quasi
    groups = _combinations(made.table, cells)
    highest = max(levels.height for levels in all_levels)
    for number, levels in enumerate(all_levels):
        wanted = {
            f"mingle_l{number}_{n}": [marked(label, n) for label in levels.labels[n]]
            for n in range(levels.height + 1)
        }
        groups = _labelled(groups, levels, engine, wanted)
    groups = groups.mutate(mingle_at=_literal(highest))
    for level in range(highest):
        names = [f"mingle_l{i}_{min(level, one.height)}" for i, one in enumerate(all_levels)]
        left = groups["mingle_at"] == highest
        rows = groups["mingle_n"].sum().over(_window([*names, left]))
        groups = groups.mutate(mingle_at=_choose(left & (rows >= least), level, groups["mingle_at"]))
    return _with_labels(groups, all_levels, highest)


def _combinations(table: Any, cells: list[Any]) -> Any:
    """Every combination, with its columns under their names. What is grouped by their digits has one
    text in each group."""
    by = [cell.value(table).name(f"mingle_h{i}" if cell.is_hex else cell.name) for i, cell in enumerate(cells)]
    shown = {cell.name: table[cell.name].min() for cell in cells if cell.is_hex}
    groups = table.group_by(by).agg(mingle_n=table.count(), **shown)
    return groups.select(*(cell.name for cell in cells), "mingle_n")


def _literal(value: int) -> Any:
    import ibis

    return ibis.literal(value, "int64")


def _window(by: list[Any]) -> Any:
    import ibis

    return ibis.window(group_by=by)


def _choose(condition: Any, level: int, otherwise: Any) -> Any:
    import ibis

    return ibis.ifelse(condition, _literal(level), otherwise)


def _with_labels(groups: Any, all_levels: list[Levels], highest: int) -> Any:
    import ibis

    made = {}
    for number, levels in enumerate(all_levels):
        label = groups[f"mingle_l{number}_{levels.height}"]
        for level in range(levels.height - 1, -1, -1):
            at = groups["mingle_at"] == level
            label = ibis.ifelse(at, groups[f"mingle_l{number}_{level}"], label)
        made[f"mingle_c{number}"] = label
    names = [levels.cell.name for levels in all_levels]
    kept = {f"mingle_k{i}": groups[name] for i, name in enumerate(names)}
    return groups.select(**kept, **made, mingle_at=groups["mingle_at"], mingle_n=groups["mingle_n"])


def _refuse_least_count(said: dict[str, Any]) -> None:
    for name in ("population", "save_recoding", "level"):
        if said.get(name):
            raise UsageError(
                f"least_count does not go with {name}, which needs every ground value",
                code="conflict",
                key="least-count",
            )
    least = said["least_count"]
    if not isinstance(least, int) or least < 2:
        raise UsageError("least_count is a whole number from 2 on", code="bad-value", key="least-count")


def at_least_count(engine: Any, made: Coarser) -> Coarser:
    """Counts no combination of quasi-identifiers that fewer than `least_count` rows have."""
    least = made.said.get("least_count")
    if least is None:
        return made
    if not engine.has_windows:
        raise UsageError(
            f"least_count needs window functions, which Ibis does not have for {engine.name}",
            code="conflict",
            key="least-count",
        )
    _refuse_least_count(made.said)
    said = {name: value for name, value in made.said.items() if name != "least_count"}
    hierarchies = _hierarchies(said)
    cells = made.plan.quasi
    all_levels = [levels_of(engine, made.table, cell, said) for cell in cells]
    groups = engine.keep(_grouped(engine, made, all_levels, least))
    labels = [f"mingle_c{i}" for i in range(len(cells))]
    table = joining.with_groups(made.table, cells, groups, all_levels, labels)
    names = {cell.name: table[label] for cell, label in zip(cells, labels)}
    table = table.mutate(**names).drop(*labels)
    for levels in all_levels:
        hierarchies[levels.cell.name] = hierarchy_of(levels, list(range(levels.height + 1)))
        made.values[levels.cell.name] = _values_told(levels, least)
    said["hierarchy"] = hierarchies
    said.pop("hierarchy", None)
    columns = {cell.name: table.schema()[cell.name] for cell in cells}
    told = {"least_count": {"n": least, **_regrouped(engine, groups, max(x.height for x in all_levels))}}
    rows = sum(all_levels[0].rows)
    return Coarser(table, _as_texts(made.plan, columns), said, {**made.told, **told}, made.values, True, rows)


def _regrouped(engine: Any, groups: Any, highest: int) -> dict[str, Any]:
    """How many rows were counted coarser than they are; sums alone are asked for."""
    at = groups["mingle_at"]
    n = groups["mingle_n"]
    sums = groups.aggregate(rows=n.sum(where=at > 0), at_top=n.sum(where=at == highest))
    found = engine.fetch(sums, "rows that were regrouped").to_pylist()[0]
    return {"regrouped": {"rows": int(found["rows"] or 0), "at_top": int(found["at_top"] or 0)}}


def _refuse_our_names(table: Any) -> None:
    """Labels are columns beside those of the table."""
    for name in table.columns:
        if name.lower().startswith("mingle_"):
            raise UsageError(
                f"column {name!r} begins with mingle_, as columns do that base_level and least_count need; "
                "rename it: table.rename(...)",
                code="bad-value",
                column=name,
            )


def coarsened(engine: Any, table: Any, plan: Plan, said: dict[str, Any]) -> Coarser:
    """What is counted: the table itself, unless the call asks for less."""
    if said.get("base_level") is not None or said.get("least_count") is not None:
        _refuse_our_names(table)
    made = at_base_level(engine, Coarser(table, plan, said))
    return at_least_count(engine, made)

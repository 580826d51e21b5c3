"""Keyword arguments of the commands, one for each key of a job.

Made from the library's catalogue by scripts/arguments.py; do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .models import Model
from .progress import Wish

__all__ = ["Arguments", "Further", "Method", "Named"]

Path = Union[str, "os.PathLike[str]"]
#: How to search.
Method = Literal['mingen', 'cell', 'datafly', 'samarati', 'incognito', 'top-down', 'mu-argus', 'local-suppression', 'mondrian', 'k-member', 'microaggregate']


class Named(TypedDict, total=False):
    """What the signatures of commands name."""

    models: Sequence[Model] | Model | None
    """What is promised, as values of mingle.models."""
    progress: Wish
    """Whether to show how far it is, or a function that is called with it."""
    release: Any
    """The release to compare with the data; codebook: the one that the result describes."""
    against: Any
    """Check: compare with what a result or a statement claims about the release; roles and
    models are its own. utility, attack: take its roles and hierarchies."""
    promise: Path | None
    """The promise of the release, that `save-promise` wrote."""
    external: Any
    """The table that names persons."""
    output: Any
    """The file to write (a release: `help formats`); - is standard output."""
    recoding: Any
    """The recoding to apply, that `save-recoding` wrote."""
    quasi: str | Sequence[str] | Sequence[Sequence[str]] | None
    """Quasi-identifiers: columns that others may know, together."""
    sensitive: str | Sequence[str] | None
    """Columns with confidential values."""
    identifier: str | Sequence[str] | None
    """Columns that are never released."""
    insensitive: str | Sequence[str] | None
    """Columns that are released as they are."""
    rest: Literal['insensitive', 'drop'] | None
    """What to do with columns that have no role."""
    hierarchy: Mapping[str, Any] | None
    """How a column is generalized (`help builders`)."""
    k: float | Sequence[float] | str | None
    """Every released row looks like at least k-1 others on the quasi-identifier."""
    l_diversity: float | Mapping[str, Any] | str | None
    """Every class has at least l distinct values of the sensitive column."""
    t_closeness: float | Mapping[str, Any] | str | None
    """The values in every class are distributed as in the table, up to a distance t."""
    entity: str | None
    """Rows with the same value here are one person; released as a pseudonym or not at all."""
    method: Method | None
    """How to search (`help methods`)."""
    methods: Sequence[Method] | Method | None
    """The methods to compare (default: all that can take the job)."""
    levels: Literal['mixed', 'uniform'] | None
    """Uniform: each column has one level (mingen where no method is named); mixed: cells of
    several levels."""
    suppress: int | float | str | None
    """How many rows may be suppressed, as a number or a share."""
    utility: str | None
    """What to keep as well as possible (`help measures`)."""


class Further(TypedDict, total=False):
    """What commands take beside what their signatures name; one that has no use for an argument
    refuses it. None is as if it were not given."""

    base_level: int | Mapping[str, int] | None
    """Of tables in engines: the level of its hierarchy at which a column is counted."""
    shards: Path | None
    """The table lies in several databases of PostgreSQL: one location a line; each counts and
    releases its rows itself, to `output` shards:?table=NAME."""
    proof: Path | None
    """Check what `save-proof` wrote: that it proves the bound of the result (`against`); with
    data, that it is about this table."""
    parts: Path | Sequence[Path] | None
    """Further parts that `count` made, where the data is one."""
    with_: Any
    """The file released earlier with the recoding: models hold on its rows and the new ones
    together."""
    qi_set: str | Sequence[str] | Sequence[Sequence[str]] | None
    """One of several quasi-identifiers, each of which holds on its own: once for each."""
    by: str | Sequence[str] | None
    """Strata: rows with equal values in these columns are searched and judged on their own;
    the columns are quasi-identifiers that stay as they are."""
    kind: Mapping[str, Literal['nominal', 'number', 'date'] | Sequence[Literal['nominal', 'number', 'date']]] | str | None
    """What the values are: for proposed hierarchies, and to compare sensitive cells."""
    treat: Mapping[str, Any] | str | None
    """What is done to a column that is no quasi-identifier, before anything is counted (`help
    treatments`); risk: who is found by distance if columns are perturbed so."""
    aggregate: Mapping[str, Literal['none', 'mean', 'median', 'range', 'mode', 'set'] | Sequence[Literal['none', 'mean', 'median', 'range', 'mode', 'set']]] | str | None
    """Quasi-identifiers that are not generalized: rows of a class are grouped, and of each
    group the mean, median, range, most frequent value or set of values is released."""
    linked: str | Sequence[str] | None
    """Columns that give each other back: those that are no quasi-identifiers are generalized
    with those that are."""
    follow: bool | None
    """Columns of which the leak guard finds that they give a quasi-identifier back are
    generalized with it, instead of being refused."""
    km: Mapping[str, Any] | str | None
    """The cells of a column are sets of items: every combination of at most M (default 2) that
    a row shows is shown by at least K rows."""
    km_within: bool | None
    """The same in each class of rows that look alike."""
    km_separator: str | None
    """What stands between the items of a cell (default: ; | or , as the cells have it)."""
    key: Path | None
    """The secret of pseudonyms and shifts, at least 16 bytes: a file that nobody else may
    read, or a variable of the environment."""
    sensitive_hierarchy: Mapping[str, Any] | None
    """How the values of a sensitive column belong together; they stay as they are."""
    protect: Mapping[str, Any] | str | None
    """Values of a sensitive hierarchy below which all values count as one."""
    weights: Mapping[str, Any] | str | None
    """Weight of a column in precision and ncp; 2/1: in each of several quasi-identifiers."""
    likelihood: Mapping[str, Any] | str | None
    """How likely others use the column for linking, 0 to 1; 0.5/1: in each of several quasi-
    identifiers."""
    level: Mapping[str, Any] | str | None
    """Least and highest level of a column."""
    released_level: Mapping[str, Any] | str | None
    """The level of the released cells, where labels of a hierarchy stand for different values
    on different levels; 0..: cells of several levels."""
    preference: Mapping[str, Any] | str | None
    """Datafly: 0 spares the column, 1 does not; 0.5/1: in each of several quasi-identifiers."""
    identification: Mapping[str, int | Sequence[int]] | str | None
    """Mu-argus: a column is 1 most, 2 more, 3 identifying."""
    generalize: Mapping[str, int | Sequence[int]] | str | None
    """Mu-argus: so many levels more, as the holder decides."""
    importance: Mapping[str, float | Sequence[float]] | str | None
    """Local-suppression: what a cell of the column is worth."""
    entropy_l: float | Mapping[str, Any] | str | None
    """The values of the sensitive column in every class are as mixed as l equal parts."""
    recursive_cl: float | Mapping[str, Any] | str | None
    """In every class the most common value is less than c times all from the l-th on."""
    p_sensitive: float | Sequence[float] | str | None
    """Every class has at least p distinct values of each sensitive column."""
    extended_p: float | Mapping[str, Any] | str | None
    """The values of every class lie in at least p protected groups of values."""
    alpha: float | Mapping[str, Any] | str | None
    """No value of the sensitive column has a larger share of a class than alpha."""
    delta_disclosure: float | Mapping[str, Any] | str | None
    """The share of every value in every class is within a factor e^delta of the table's."""
    beta: float | Mapping[str, Any] | str | None
    """The share of a value in a class exceeds the table's by at most beta times that."""
    enhanced_beta: float | Mapping[str, Any] | str | None
    """As beta, and the gain of a value is at most -ln of its share in the table too."""
    k_map: float | Sequence[float] | str | None
    """Every released row matches at least k rows of the population table."""
    delta_presence: float | Sequence[float] | str | None
    """Of the population rows that match a class a share from LO to HI is in the table."""
    max_risk: float | Sequence[float] | str | None
    """The chance to pick a person's row out of its class is at most x for every row."""
    mean_risk: float | Sequence[float] | str | None
    """The mean over all rows of 1 / rows of the class is at most x."""
    risk_share: float | Sequence[float] | str | None
    """At most a share of the rows has a risk (1 / rows of the class) above a threshold."""
    sample_uniqueness: float | Sequence[float] | str | None
    """At most a share x of the rows is alone in its class."""
    population_uniqueness: float | Sequence[float] | str | None
    """At most a share x of the population is estimated to be unique in it."""
    household_risk: float | Sequence[float] | str | None
    """The chance that a member of a household is found is at most x for every household."""
    distance: Mapping[str, Literal['equal', 'ordered', 'hierarchical'] | Sequence[Literal['equal', 'ordered', 'hierarchical']]] | str | None
    """How t-closeness compares values: equal, ordered or hierarchical."""
    anonymity_level: str | None
    """As Sweeney's Datafly takes k: 0 asks for nothing, 0.5 for k = 2, 0.8 for 5, 0.95 for 20."""
    dp: str | Sequence[float] | None
    """Differential privacy: release a random sample of rows whose combinations are frequent in
    it; sampling rate and k follow."""
    dp_search: float | None
    """How much of epsilon chooses the levels that `level` leaves open (default: a tenth)."""
    population: Any
    """The table of all persons the data was taken from (k-map, delta-presence, risk)."""
    entity_view: Literal['rows', 'joined'] | None
    """Models judge each row of a person by itself, or all of them together."""
    policy: str | None
    """Further models that must hold (`help policies`)."""
    effort: Literal['fast', 'balanced', 'best'] | None
    """Cell, top-down, local-suppression: how long to look for a better answer."""
    combinations: str | Sequence[str] | None
    """Mu-argus: combinations of columns looked at (default: 2,3); local-suppression: on which
    k must hold (default: all columns together); by name (age+zip,age+sex+job): models hold
    on just these."""
    cut: Literal['strict', 'relaxed'] | None
    """Mondrian: equal values stay together, or halves are as equal as can be."""
    replace: Literal['mean', 'median', 'range'] | None
    """Microaggregate: what stands for the numbers of a group."""
    missing_matches: Literal['itself', 'all'] | None
    """A suppressed cell is a value like any other, or matches all (local-suppression, check)."""
    accept: Literal['unsafe'] | None
    """Write a release that breaks its promise (mu-argus); the result says so."""
    allow_leaks: bool | Sequence[str] | Sequence[bool | Sequence[str]] | None
    """Write (gate: pass) although the leak guard objects to these columns (none named: to
    any); the result says so."""
    accept_perturbed: str | Sequence[str] | None
    """Quasi-identifiers whose cells may be perturbed (`treat: swap(...)`, ...): models then
    judge cells that are not true of their rows."""
    guard_counts: Path | Sequence[Path] | None
    """With `count`: further tables of counts, each with one column more that passes through,
    for the leak guard."""
    history: Path | Sequence[Path] | None
    """Saved recodings of earlier releases of the same table; models hold together with them."""
    history_judged: Literal['searching', 'afterwards'] | None
    """The search respects earlier releases, or what they reveal is found afterwards."""
    suppress_above: float | None
    """Suppress rows of a larger risk in the table first; `max-risk` of it is promised."""
    suppressed: Literal['keep', 'drop', 'exempt'] | None
    """Suppressed rows are a class like any other, left out, or exempt from the models."""
    curve: int | Sequence[int] | None
    """Also find out what the method gives for these k; nothing of it is released."""
    least_count: int | None
    """Count no combination of fewer than N rows: such are regrouped with every quasi-
    identifier one level up, and so on; a database does so itself."""
    prefer: str | Sequence[str] | None
    """Among equal answers: absolute, relative, distribution, suppression, or a measure."""
    weight: str | None
    """Sampling weights: how many persons each row stands for."""
    household: str | None
    """Rows with the same value here are one household, found together."""
    sampling_fraction: float | None
    """Which share of the population the table is."""
    threshold: float | None
    """The risk from which on a row counts as in danger."""
    suda: bool | None
    """Score rows by how few columns make them unique."""
    single_out: str | None
    """Smallest sets of columns on which so many rows are unique."""
    minimality: bool | None
    """Also enumerate what follows from knowing the method and the models of the job: who has
    which sensitive value, if the release is the one that the method makes (small tables)."""
    advise: bool | None
    """Propose a role and a hierarchy for each column; `output` writes them as a job."""
    no_trial: bool | None
    """`advise`: do not run the job that is proposed, which takes most of the time."""
    rows: Path | None
    """Also write a line for each row of the table, or each person attacked."""
    count: str | None
    """The table is counted: each row stands for as many records as this column says."""
    missing: str | Sequence[str] | None
    """Cells that mean missing; the first is what is released."""
    delimiter: str | None
    """One character, or tab, comma, semicolon, pipe, space (default: found out)."""
    header: Literal['yes', 'no'] | None
    """Whether the first line names the columns; if not they are called column1, column2, ...
    (default: judged by the lines below; asked for if in doubt)."""
    no_header: bool | None
    """The same as `header: no`."""
    encoding: str | None
    """Character encoding of the data, as iconv calls it."""
    decimal: str | None
    """Decimal sign of numbers, . or , (default: found out for each column)."""
    century: str | None
    """Two-digit years up to this one are 20YY, the others 19YY (default: refused)."""
    where: str | None
    """The rows that the job is about, for example "year >= 2023 and region in (1, 2)"."""
    sample: int | float | str | None
    """How many rows, or persons, are drawn at random; the others are left out."""
    sample_seed: int | None
    """Draws the same sample again; anyone who knows it knows who is in."""
    trim: bool | None
    """Blanks around values do not count, and are not released where models look."""
    fold_case: bool | None
    """The case of letters does not count; the most frequent spelling is released."""
    spelling: Literal['folded', 'exact'] | None
    """Sensitive cells that differ in case and blanks are one value to models, or several."""
    missing_sensitive: Literal['none', 'value'] | None
    """A missing sensitive cell is no value to l, p, entropy, recursive and alpha, or one."""
    unpack: str | None
    """How much compressed data may become (default: 1G, or 200 times their size)."""
    keep_order: bool | None
    """Release the rows in their order, which can identify (default: shuffled)."""
    overwrite: bool | None
    """Replace a table of a database, or a folder, that has the name of the release, in one
    step, or a file beside it that does not belong to it (other files always are replaced)."""
    partition_by: str | Sequence[str] | None
    """Write the release as a folder of Parquet files in hive partitions: a folder COLUMN=VALUE
    for each released value of these columns."""
    neutralize: bool | None
    """Put an apostrophe before cells that spreadsheets take for formulas (= + - @)."""
    save_recoding: bool | Path | None
    """Also write how each tuple is released, for `history` and `apply`; keep it secret."""
    save_map: Path | None
    """Also write, as a table, what each combination of quasi-identifier values is released as,
    for other engines; it has the table's tuples: keep it secret."""
    print_sql: str | None
    """Read nothing, and print the SQL with which another engine counts its table (`data`),
    takes the map and makes the release (`output`)."""
    save_proof: Path | None
    """Also write what proves the bound, for `check` `proof`; it has the table's tuples: keep
    it secret."""
    save_promise: Path | None
    """Also write what is promised about the release, for `statement`: models, columns and how
    to read them, nothing of the input."""
    statement: Path | None
    """Also write what the recipient of the release may know: the promise, and what is measured
    on the release alone."""
    disclose: Literal['bound', 'dropped', 'utility', 'before', 'builders', 'method', 'models', 'leaks'] | Sequence[Literal['bound', 'dropped', 'utility', 'before', 'builders', 'method', 'models', 'leaks']] | None
    """What depends on the input and stands in promise and statement all the same."""
    dry_run: bool | None
    """Search and say what would be released, write nothing."""
    brief: bool | None
    """Compute only what the summary shows."""
    hint: bool | None
    """Say if `suppress: 1%` would lose clearly less."""
    threads: int | None
    """How many threads to use (default: one per core)."""
    memory: str | None
    """How much memory to use, for example 500M or 2G."""
    time_limit: float | None
    """From the start to the written release (for each method, where several are compared): the
    best answer that is found by then is taken."""
    seed: int | None
    """Fixes the order of rows, for tests only."""
    verbose: bool | None
    """Show values of the data in messages (default: their shape, as Aaa-99)."""
    result: Path | None
    """Also write the result as JSON to this file."""
    sign: Path | None
    """Also sign the result and the statement with this private key (Ed25519, PEM), into files
    called like them with .sig behind; needs `result` or `statement`."""
    verify_key: Path | None
    """`against`: the result must be signed, and the signature fit this public key."""
    report: Path | None
    """Also write a page that shows the result, to open in a browser."""
    junit: Path | None
    """Also write the tests as JUnit does, for servers that build and test."""
    save_job: Path | None
    """Also write what was typed as a job file; it never holds a seed or a password."""
    title: str | None
    """What the release is called in its report."""
    purpose: str | None
    """What the release is made for; shown in the report."""
    recipient: str | None
    """Who gets the release; shown in the report."""
    author: str | None
    """Who answers for the release; shown in the report."""
    date: str | None
    """The date of the release; shown in the report, and Safe Harbor reckons ages from it."""
    changes: Literal['answer', 'k', 'suppress', 'columns', 'levels', 'method'] | Sequence[Literal['answer', 'k', 'suppress', 'columns', 'levels', 'method']] | None
    """What to change: k, suppress, columns, levels, method; answer: the job as it is (default:
    all of them)."""
    budget: float | None
    """Begin with no change after so many seconds; what was not asked is listed."""
    window: str | None
    """The first row to show, from 1, and how many."""
    show: str | None
    """Which rows: those that change, are suppressed, break a model as the table is, or are
    released like row ROW."""


class Arguments(Named, Further, total=False):
    """All of them."""

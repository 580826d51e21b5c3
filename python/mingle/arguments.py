"""Keyword arguments of the commands, one for each key of a job.

Made from the library's catalogue by scripts/arguments.py; do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .models import Model
from .progress import Wish

__all__ = ["Arguments"]

Path = Union[str, "os.PathLike[str]"]


class Arguments(TypedDict, total=False):
    """All of them; which of them a command takes is told where it is called with another."""

    models: Sequence[Model] | Model
    """What is promised, as values of mingle.models."""
    progress: Wish
    """Whether to show how far it is, or a function that is told."""
    release: Any
    """The release to compare with the data; codebook: the one that the result tells of."""
    against: Any
    """Check: compare with what a result claims about the release; roles and models are its
    own. utility, attack: take its roles and hierarchies."""
    proof: Path
    """Check what `save-proof` wrote: that it proves the bound of the result (`against`); with
    data, that it is about this table."""
    external: Any
    """The table that names persons."""
    output: Path
    """The file to write (a release: `help formats`); - is standard output."""
    parts: Path | Sequence[Path]
    """Further parts that `count` made, where the data is one."""
    recoding: Any
    """The recoding to apply, that `save-recoding` wrote."""
    with_: Any
    """The file released earlier with the recoding: models hold on its rows and the new ones
    together."""
    quasi: str | Sequence[str] | Sequence[Sequence[str]]
    """Quasi-identifiers: columns that others may know; repeated: several sets."""
    by: str | Sequence[str]
    """Strata: rows with equal values in these columns are searched and judged on their own;
    the columns are quasi-identifiers that stay as they are."""
    sensitive: str | Sequence[str]
    """Columns that nobody should learn."""
    identifier: str | Sequence[str]
    """Columns that are never released."""
    insensitive: str | Sequence[str]
    """Columns that are released as they are."""
    rest: Literal['insensitive', 'drop']
    """What to do with columns that have no role."""
    hierarchies: Mapping[str, Any]
    """How a column is generalized (`help builders`)."""
    kind: Mapping[str, Literal['nominal', 'number', 'date'] | Sequence[Literal['nominal', 'number', 'date']]] | str
    """What the values are, where a hierarchy is proposed: codes are nominal."""
    treat: Mapping[str, Any] | str
    """What is done to a column that is no quasi-identifier, before anything is counted (`help
    treatments`)."""
    aggregate: Mapping[str, Literal['none', 'mean', 'median', 'range', 'mode', 'set'] | Sequence[Literal['none', 'mean', 'median', 'range', 'mode', 'set']]] | str
    """Quasi-identifiers that are not generalized: rows of a class are grouped, and of each
    group the mean, median, range, most frequent value or set of values is released."""
    linked: str | Sequence[str]
    """Columns that give each other back: those that are no quasi-identifiers are generalized
    with those that are."""
    follow: bool
    """Columns of which the leak guard finds that they give a quasi-identifier back are
    generalized with it, instead of being refused."""
    km: Mapping[str, Any] | str
    """The cells of a column are sets of items: every combination of at most M (default 2) that
    a row shows is shown by at least K rows."""
    km_within: bool
    """The same in each class of rows that look alike."""
    km_separator: str
    """What stands between the items of a cell (default: ; | or , as the cells have it)."""
    key: Path
    """The secret of pseudonyms and shifts, at least 16 bytes: a file that nobody else may
    read, or a variable of the environment."""
    sensitive_hierarchy: Mapping[str, Any]
    """How the values of a sensitive column belong together; they stay as they are."""
    protect: Mapping[str, Any] | str
    """Values of a sensitive hierarchy below which all values count as one."""
    weights: Mapping[str, Any] | str
    """Weight of a column in precision and ncp; 2/1: in each of several quasi-identifiers."""
    likelihood: Mapping[str, Any] | str
    """How likely others use the column for linking, 0 to 1; 0.5/1: in each of several quasi-
    identifiers."""
    level: Mapping[str, Any] | str
    """Least and highest level of a column."""
    preference: Mapping[str, Any] | str
    """Datafly: 0 spares the column, 1 does not; 0.5/1: in each of several quasi-identifiers."""
    identification: Mapping[str, int | Sequence[int]] | str
    """Mu-argus: a column is 1 most, 2 more, 3 identifying."""
    generalize: Mapping[str, int | Sequence[int]] | str
    """Mu-argus: so many levels more, as the holder decides."""
    importance: Mapping[str, float | Sequence[float]] | str
    """Local-suppression: what a cell of the column is worth."""
    k: float | Sequence[float] | str
    """Every released row looks like at least k-1 others on the quasi-identifier."""
    l_diversity: Mapping[str, Any] | str
    """Every class has at least l distinct values of the sensitive column."""
    entropy_l: Mapping[str, Any] | str
    """The values of the sensitive column in every class are as mixed as l equal parts."""
    recursive_cl: Mapping[str, Any] | str
    """In every class the most common value is less than c times all from the l-th on."""
    p_sensitive: float | Sequence[float] | str
    """Every class has at least p distinct values of each sensitive column."""
    extended_p: Mapping[str, Any] | str
    """The values of every class lie in at least p protected groups of values."""
    alpha: Mapping[str, Any] | str
    """No value of the sensitive column has a larger share of a class than alpha."""
    t_closeness: Mapping[str, Any] | str
    """The values in every class are distributed as in the table, up to a distance t."""
    delta_disclosure: Mapping[str, Any] | str
    """The share of every value in every class is within a factor e^delta of the table's."""
    beta: Mapping[str, Any] | str
    """The share of a value in a class exceeds the table's by at most beta times that."""
    enhanced_beta: Mapping[str, Any] | str
    """As beta, and the gain of a value is at most -ln of its share in the table too."""
    k_map: float | Sequence[float] | str
    """Every released row matches at least k rows of the population table."""
    delta_presence: float | Sequence[float] | str
    """Of the population rows that match a class a share from LO to HI is in the table."""
    max_risk: float | Sequence[float] | str
    """The chance to pick a person's row out of its class is at most x for every row."""
    mean_risk: float | Sequence[float] | str
    """The mean over all rows of 1 / rows of the class is at most x."""
    risk_share: float | Sequence[float] | str
    """At most a share of the rows has a risk (1 / rows of the class) above a threshold."""
    sample_uniqueness: float | Sequence[float] | str
    """At most a share x of the rows is alone in its class."""
    population_uniqueness: float | Sequence[float] | str
    """At most a share x of the population is estimated to be unique in it."""
    household_risk: float | Sequence[float] | str
    """The chance that a member of a household is found is at most x for every household."""
    distance: Mapping[str, Literal['equal', 'ordered', 'hierarchical'] | Sequence[Literal['equal', 'ordered', 'hierarchical']]] | str
    """How t-closeness compares values: equal, ordered or hierarchical."""
    population: Any
    """The table of all persons the data was taken from (k-map, delta-presence, risk)."""
    entity: str
    """Rows with the same value here are one person; released as a pseudonym or not at all."""
    entity_view: Literal['rows', 'joined']
    """Models judge each row of a person by itself, or all of them together."""
    policy: str
    """Further models that must hold (`help policies`)."""
    method: str
    """How to search (`help methods`)."""
    methods: str | Sequence[str]
    """The methods to compare (default: all that can take the job)."""
    effort: Literal['fast', 'balanced', 'best']
    """Cell, top-down, local-suppression: how long to look for a better answer."""
    combinations: str | Sequence[str]
    """Mu-argus: combinations of columns looked at (default: 2,3); local-suppression: on which
    k must hold (default: all columns together); by name (age+zip,age+sex+job): models hold
    on just these."""
    cut: Literal['strict', 'relaxed']
    """Mondrian: equal values stay together, or halves are as equal as can be."""
    replace: Literal['mean', 'median', 'range']
    """Microaggregate: what stands for the numbers of a group."""
    missing_matches: Literal['itself', 'all']
    """A suppressed cell is a value like any other, or matches all (local-suppression, check)."""
    accept: Literal['unsafe']
    """Write a release that breaks its promise (mu-argus); the result says so."""
    allow_leaks: bool | Sequence[str] | Sequence[bool | Sequence[str]]
    """Write although the leak guard objects to these columns (none named: to any); the result
    says so."""
    history: Path | Sequence[Path]
    """Saved recodings of earlier releases of the same table; models hold together with them."""
    history_judged: Literal['searching', 'afterwards']
    """The search respects earlier releases, or what they reveal is found afterwards."""
    suppress: int | str
    """How many rows may be suppressed, as a number or a share."""
    suppress_above: float
    """Suppress rows of a larger risk in the table first; `max-risk` of it is promised."""
    suppressed: Literal['keep', 'drop', 'exempt']
    """Suppressed rows are a class like any other, left out, or exempt from the models."""
    utility: str
    """What to keep as well as possible (`help measures`)."""
    curve: int | Sequence[int]
    """Also find out what the method gives for these k; nothing of it is released."""
    least_count: int
    """Count no combination of fewer than N rows: such are regrouped with every quasi-
    identifier one level up, and so on; a database does so itself."""
    prefer: str | Sequence[str]
    """Among equal answers: absolute, relative, distribution, suppression, or a measure."""
    weight: str
    """Sampling weights: how many persons each row stands for."""
    household: str
    """Rows with the same value here are one household, found together."""
    sampling_fraction: float
    """Which share of the population the table is."""
    threshold: float
    """The risk from which on a row counts as in danger."""
    suda: bool
    """Score rows by how few columns make them unique."""
    single_out: str
    """Smallest sets of columns on which so many rows are unique."""
    advise: bool
    """Propose a role and a hierarchy for each column; `output` writes them as a job."""
    rows: Path
    """Also write a line for each row of the table, or each person attacked."""
    count: str
    """The table is counted: each row stands for as many records as this column says."""
    missing: str | Sequence[str]
    """Cells that mean missing; the first is what is released."""
    delimiter: str
    """One character, or tab, comma, semicolon, pipe, space (default: found out)."""
    no_header: bool
    """The first line is data; columns are called column1, column2, ...."""
    encoding: str
    """Character encoding of the data, as iconv calls it."""
    decimal: str
    """Decimal sign of numbers, . or , (default: found out for each column)."""
    century: str
    """Two-digit years up to this one are 20YY, the others 19YY (default: refused)."""
    where: str
    """The rows that the job is about, for example "year >= 2023 and region in (1, 2)"."""
    sample: int | str
    """How many rows, or persons, are drawn at random; the others are left out."""
    sample_seed: int
    """Draws the same sample again; whoever knows it knows who is in."""
    trim: bool
    """Blanks around values do not count, and are not released where models look."""
    fold_case: bool
    """The case of letters does not count; the most frequent spelling is released."""
    unpack: str
    """How much compressed data may become (default: 1G, or 200 times their size)."""
    keep_order: bool
    """Release the rows in their order, which can identify (default: shuffled)."""
    neutralize: bool
    """Put an apostrophe before cells that spreadsheets take for formulas (= + - @)."""
    save_recoding: bool | Path
    """Also write how each tuple is released, for `history` and `apply`; keep it secret."""
    save_map: Path
    """Also write, as a table, what each combination of quasi-identifier values is released as,
    for other engines; it has the table's tuples: keep it secret."""
    print_sql: str
    """Read nothing, and print the SQL with which another engine counts its table (`data`),
    takes the map and makes the release (`output`)."""
    save_proof: Path
    """Also write what proves the bound, for `check` `proof`; it has the table's tuples: keep
    it secret."""
    dry_run: bool
    """Search and say what would be released, write nothing."""
    brief: bool
    """Work out only what a summary tells."""
    hint: bool
    """Say if `suppress: 1%` would lose clearly less."""
    threads: int
    """How many threads to use (default: one per core)."""
    memory: str
    """How much memory to use, for example 500M or 2G."""
    time_limit: float
    """Stop the search, or that of each method, and take the best answer so far."""
    seed: int
    """Fixes the order of rows, for tests only."""
    verbose: bool
    """Show values of the data in messages (default: their shape, as Aaa-99)."""
    result: Path
    """Also write the result as JSON to this file."""
    sign: Path
    """Also sign the result with this private key (Ed25519, PEM), into a file called like it
    with .sig behind; needs `result`."""
    verify_key: Path
    """`against`: the result must be signed, and the signature fit this public key."""
    report: Path
    """Also write a page that shows the result, to open in a browser."""
    save_job: Path
    """Also write what was typed as a job file; it never holds a seed or a password."""
    title: str
    """What the release is called in its report."""
    purpose: str
    """What the release is made for; shown in the report."""
    recipient: str
    """Who gets the release; shown in the report."""
    author: str
    """Who answers for the release; shown in the report."""
    date: str
    """The date of the release; shown in the report, and Safe Harbor reckons ages from it."""

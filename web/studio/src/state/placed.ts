/* Which screen has which keys of a job. What is named nowhere stands with all other settings. */
export const READING_KEYS = ["where", "sample", "sample-seed", "century", "trim", "fold-case", "unpack"];
export const COLUMN_KEYS = ["linked", "follow", "by", "entity-view", "household", "weight", "count", "km-within", "km-separator", "key"];
export const PROMISE_KEYS = ["population", "sampling-fraction", "history", "history-judged", "missing-matches", "least-count"];
export const RELEASE_KEYS = ["date", "neutralize", "allow-leaks"];

/* Keys with a place of their own, and those about the run of a program rather than a release. */
const OWN = [
  "rest", "entity", "policy", "method", "effort", "utility", "suppress", "suppressed", "title", "purpose", "recipient", "author", "keep-order",
  "missing", "delimiter", "header", "no-header", "encoding", "decimal", "dry-run", "brief", "hint", "verbose", "seed", "sign", "print-sql", "overwrite",
];
export const PLACED = [...READING_KEYS, ...COLUMN_KEYS, ...PROMISE_KEYS, ...RELEASE_KEYS, ...OWN];

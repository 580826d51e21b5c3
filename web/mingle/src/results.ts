// What results say, as far as programs usually ask; docs/report.md has all of it.

export interface Classes {
    count: number;
    min: number;
    mean: number;
    max: number;
}

export interface Model {
    model: string;
    holds: boolean;
    measured?: number | null;
    [field: string]: unknown;
}

export interface Warning {
    code?: string;
    message?: string;
    [field: string]: unknown;
}

/** Of anonymize, and of each method of compare. */
export interface ReleaseResult {
    mingle: string;
    schema: number;
    command: string;
    method: string;
    rows: number;
    released_rows: number;
    suppressed_rows: number;
    classes: Classes;
    node: { [column: string]: number } | null;
    measure: string;
    utility: { [measure: string]: number | null };
    bound: { [field: string]: unknown } | null;
    models: Model[];
    risk: { [figure: string]: number };
    seconds: { [stage: string]: number };
    warnings: Warning[];
    output?: string | null;
    [field: string]: unknown;
}

/** Of check. */
export interface CheckResult {
    command: string;
    rows: number;
    k: number;
    models: Model[];
    [field: string]: unknown;
}

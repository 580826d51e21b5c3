// Rows of the table of refusals as documents of jobs, for fronts that take these.
import { readFileSync } from "node:fs";

const { files, refusals } = JSON.parse(readFileSync(new URL("refusals.json", import.meta.url), "utf8"));

/** Bytes of the files by name. */
export const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));

/** The rows that a front can be asked. */
export function rowsOf(front) {
    return refusals.filter((row) => (row.fronts ?? [front]).includes(front));
}

function valueOf(entry, value) {
    if (value === "true") return true;
    if (entry?.where === "column") {
        const [column, ...rest] = value.split("=");
        return { [column]: rest.join("=") };
    }
    return entry?.list && entry.where === "job" ? value.split(",") : value;
}

/** The job of a row; keys: of the catalogue. */
export function documentOf(row, keys) {
    const job = {};
    for (const text of row.keys) {
        const key = text.slice(0, text.indexOf(": ")), value = text.slice(key.length + 2);
        if (!(key in job)) job[key] = valueOf(keys[key], value);
    }
    if (row.output ?? true) job.output ??= "release.csv";
    return { data: "people.csv", ...job, ...row.document };
}

/** Whether a message has the words of the row. */
export function says(row, message) {
    return [row.says].flat().some((words) => message.includes(words));
}

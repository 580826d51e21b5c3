/* What the library offers, as it tells itself. */
import type { Job } from "../engine/types.ts";

export interface Parameter {
  help: string;
  value: "whole" | "number" | "choice" | string;
  min: number | null;
  max: number | null;
  choices: string[] | null;
  default: string | null;
  optional: boolean;
}

export interface Key {
  help: string;
  where: "job" | "column" | "model";
  field: string | null;
  role: string | null;
  value: string;
  list: boolean;
  syntax: string;
  choices: string[] | null;
  names: string | null;
  file: "read" | "written" | null;
  min: number | null;
  max: number | null;
  default: string | null;
  reading: boolean;
  session: boolean;
  commands: string[];
  methods: string[] | null;
}

export interface Catalogue {
  models: { [name: string]: { help: string; when: string; attribute: boolean; population: boolean; parameters: { [name: string]: Parameter } } };
  methods: { [name: string]: { help: string; when: string; cost: string; standard: boolean; columns: string; keys: string[] } };
  measures: { [name: string]: { help: string; when: string; result: string; higher_is_better: boolean; search: boolean; column: boolean } };
  builders: { [name: string]: { help: string; syntax: string; example: string } };
  treatments: { [name: string]: { help: string; syntax: string; example: string } };
  policies: { [name: string]: { when: string } };
  keys: { [name: string]: Key };
  formats: { [name: string]: { endings: string[]; written: boolean } };
}

export function standardMethod(c: Catalogue): string {
  return Object.keys(c.methods).find((m) => c.methods[m].standard) ?? Object.keys(c.methods)[0];
}

/* The job with another method, without the keys that this method has no use for. */
export function withMethod(c: Catalogue, job: Job, method: string): Job {
  const changed: Job = { ...job, method };
  for (const key of Object.keys(changed)) {
    const takers = c.keys[key]?.methods;
    if (takers && !takers.includes(method)) delete changed[key];
  }
  return changed;
}

/* The method that answers soonest with the same promise: one level per column, found exactly. */
export function quickMethod(c: Catalogue): string | null {
  return "mingen" in c.methods ? "mingen" : null;
}

/* Keys that a command takes, so that a job can be handed to it as a program would. */
export function onlyKeysOf(c: Catalogue, command: string, job: Job): Job {
  const kept: Job = {};
  for (const [key, value] of Object.entries(job)) {
    const takers = c.keys[key]?.commands;
    if (!takers || takers.includes(command)) kept[key] = value;
  }
  return kept;
}

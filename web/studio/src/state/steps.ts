/* What one step would change: one call of the library for each kind of step, and one for each step that takes
 * long. */
import { useEffect, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { asError, isCancelled } from "../engine/types.ts";
import type { Job } from "../engine/types.ts";
import { jobForRun } from "./job.ts";
import type { Doc } from "./job.ts";

export interface Step {
  kind: string;
  change: string;
  patch: Job;
  error: { message: string } | null;
  holds: boolean;
  [figure: string]: any;
}

export interface Steps {
  steps: Step[];
  now: any;
  busy: boolean;
  error: string;
}

/* RFC 7396, the form in which the library tells a change of a job. */
export function mergePatch(target: any, patch: any): any {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const merged: any = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/* What was told about a job stays told while the job stays: another screen need not ask again. */
let toldFor: Doc | null = null;
let told = new Map<string, { now: any; steps: Step[] }>();

type Show = (found: { now: any; steps: Step[] }) => void;

/* A kind whose steps take longer than this is asked step by step, so that each is shown when it is there. */
const BUDGET_SECONDS = 0.15;

async function askSteps(doc: Doc, job: Job, more: Job, signal: AbortSignal): Promise<any> {
  return (await engines.background().run("what-if", { ...jobForRun({ ...doc, job }, {}), ...more }, { signal, files: doc.files })).result;
}

/* A step that the library had no time for: what its job gives. null: the job cannot take it. */
async function askLeftOut(doc: Doc, step: Step, signal: AbortSignal): Promise<Step | null> {
  try {
    const { answer } = await askSteps(doc, mergePatch(doc.job, step.patch), { changes: "answer" }, signal);
    return { ...step, ...answer };
  } catch (error) {
    if (isCancelled(error)) throw error;
    return null;
  }
}

async function askKind(doc: Doc, kind: string, signal: AbortSignal, show: Show): Promise<void> {
  if (toldFor !== doc) {
    toldFor = doc;
    told = new Map();
  }
  const known = told.get(kind);
  if (known) return show(known);
  const result = await askSteps(doc, doc.job, { changes: kind, budget: BUDGET_SECONDS }, signal);
  const found = { now: result.answer ?? null, steps: (result.changes ?? []) as Step[] };
  show(found);
  for (const left of (result.left_out ?? []) as Step[]) {
    const step = await askLeftOut(doc, left, signal);
    if (signal.aborted) return;
    if (!step) continue;
    found.steps = [...found.steps, step];
    show({ now: null, steps: [step] });
  }
  if (toldFor === doc) told.set(kind, found);
}

/* Kinds are asked one after the other, cheap ones first; null: not now. */
export function useSteps(doc: Doc, kinds: string[] | null): Steps {
  const [state, setState] = useState<Steps>({ steps: [], now: null, busy: true, error: "" });
  useEffect(() => {
    if (kinds === null) return;
    const controller = new AbortController();
    setState({ steps: [], now: null, busy: true, error: "" });
    void (async () => {
      for (const kind of kinds) {
        try {
          await askKind(doc, kind, controller.signal, ({ now, steps }) => {
            if (!controller.signal.aborted) setState((s) => ({ ...s, now: now ?? s.now, steps: [...s.steps, ...steps] }));
          });
          if (controller.signal.aborted) return;
        } catch (error) {
          if (isCancelled(error) || controller.signal.aborted) return;
          setState((s) => ({ ...s, error: asError(error).message }));
        }
      }
      setState((s) => ({ ...s, busy: false }));
    })();
    return () => controller.abort();
  }, [doc, kinds === null]);
  return state;
}

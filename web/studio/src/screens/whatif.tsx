/* What one step would change: one call of the library for each kind of step, cheap ones first. */
import { useEffect, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { asError, isCancelled } from "../engine/types.ts";
import type { Job } from "../engine/types.ts";
import { changeJob, useStudio } from "../state/studio.ts";
import { jobForRun } from "../state/job.ts";
import type { Doc } from "../state/job.ts";
import { Card, ErrorNote, Worded, Working } from "../parts/basics.tsx";
import { detailKept } from "../parts/answer.tsx";
import { count, percent } from "../parts/format.ts";
import { T } from "../texts.en.ts";

const KINDS = ["k", "suppress", "levels", "columns", "method"];

interface Step {
  kind: string;
  change: string;
  patch: Job;
  error: { message: string } | null;
  holds: boolean;
  [figure: string]: any;
}

/* RFC 7396, the form in which the library tells a change of a job. */
function mergePatch(target: any, patch: any): any {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const merged: any = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

function useSteps(doc: Doc, ready: boolean): { steps: Step[]; now: any; busy: boolean; error: string } {
  const [state, setState] = useState({ steps: [] as Step[], now: null as any, busy: true, error: "" });
  useEffect(() => {
    if (!ready) return;
    const controller = new AbortController();
    setState({ steps: [], now: null, busy: true, error: "" });
    void (async () => {
      for (const kind of ["answer", ...KINDS]) {
        try {
          const { result } = await engines.background().run("what-if", { ...jobForRun(doc, {}), changes: kind }, { signal: controller.signal, files: doc.files });
          setState((s) => ({ ...s, now: result.answer ?? s.now, steps: [...s.steps, ...(result.changes ?? [])] }));
        } catch (error) {
          if (isCancelled(error)) return;
          setState((s) => ({ ...s, error: asError(error).message }));
        }
      }
      setState((s) => ({ ...s, busy: false }));
    })();
    return () => controller.abort();
  }, [doc, ready]);
  return state;
}

function Delta({ now, then }: { now: number | null; then: number | null }) {
  if (now === null || then === null) return null;
  const d = then - now;
  if (Math.abs(d) < 5e-4) return <span class="soft small">{T.whatif.same}</span>;
  return <span class={d > 0 ? "delta up" : "delta down"}>{d > 0 ? "+" : "−"}{percent(Math.abs(d))}</span>;
}

function StepCard({ step, now, job }: { step: Step; now: any; job: Job }) {
  const broken = !step.holds || step.error;
  return (
    <li class="card">
      <h3><Worded text={step.change} /></h3>
      {broken ? <p class="soft small">{step.error ? <Worded text={step.error.message} /> : T.whatif.noRelease}</p> : (
        <p class="small">{T.whatif.detail} {percent(detailKept(step))} {step.kind !== "columns" && <Delta now={detailKept(now)} then={detailKept(step)} />}<br />
          {T.whatif.suppressed} {count(step.suppressed_rows)}{step.classes?.min > 0 && <> · {T.whatif.risk} {percent(1 / step.classes.min)}</>}</p>
      )}
      <div class="row"><span class="spring" /><button class="small" disabled={!!broken} onClick={() => changeJob(mergePatch(job, step.patch))}>{T.whatif.apply}</button></div>
    </li>
  );
}

export function WhatIfScreen() {
  const doc = useStudio((s) => s.doc);
  const answer = useStudio((s) => s.answer);
  const ready = answer.doc === doc && (answer.result !== null || answer.error !== null) && !answer.busy;
  const { steps, now, busy, error } = useSteps(doc, ready);
  const base = now ?? answer.result;
  return (
    <>
      <h1>{T.whatif.heading}</h1>
      <p class="intro">{T.whatif.intro}</p>
      {(busy || !ready) && <Working label={T.whatif.working} />}
      {error && steps.length === 0 && <ErrorNote error={{ status: 1, code: "", message: error }} />}
      {base?.utility && <Card><p><strong>{T.whatif.before}:</strong> {T.whatif.detail} {percent(detailKept(base))} · {T.whatif.suppressed} {count(base.suppressed_rows)}</p></Card>}
      {KINDS.filter((kind) => steps.some((s) => s.kind === kind)).map((kind) => (
        <section key={kind} class="kind">
          <h2>{T.whatif.kinds[kind]}</h2>
          <ul class="steps">{steps.filter((s) => s.kind === kind).map((s) => <StepCard key={s.change} step={s} now={base} job={doc.job} />)}</ul>
        </section>
      ))}
    </>
  );
}

/* What if: what one step would change, step by step. */
import type { Job } from "../engine/types.ts";
import { changeJob, useStudio } from "../state/studio.ts";
import { mergePatch, useSteps } from "../state/steps.ts";
import { spendsEpsilon } from "../state/job.ts";
import type { Step } from "../state/steps.ts";
import { Card, Delta, ErrorNote, Worded, Working } from "../parts/basics.tsx";
import { detailKept } from "../parts/answer.tsx";
import { count, percent } from "../parts/format.ts";
import { T } from "../texts.en.ts";

const KINDS = ["k", "suppress", "levels", "columns", "method"];
const ASKED = ["answer", ...KINDS];

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
  const ready = answer.doc === doc && (answer.result !== null || answer.error !== null) && !answer.busy && !spendsEpsilon(doc);
  const { steps, now, busy, error } = useSteps(doc, ready ? ASKED : null);
  const base = now ?? answer.result;
  return (
    <>
      <h1>{T.whatif.heading}</h1>
      <p class="intro">{T.whatif.intro}</p>
      {spendsEpsilon(doc) ? <p class="note">{T.answer.once}</p> : (busy || !ready) && <Working label={T.whatif.working} />}
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

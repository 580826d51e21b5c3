/* The answer to the job as it stands, beside every screen. */
import { BadIcon, GoodIcon, WaitIcon } from "./icons.tsx";
import { Delta, ErrorNote, Figure, Value, Worded, Working } from "./basics.tsx";
import { count, percent } from "./format.ts";
import { changeJob, goTo, studio, useStudio } from "../state/studio.ts";
import type { LiveAnswer } from "../state/studio.ts";
import { askAgain, cancelAnswer } from "../state/live.ts";
import { spendsEpsilon, withKey } from "../state/job.ts";
import { mergePatch, useSteps } from "../state/steps.ts";
import { T } from "../texts.en.ts";

/* What the library says of a model, with the letters of its parameters as the numbers that they are here. */
function inNumbers(promise: string, parameters: { [name: string]: unknown }): string {
  return promise.replace(/(?<![-\w])[b-z](?![-\w])/g, (letter) => (typeof parameters[letter] === "number" ? String(parameters[letter]) : letter));
}

/* The share of detail that is left: by precision, or where a method has none by loss. */
export function detailKept(result: any): number | null {
  const u = result?.utility;
  if (!u) return null;
  if (typeof u.precision === "number") return u.precision;
  return typeof u.loss === "number" ? 1 - u.loss : null;
}

function possible(result: any): number | null {
  const b = result?.bound;
  return b && b.measure === "precision" && typeof b.best_possible === "number" ? b.best_possible : null;
}

function Verdict({ answer }: { answer: LiveAnswer }) {
  const { result, error, busy } = answer;
  if (result) {
    const holds = (result.models ?? []).every((m: any) => m.holds);
    return holds
      ? <p class="verdict good"><GoodIcon />{T.answer.holds}</p>
      : <p class="verdict bad"><BadIcon />{T.answer.fails}</p>;
  }
  if (!error && !busy && answer.doc && spendsEpsilon(answer.doc)) return <p class="verdict">{T.answer.once}</p>;
  if (error && !busy)
    return <p class="verdict bad"><BadIcon />{error.status === 1 ? T.answer.fails : T.answer.error}</p>;
  return <p class="verdict wait"><WaitIcon />{T.answer.wait}</p>;
}

function Meter({ kept, best }: { kept: number; best: number | null }) {
  return (
    <div class="meter" aria-hidden="true">
      <i style={{ width: `${100 * kept}%` }} />
      {best !== null && <i class="could" style={{ width: `${100 * Math.max(0, best - kept)}%` }} />}
    </div>
  );
}

function Figures({ result }: { result: any }) {
  const kept = detailKept(result);
  const best = possible(result);
  const before = result.figures?.before?.risk;
  return (
    <>
      <dl class="figures row" style={{ flexDirection: "column", alignItems: "stretch" }}>
        <Figure name={T.answer.kept} value={percent(kept)}
          note={result.bound?.exact ? T.answer.best : best !== null ? T.answer.possible(percent(best)) : null} />
        <Figure name={T.answer.risk} value={percent(result.risk?.prosecutor_max)} note={before && T.answer.before(percent(before.prosecutor_max))} />
        <Figure name={T.answer.unique} value={count(result.risk?.uniques)} note={before && T.answer.before(count(before.uniques))} />
        <Figure name={T.answer.suppressed} value={count(result.suppressed_rows)} note={T.answer.of(result.rows)} />
      </dl>
      {kept !== null && <Meter kept={kept} best={best} />}
    </>
  );
}

function Promised({ result }: { result: any }) {
  return (
    <ul class="small promised">
      {(result.models ?? []).map((m: any, i: number) => (
        <li key={i}>
          <span class={m.holds ? "tag good" : "tag bad"}>{m.model} {Object.values(m.parameters ?? {}).filter((v) => v !== null).map(String).join(", ")}</span>{" "}
          <span class="soft"><Worded text={m.model === "k-anonymity" && m.parameters?.k > 1 ? T.answer.hides(m.parameters.k) : inNumbers(m.promise ?? "", m.parameters ?? {})} /></span>
        </li>
      ))}
    </ul>
  );
}

/* Columns whose cells are not true of their rows, and what differential privacy the release has. */
export function Caveats({ result }: { result: any }) {
  const columns: any[] = result.perturbation?.columns ?? [];
  const nearest = result.perturbation?.nearest;
  const dp = result.differential_privacy;
  return (
    <>
      {dp && <p class="small">{T.answer.private(dp.epsilon, dp.delta, dp.sampling_rate, dp.k)}</p>}
      {columns.length > 0 && (
        <div class="note warn" data-test="untrue">
          <strong>{T.answer.untrue}</strong>
          <ul class="small">{columns.map((c) => <li key={c.column}><Value text={c.column} />: {T.answer.changed(c.by, c.changed_rows, c.rows)}</li>)}</ul>
          {nearest && <p class="small">{T.answer.nearestRows(nearest.found, nearest.rows)}</p>}
        </div>
      )}
    </>
  );
}

function LostWhere({ result }: { result: any }) {
  const columns: any[] = result.figures?.columns ?? [];
  if (columns.length === 0) return null;
  const kept = (c: any): number => (typeof c.precision === "number" ? c.precision : 1 - (c.loss ?? 0));
  const sorted = [...columns].sort((a, b) => kept(a) - kept(b));
  return (
    <details>
      <summary>{T.answer.lost}</summary>
      <ul>
        {sorted.map((c) => (
          <li key={c.column} class="small">
            <div class="row tight"><Value text={c.column} /><span class="spring" /><span class="num">{percent(kept(c))}</span></div>
            <Meter kept={kept(c)} best={null} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Refused({ answer }: { answer: LiveAnswer }) {
  const refusal = answer.error?.refusal;
  const needed = refusal?.nearest?.needed_suppressed_rows;
  const { doc } = studio.get();
  return (
    <>
      <ErrorNote error={answer.error!} />
      {typeof needed === "number" && (
        <div class="row">
          <span class="small">{T.answer.nearest(needed)}</span>
          <button class="small" onClick={() => changeJob(withKey(doc.job, "suppress", needed))}>{T.answer.allow}</button>
        </div>
      )}
    </>
  );
}

function Leaks() {
  const leaks = useStudio((s) => s.leaks);
  const columns = [...new Set(leaks.map((l) => l.column))];
  if (columns.length === 0) return null;
  return (
    <div class="note warn">
      <strong>{T.release.leaks}</strong>
      <ul class="row tight">{columns.map((c) => <li key={c}><span class="tag warn"><Value text={c} /></span></li>)}</ul>
      <div><button class="small" onClick={() => goTo("columns")}>{T.answer.seeColumns}</button></div>
    </div>
  );
}

const ASKED = ["answer", "k", "suppress"];

/* The nearest steps, beside the answer: the screen What if has all of them. */
function NextSteps({ result }: { result: any }) {
  const doc = useStudio((s) => s.doc);
  const { steps, now, busy } = useSteps(doc, ASKED);
  const shown = steps.filter((s) => s.holds && !s.error);
  if (shown.length === 0 && !busy) return null;
  return (
    <div class="next">
      <h3>{T.answer.next}</h3>
      {busy && shown.length === 0 && <p class="soft small">{T.answer.nextWait}</p>}
      <ul>
        {shown.map((s) => (
          <li key={s.change} class="small">
            <button class="plain small" title={T.whatif.apply} onClick={() => changeJob(mergePatch(doc.job, s.patch))}><Worded text={s.change} /></button>
            <span class="spring" /><Delta now={detailKept(now ?? result)} then={detailKept(s)} />
          </li>
        ))}
      </ul>
      <button class="plain small" onClick={() => goTo("whatif")}>{T.answer.moreSteps}</button>
    </div>
  );
}

export function AnswerPanel() {
  const answer = useStudio((s) => s.answer);
  const doc = useStudio((s) => s.doc);
  const screen = useStudio((s) => s.screen);
  const { result, error, busy, stage } = answer;
  const stopped = !busy && answer.doc !== doc;
  return (
    <section class="card" aria-busy={busy}>
      <h2 class="hidden">{T.answer.heading}</h2>
      <div aria-live="polite"><Verdict answer={answer} /></div>
      {busy ? <Working label={T.answer.wait} /> : null}
      {result && <Promised result={result} />}
      {result && <Figures result={result} />}
      {result && <Caveats result={result} />}
      {busy && result && answer.doc === doc && <p class="soft small">{stage === "first" ? T.answer.first : T.answer.improving}</p>}
      {!busy && error && <Refused answer={answer} />}
      <Leaks />
      {result && !busy && !stopped && !spendsEpsilon(doc) && screen !== "whatif" && screen !== "table" && <NextSteps result={result} />}
      {result && <LostWhere result={result} />}
      {result?.warnings?.length > 0 && (
        <details>
          <summary>{T.answer.warnings} ({result.warnings.length})</summary>
          <ul class="small">{result.warnings.map((w: any, i: number) => <li key={i}><Worded text={w.message} /></li>)}</ul>
        </details>
      )}
      <div class="row">
        {busy && <button class="small" onClick={cancelAnswer}>{T.answer.cancel}</button>}
        {stopped && <button class="small" onClick={askAgain}>{T.answer.again}</button>}
        {screen !== "release" && (result || spendsEpsilon(doc)) && <button class="primary" onClick={() => { studio.set({ releaseWanted: true }); goTo("release"); }}>{T.answer.release}</button>}
      </div>
    </section>
  );
}

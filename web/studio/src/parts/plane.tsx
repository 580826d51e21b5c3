/* The plane of risk against detail: releases by all methods and several k. A bound that was proved
 * for one k rules out everything with more detail at that risk or below it. */
import { useEffect, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { asError, isCancelled } from "../engine/types.ts";
import type { Job } from "../engine/types.ts";
import { changeJob, studio, useStudio } from "../state/studio.ts";
import { onlyKeysOf, withMethod } from "../state/catalogue.ts";
import { jobForRun, makeModel, modelName, models, withKey } from "../state/job.ts";
import type { Doc } from "../state/job.ts";
import { Card, Choice, ErrorNote, Working } from "./basics.tsx";
import { count, figure, percent } from "./format.ts";
import { PreviewTable } from "./preview-table.tsx";
import { T } from "../texts.en.ts";

export interface Point {
  method: string;
  k: number;
  error: string | null;
  utility: any;
  risk: any;
  bound: any;
  suppressed_rows: number;
  classes: any;
  models: any[];
}

const KS = [2, 3, 5, 10, 20, 50];

export function withK(job: Job, k: number): Job {
  const others = models(job).filter((m) => modelName(m) !== "k-anonymity");
  return withKey(job, "privacy", [makeModel("k-anonymity", { k }), ...others]);
}

function jobOfPoint(job: Job, p: { method: string; k: number }): Job {
  return withMethod(studio.get().catalogue!, withK(job, p.k), p.method);
}

function currentK(job: Job): number {
  const m = models(job).find((x) => modelName(x) === "k-anonymity");
  return m ? Number(Object.values(m)[0]) || 0 : 0;
}

/* Questions in the order of their cost: all quick methods for every k, then the slow one. */
function questions(doc: Doc): { k: number; job: Job }[] {
  const catalogue = studio.get().catalogue!;
  const slow = Object.keys(catalogue.methods).filter((m) => catalogue.methods[m].keys.includes("effort"));
  const quick = Object.keys(catalogue.methods).filter((m) => !slow.includes(m));
  const own = currentK(doc.job);
  const ks = [...new Set([...(own > 1 ? [own] : []), ...KS])];
  const base = (k: number): Job => {
    const { method: _m, ...job } = onlyKeysOf(catalogue, "compare", jobForRun({ ...doc, job: withK(doc.job, k) }, {}));
    return job;
  };
  const without = (job: Job): Job => {
    const { effort: _e, ...rest } = job;
    return rest;
  };
  return [
    ...ks.map((k) => ({ k, job: { ...without(base(k)), methods: quick } })),
    ...slow.flatMap((m) => ks.map((k) => ({ k, job: { ...base(k), effort: "fast", methods: [m] } }))),
  ];
}

function usePoints(doc: Doc): { points: Point[]; busy: boolean; error: string } {
  const [state, setState] = useState<{ points: Point[]; busy: boolean; error: string }>({ points: [], busy: true, error: "" });
  useEffect(() => {
    const controller = new AbortController();
    setState({ points: [], busy: true, error: "" });
    void (async () => {
      for (const { k, job } of questions(doc)) {
        try {
          const { result } = await engines.background().run("compare", job, { signal: controller.signal, files: doc.files, shape: "points" });
          setState((s) => ({ ...s, points: [...s.points, ...result.map((r: any) => ({ ...r, k }))] }));
        } catch (error) {
          if (isCancelled(error)) return;
          setState((s) => ({ ...s, error: asError(error).message }));
        }
      }
      setState((s) => ({ ...s, busy: false }));
    })();
    return () => controller.abort();
  }, [doc]);
  return state;
}

type Axis = "precision" | "loss";
const detailOf = (p: Point, axis: Axis): number | null => {
  const value = p.utility?.[axis];
  return typeof value !== "number" ? null : axis === "loss" ? 1 - value : value;
};

/* mu-Argus and its like may stop at a release that breaks the promise: drawn as a ring. */
const holds = (p: Point): boolean => (p.models ?? []).every((m: any) => m.holds);

const W = 760, H = 380, L = 64, R = 20, TOP = 14, B = 46;

function Drawing({ points, axis, chosen, own, onChoose }: { points: Point[]; axis: Axis; chosen: Point | null; own: { method: string; k: number }; onChoose(p: Point): void }) {
  const drawn = points.filter((p) => detailOf(p, axis) !== null && p.risk);
  const least = Math.min(...drawn.map((p) => detailOf(p, axis)!), 0.9);
  const x0 = Math.max(0, Math.floor(10 * least) / 10);
  const risks = drawn.map((p) => p.risk.prosecutor_max as number).filter((r) => r > 0);
  const low = Math.min(0.02, ...risks), high = Math.max(0.5, ...risks);
  const x = (d: number) => L + ((W - L - R) * (d - x0)) / (1 - x0);
  const y = (r: number) => TOP + ((H - TOP - B) * (Math.log(high) - Math.log(Math.max(r, low)))) / (Math.log(high) - Math.log(low));
  const bounds = drawn.filter((p) => p.bound?.measure === axis && typeof p.bound.best_possible === "number" && !p.bound.exact)
    .map((p) => ({ r: 1 / p.k, d: axis === "loss" ? 1 - p.bound.best_possible : p.bound.best_possible }))
    .sort((a, b) => b.r - a.r);
  /* Risk of at most 1/k means classes of k rows: the bound of k holds there and below. */
  const region = bounds.map(({ r, d }) => `M${x(d)},${y(r)}H${W - R}V${H - B}H${x(d)}Z`).join("");
  const ticksX = Array.from({ length: 6 }, (_, i) => x0 + ((1 - x0) * i) / 5);
  const ticksY = [0.5, 0.2, 0.1, 0.05, 0.02].filter((t) => t <= high && t >= low);
  return (
    <svg class="plot" viewBox={`0 0 ${W} ${H}`} role="img" aria-label={T.explore.planeIntro}>
      {region && <path class="impossible" d={region} />}
      {bounds.length > 0 && <text x={W - R - 6} y={H - B - 8} text-anchor="end">{T.explore.impossible}</text>}
      {ticksX.map((t) => <g key={t}><line class="grid" x1={x(t)} x2={x(t)} y1={TOP} y2={H - B} /><text x={x(t)} y={H - B + 18} text-anchor="middle">{percent(t)}</text></g>)}
      {ticksY.map((t) => <g key={t}><line class="grid" x1={L} x2={W - R} y1={y(t)} y2={y(t)} /><text x={L - 8} y={y(t) + 4} text-anchor="end">{percent(t)}</text></g>)}
      <text x={(L + W - R) / 2} y={H - 6} text-anchor="middle">{T.explore.detail(axis)}</text>
      <text x={-(TOP + H - B) / 2} y={14} text-anchor="middle" transform="rotate(-90)">{T.explore.risk}</text>
      {drawn.map((p) => (
        <circle key={`${p.method}${p.k}`} class={`point${holds(p) ? "" : " no"}${p === chosen || (p.method === own.method && p.k === own.k) ? " on" : ""}`} r={p.method === own.method ? 7 : 5}
          cx={x(detailOf(p, axis)!)} cy={y(p.risk.prosecutor_max)} onClick={() => onChoose(p)}><title>{`${T.explore.point(p.method, p.k)}: ${percent(detailOf(p, axis))}`}</title></circle>
      ))}
    </svg>
  );
}

function PlaneLegend({ unsafe }: { unsafe: boolean }) {
  const Mark = ({ kind, r }: { kind: string; r: number }) => <svg class="plot mark" viewBox="0 0 18 18" aria-hidden="true"><circle class={`point${kind}`} r={r} cx="9" cy="9" /></svg>;
  return (
    <div class="legend">
      <span><Mark kind=" on" r={6} />{T.explore.here}</span><span><Mark kind="" r={7} />{T.explore.ownMethod}</span><span><Mark kind="" r={5} />{T.explore.otherMethod}</span>
      {unsafe && <span><Mark kind=" no" r={5} />{T.explore.unsafe}</span>}
    </div>
  );
}

function PointTable({ points, axis, onChoose }: { points: Point[]; axis: Axis; onChoose(p: Point): void }) {
  return (
    <details>
      <summary>{T.explore.table}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={T.explore.table}>
        <table>
          <thead><tr><th scope="col">{T.explore.method}</th><th scope="col" class="num">{T.explore.k}</th><th scope="col" class="num">{T.whatif.detail}</th><th scope="col" class="num">{T.explore.risk}</th><th scope="col" class="num">{T.explore.averageRisk}</th><th scope="col" class="num">{T.explore.suppressed}</th><th scope="col" class="num">{T.explore.classes}</th></tr></thead>
          <tbody>
            {points.map((p) => (
              <tr key={`${p.method}${p.k}`}>
                <th scope="row"><button class="plain small" disabled={!p.utility} onClick={() => onChoose(p)}>{p.method}</button></th><td class="num">{p.k}</td>
                {p.utility ? <><td class="num">{percent(detailOf(p, axis))}</td><td class="num">{percent(p.risk?.prosecutor_max)}</td><td class="num">{percent(p.risk?.prosecutor_mean)}</td><td class="num">{count(p.suppressed_rows)}</td><td class="num">{count(p.classes?.count)}</td></>
                  : <td colSpan={5} class="small soft">{p.error ?? T.explore.failed}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Chosen({ doc, point }: { doc: Doc; point: Point }) {
  const job = jobOfPoint(doc.job, point);
  return (
    <Card title={T.explore.point(point.method, point.k)} actions={<button class="primary" onClick={() => changeJob(job)}>{T.explore.use}</button>}>
      <p class="soft small">{T.whatif.detail} {percent(detailOf(point, "precision") ?? detailOf(point, "loss"))} · {T.explore.suppressed} {count(point.suppressed_rows)} · {T.explore.classes} {count(point.classes?.count)} · {T.explore.averageRisk} {percent(point.risk?.prosecutor_mean)} · {T.explore.queryError} {figure(point.utility?.query_error)}</p>
      <PreviewTable key={`${point.method}${point.k}`} doc={doc} job={jobForRun({ ...doc, job }, {})} filters={Object.keys(T.explore.filters)} />
    </Card>
  );
}

export function Plane() {
  const doc = useStudio((s) => s.doc);
  const { points, busy, error } = usePoints(doc);
  const [axis, setAxis] = useState<Axis>("precision");
  const [chosen, setChosen] = useState<Point | null>(null);
  const own = { method: String(doc.job.method ?? "cell"), k: currentK(doc.job) };
  return (
    <>
      <Card actions={<Choice hideLabel label={T.explore.detail("")} value={axis} onChange={(v) => setAxis(v as Axis)} choices={[["precision", T.explore.detail("precision")], ["loss", T.explore.detail("1 - loss")]]} />}>
        <p class="soft small">{T.explore.planeIntro}</p>
        {busy && <Working />}
        {error && points.length === 0 && <ErrorNote error={{ status: 1, code: "", message: error }} />}
        {points.length > 0 && <Drawing points={points} axis={axis} chosen={chosen} own={own} onChoose={setChosen} />}
        {points.length > 0 && <PlaneLegend unsafe={points.some((p) => p.utility && !holds(p))} />}
        {points.length > 0 && <PointTable points={points} axis={axis} onChoose={setChosen} />}
      </Card>
      {chosen && <Chosen doc={doc} point={chosen} />}
    </>
  );
}

/* The lattice: every choice of one level per column. Small ones are drawn dot by dot, large ones
 * summed up by height; both can be searched by level. */
import { useMemo, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import type { LatticeShape } from "../engine/shapes.ts";
import { useAsk } from "../state/ask.ts";
import { changeJob, studio, useStudio } from "../state/studio.ts";
import { onlyKeysOf, quickMethod, withMethod } from "../state/catalogue.ts";
import { filesKey, jobForRun, withAttribute } from "../state/job.ts";
import type { Doc } from "../state/job.ts";
import { PreviewTable } from "./preview-table.tsx";
import type { Job } from "../engine/types.ts";
import { Card, Choice, ErrorNote, Later, Value, Working } from "./basics.tsx";
import { count, percent, figure } from "./format.ts";
import { T } from "../texts.en.ts";

const MOST_DOTS = 2500;
const MOST_LISTED = 50;

function nodeText(l: LatticeShape, i: number): string {
  return l.columns.map((c, j) => `${c} ${l.nodes.levels[j][i]}`).join(", ");
}

function matching(l: LatticeShape, wanted: string[]): Int32Array {
  const n = l.nodes.height.length;
  const found = new Int32Array(n);
  let m = 0;
  for (let i = 0; i < n; i++) {
    let fits = true;
    for (let j = 0; j < wanted.length && fits; j++) fits = wanted[j] === "" || l.nodes.levels[j][i] === Number(wanted[j]);
    if (fits) found[m++] = i;
  }
  return found.subarray(0, m);
}

function Dots({ l, chosen, own, shown, onChoose }: { l: LatticeShape; chosen: number; own: number; shown: Int32Array; onChoose(i: number): void }) {
  const byHeight = new Map<number, number[]>();
  for (const i of shown) {
    const row = byHeight.get(l.nodes.height[i]);
    if (row) row.push(i);
    else byHeight.set(l.nodes.height[i], [i]);
  }
  const heights = [...byHeight.keys()].sort((a, b) => b - a);
  const W = 760, rowHeight = 30, L = 36;
  const H = heights.length * rowHeight + 10;
  const at = (e: MouseEvent): void => {
    const node = (e.target as Element).getAttribute("data-node");
    if (node !== null) onChoose(Number(node));
  };
  return (
    <svg class="plot" viewBox={`0 0 ${W} ${H}`} role="img" aria-label={T.explore.latticeIntro} onClick={at}>
      {heights.map((h, r) => {
        const row = byHeight.get(h)!;
        const step = Math.min(16, (W - L - 10) / row.length);
        const radius = Math.max(1.6, Math.min(5.5, step * 0.42));
        const start = (W + L) / 2 - (step * (row.length - 1)) / 2;
        return (
          <g key={h}>
            <text x={4} y={r * rowHeight + 20}>{h}</text>
            {row.map((i, place) => i === own ? (
              <rect key={i} data-node={i} x={start + place * step - 7} y={r * rowHeight + 9} width={14} height={14} class="own"><title>{nodeText(l, i)}</title></rect>
            ) : (
              <circle key={i} data-node={i} r={i === chosen ? radius + 2 : radius} cx={start + place * step} cy={r * rowHeight + 16}
                class={`${l.nodes.holds[i] ? "holds" : "breaks"}${l.nodes.minimal[i] ? " minimal" : ""}${i === chosen ? " point on" : ""}`}>
                <title>{nodeText(l, i)}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

function ByHeight({ l, shown }: { l: LatticeShape; shown: Int32Array }) {
  const most = Math.max(...l.nodes.height) + 1;
  const total = new Float64Array(most), holding = new Float64Array(most);
  for (const i of shown) {
    total[l.nodes.height[i]]++;
    holding[l.nodes.height[i]] += l.nodes.holds[i];
  }
  const largest = Math.max(1, ...total);
  const W = 760, rowHeight = 20, L = 36;
  return (
    <>
      <p class="soft small">{T.explore.latticeSummary}</p>
      <svg class="plot" viewBox={`0 0 ${W} ${most * rowHeight}`} role="img" aria-label={T.explore.latticeSummary}>
        {[...total].map((n, h) => (
          <g key={h}>
            <text x={4} y={(most - 1 - h) * rowHeight + 14}>{h}</text>
            <rect class="breaks" x={L} y={(most - 1 - h) * rowHeight + 3} height={14} width={((W - L - 140) * n) / largest} />
            <rect class="holds" x={L} y={(most - 1 - h) * rowHeight + 3} height={14} width={((W - L - 140) * holding[h]) / largest} />
            <text x={L + ((W - L - 140) * n) / largest + 8} y={(most - 1 - h) * rowHeight + 14}>{count(holding[h])} / {count(n)}</text>
          </g>
        ))}
      </svg>
    </>
  );
}

/* The best ones that hold, in their order; of equal ones those that come first. */
function bestOf(l: LatticeShape, shown: Int32Array, sign: number): number[] {
  const cost = (i: number): number => sign * l.nodes.utility[i];
  const best: number[] = [];
  for (const i of shown) {
    if (!l.nodes.holds[i]) continue;
    let place = best.length;
    while (place > 0 && cost(i) < cost(best[place - 1])) place--;
    if (place === MOST_LISTED) continue;
    best.splice(place, 0, i);
    if (best.length > MOST_LISTED) best.pop();
  }
  return best;
}

/* The node with these levels, or -1. */
function nodeAt(l: LatticeShape, node: { [c: string]: number }): number {
  const wanted = l.columns.map((c) => node[c]);
  const n = l.nodes.height.length;
  for (let i = 0; i < n; i++) {
    let same = true;
    for (let j = 0; j < wanted.length && same; j++) same = l.nodes.levels[j][i] === wanted[j];
    if (same) return i;
  }
  return -1;
}

function BestList({ l, shown, higherIsBetter, onUse, chosen, onChoose }: { l: LatticeShape; shown: Int32Array; higherIsBetter: boolean; onUse(i: number): void; chosen: number; onChoose(i: number): void }) {
  const best = useMemo(() => {
    return bestOf(l, shown, higherIsBetter ? -1 : 1);
  }, [l, shown, higherIsBetter]);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={T.explore.latticeList} style={{ maxHeight: "340px" }}>
      <table>
        <thead><tr>{l.columns.map((c) => <th key={c} scope="col" class="num"><Value text={c} /></th>)}<th scope="col" class="num">{l.measure}</th><th scope="col" class="num">{T.explore.suppressed}</th><th scope="col" class="num">{T.explore.classes}</th><td /></tr></thead>
        <tbody>
          {best.map((i) => (
            <tr key={i} class={i === chosen ? "l1" : undefined} onClick={() => onChoose(i)}>
              {l.columns.map((c, j) => <td key={c} class="num">{l.nodes.levels[j][i]}</td>)}
              <td class="num">{l.nodes.utility[i] <= 1 ? percent(l.nodes.utility[i]) : figure(l.nodes.utility[i])}</td>
              <td class="num">{count(l.nodes.suppressed[i])}</td><td class="num">{count(l.nodes.classes[i])}</td>
              <td><button class="small" aria-label={`${T.explore.useNode}: ${nodeText(l, i)}`} onClick={() => onUse(i)}>{T.explore.useNode}</button></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function jobOfNode(l: LatticeShape, i: number): Job {
  const { doc, catalogue } = studio.get();
  let job: Job = withMethod(catalogue!, doc.job, quickMethod(catalogue!) ?? "mingen");
  l.columns.forEach((c, j) => { job = withAttribute(job, c, { level: String(l.nodes.levels[j][i]) }); });
  return job;
}

function ChosenNode({ l, i, doc }: { l: LatticeShape; i: number; doc: Doc }) {
  const job = jobOfNode(l, i);
  return (
    <Card title={<Value text={nodeText(l, i)} />} actions={<button class="primary" disabled={!l.nodes.holds[i]} onClick={() => changeJob(job)}>{T.explore.useNode}</button>}>
      <PreviewTable key={i} doc={doc} job={jobForRun({ ...doc, job }, {})} filters={Object.keys(T.explore.filters)} />
    </Card>
  );
}

export function Lattice() {
  const doc = useStudio((s) => s.doc);
  const catalogue = useStudio((s) => s.catalogue)!;
  const [wanted, setWanted] = useState<string[]>([]);
  const [chosen, setChosen] = useState(-1);
  const asked = useAsk<LatticeShape>(JSON.stringify([doc.job, filesKey(doc)]), async (signal) => {
    const { effort: _e, method: _m, ...job } = onlyKeysOf(catalogue, "lattice", jobForRun(doc, {}));
    return (await engines.beside().run("lattice", job, { signal, files: doc.files, shape: "lattice" })).result;
  });
  const l = asked.value;
  const shown = useMemo(() => (l ? matching(l, l.columns.map((_, j) => wanted[j] ?? "")) : new Int32Array()), [l, wanted]);
  const node = useStudio((s) => s.answer.result?.node as { [c: string]: number } | null | undefined);
  const own = useMemo(() => (l && node ? nodeAt(l, node) : -1), [l, node]);
  const measure = Object.values(catalogue.measures).find((m) => m.result === l?.measure);
  return (
    <>
    <Card>
      {asked.busy && <Working />}
      {asked.error && <ErrorNote error={asked.error} />}
      {l && (
        <>
          <p><strong>{T.explore.latticeHolding(l.holding, l.total)}</strong></p>
          <p class="soft small">{T.explore.latticeIntro}</p>
          <div class="row">
            {l.columns.map((c, j) => (
              <Choice key={c} label={c} value={wanted[j] ?? ""} onChange={(v) => setWanted(l.columns.map((_, k) => (k === j ? v : wanted[k] ?? "")))}
                choices={[["", T.explore.anyLevel], ...Array.from({ length: l.heights[j] + 1 }, (_, n): [string, string] => [String(n), T.explore.level(n)])]} />
            ))}
          </div>
          {shown.length <= MOST_DOTS ? <Dots l={l} shown={shown} chosen={chosen} own={own} onChoose={setChosen} /> : <ByHeight l={l} shown={shown} />}
          <h2 class="minor">{T.explore.latticeList}</h2>
          <Later><BestList l={l} shown={shown} higherIsBetter={measure?.higher_is_better ?? true} chosen={chosen} onChoose={setChosen} onUse={(i) => changeJob(jobOfNode(l, i))} /></Later>
        </>
      )}
    </Card>
    {l && chosen >= 0 && chosen < l.nodes.height.length && <ChosenNode l={l} i={chosen} doc={doc} />}
    </>
  );
}

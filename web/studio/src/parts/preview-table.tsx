/* Rows before and in the release, side by side, a window at a time; cells are coloured by level. */
import { useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { useAsk } from "../state/ask.ts";
import { useStudio } from "../state/studio.ts";
import { filesKey, jobForRun } from "../state/job.ts";
import type { Doc } from "../state/job.ts";
import type { Job } from "../engine/types.ts";
import { Choice, ErrorNote, Value, Working } from "./basics.tsx";
import { count } from "./format.ts";
import { T } from "../texts.en.ts";

const WINDOW = 50;
/* The library works out the release for every window it is asked for: few large ones are asked for. */
const FETCHED = 250;

function cellClass(level: number | null | undefined, height: number): string {
  if (level === null || level === undefined) return "cell l2";
  if (level === 0) return "cell";
  return level >= height ? "cell ltop" : `cell l${Math.min(level, 4)}`;
}

function cellTitle(level: number | null | undefined, height: number): string {
  if (level === null || level === undefined) return "";
  return level === 0 ? T.explore.unchanged : level >= height ? T.explore.top : T.explore.level(level);
}

export function Legend() {
  return (
    <div class="legend">
      <span><i />{T.explore.unchanged}</span>
      {[1, 2, 3].map((n) => <span key={n}><i class={`l${n}`} />{T.explore.level(n)}</span>)}
      <span><i class="ltop" />{T.explore.top}</span>
    </div>
  );
}

function PreviewRows({ preview, sideBySide }: { preview: any; sideBySide: boolean }) {
  const columns: any[] = preview.columns ?? [];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={T.explore.previewIntro} style={{ maxHeight: "60vh" }}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="num">{T.explore.row}</th>
            <th scope="col" class="num">{T.explore.classSize}</th>
            {columns.map((c) => <th scope="col" key={`b${c.column}`}><Value text={c.column} /></th>)}
            {sideBySide && columns.map((c) => <th scope="col" key={`a${c.column}`}><span class="hidden">{T.explore.after} </span>→ <Value text={c.column} /></th>)}
          </tr>
        </thead>
        <tbody>
          {preview.window.map((r: any) => (
            <tr key={r.row}>
              <th scope="row" class="num">{count(r.row)}</th>
              <td class="num soft">{sideBySide ? `${count(r.size_before)} → ${r.suppressed && !r.size ? "–" : count(r.size)}` : count(r.size_before)}</td>
              {columns.map((c, i) => <td class="cell" key={`b${c.column}`}><Value text={r.before[i]} /></td>)}
              {sideBySide && columns.map((c, i) => (
                <td key={`a${c.column}`} class={cellClass(r.level?.[i], c.height)} title={cellTitle(r.level?.[i], c.height)}><Value text={r.after?.[i] ?? "–"} /></td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/* Raw cells are on show here and nowhere else: they never go into a result. */
export function PreviewTable({ doc, job, filters, sideBySide = true }: { doc: Doc; job: Job; filters: string[]; sideBySide?: boolean }) {
  const [show, setShow] = useState(filters[0]);
  const [first, setFirst] = useState(1);
  const from = first - ((first - 1) % FETCHED);
  const question = { ...job, window: `${from},${FETCHED}`, show };
  const asked = useAsk(JSON.stringify([question, filesKey(doc)]), async (signal) =>
    (await engines.beside().run("preview", question, { signal, files: doc.files })).result);
  const p = asked.value && { ...asked.value, window: asked.value.window.slice(first - from, first - from + WINDOW) };
  const last = p ? first + p.window.length - 1 : 0;
  return (
    <>
      <div class="row">
        {filters.length > 1 && <Choice label={T.explore.show} value={show} onChange={(v) => { setShow(v); setFirst(1); }} choices={filters.map((f) => [f, T.explore.filters[f]])} />}
        {sideBySide && <Legend />}
      </div>
      {asked.busy && <Working />}
      {asked.error && <ErrorNote error={asked.error} />}
      {p?.error && sideBySide && <ErrorNote error={{ status: 1, ...p.error }} />}
      {p && <PreviewRows preview={p} sideBySide={sideBySide} />}
      {p && (
        <div class="row">
          <span class="soft small">{T.explore.rowsOf(p.window.length ? first : 0, last, p.matching)}</span>
          <span class="spring" />
          <button class="small" disabled={first === 1} onClick={() => setFirst(Math.max(1, first - WINDOW))}>{T.explore.less}</button>
          <button class="small" disabled={last >= p.matching} onClick={() => setFirst(first + WINDOW)}>{T.explore.more}</button>
        </div>
      )}
    </>
  );
}

export function BreakingRows() {
  const doc = useStudio((s) => s.doc);
  return <PreviewTable doc={doc} job={jobForRun(doc, {})} filters={["breaking"]} sideBySide={false} />;
}

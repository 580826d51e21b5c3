/* Rows by the size of their class, before and in the release. */
import { count } from "./format.ts";
import { T } from "../texts.en.ts";

interface Bin { from: number; to: number; classes: number; rows: number }

function label(b: Bin): string {
  return b.from === b.to ? String(b.from) : b.to ? `${b.from}–${b.to}` : `≥ ${b.from}`;
}

export function SizesPlot({ sizes, threshold }: { sizes: { before: Bin[]; after: Bin[] }; threshold?: number }) {
  const { before, after } = sizes;
  const most = Math.max(1, ...before.map((b) => b.rows), ...after.map((b) => b.rows));
  const width = 720, rowHeight = 34, left = 90, right = 90;
  const height = before.length * rowHeight + 8;
  const scale = (n: number) => ((width - left - right) * n) / most;
  const summary = before.map((b, i) => `${label(b)}: ${count(b.rows)} → ${count(after[i]?.rows)}`).join("; ");
  return (
    <figure>
      <svg class="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${T.explore.sizesIntro} ${summary}`}>
        {before.map((b, i) => (
          <g key={b.from} transform={`translate(0 ${i * rowHeight + 4})`}>
            <text x={left - 10} y={19} text-anchor="end">{label(b)}</text>
            <rect class="before" x={left} y={2} height={11} width={scale(b.rows)} rx={2} />
            <rect class="after" x={left} y={15} height={11} width={scale(after[i]?.rows ?? 0)} rx={2} />
            <text x={left + scale(Math.max(b.rows, after[i]?.rows ?? 0)) + 8} y={19}>{count(b.rows)} → {count(after[i]?.rows ?? 0)}</text>
            {threshold !== undefined && b.from >= threshold && (i === 0 || before[i - 1].from < threshold) && <line class="bound" x1={left - 80} x2={width} y1={-2} y2={-2} />}
          </g>
        ))}
      </svg>
      <figcaption class="legend"><span><i style={{ background: "var(--plot-3)" }} />{T.explore.before}</span><span><i style={{ background: "var(--plot-1)" }} />{T.explore.after}</span></figcaption>
    </figure>
  );
}

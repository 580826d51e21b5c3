/* How often values occur before and in the release, column by column. */
import { useStudio } from "../state/studio.ts";
import { Card, Value } from "./basics.tsx";
import { count, percent } from "./format.ts";
import { T } from "../texts.en.ts";

const MOST_GROUPS = 24;

function Bars({ column }: { column: any }) {
  const groups: any[] = column.distribution?.groups ?? [];
  const shown = groups.slice(0, MOST_GROUPS);
  const most = Math.max(1, ...shown.map((g) => Math.max(g.before, g.after)));
  return (
    <table>
      <thead><tr><th scope="col">{T.explore.value}</th><td /><th scope="col" class="num">{T.explore.before}</th><th scope="col" class="num">{T.explore.after}</th></tr></thead>
      <tbody>
        {shown.map((g) => (
          <tr key={g.value}>
            <th scope="row" class="small"><Value text={g.value} /></th>
            <td style={{ width: "45%" }} aria-hidden="true">
              <svg class="plot" viewBox="0 0 200 14" preserveAspectRatio="none"><rect class="before" x="0" y="1" height="5" width={(200 * g.before) / most} /><rect class="after" x="0" y="8" height="5" width={(200 * g.after) / most} /></svg>
            </td>
            <td class="num small">{count(g.before)}</td><td class="num small">{count(g.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Distributions() {
  const columns: any[] = useStudio((s) => s.answer.result?.figures?.columns) ?? [];
  if (columns.length === 0) return <p class="soft">{T.whatif.none}</p>;
  return (
    <>
      <p class="intro small">{T.explore.columnsIntro}</p>
      <div class="grid2">
        {columns.map((c) => (
          <Card key={c.column} title={<Value text={c.column} />} actions={<span class="tag">{percent(c.precision ?? 1 - c.loss)}</span>}>
            <Bars column={c} />
            <p class="soft small">{T.explore.coarser(c.distribution?.coarser ?? 0)}</p>
          </Card>
        ))}
      </div>
    </>
  );
}

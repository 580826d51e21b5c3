/* Explore: other releases of the same table, and this one from all sides. */
import { useState } from "preact/hooks";
import { Card, Tabs } from "../parts/basics.tsx";
import { Plane } from "../parts/plane.tsx";
import { Lattice } from "../parts/lattice.tsx";
import { Distributions } from "../parts/distributions.tsx";
import { Outsider } from "../parts/outsider.tsx";
import { PreviewTable } from "../parts/preview-table.tsx";
import { SizesPlot } from "../parts/sizes-plot.tsx";
import { jobForRun, spendsEpsilon } from "../state/job.ts";
import { useStudio } from "../state/studio.ts";
import { T } from "../texts.en.ts";

type Tab = keyof typeof T.explore.tabs;

function Sizes() {
  const figures = useStudio((s) => s.answer.result?.figures);
  if (!figures?.class_sizes) return <p class="soft">{T.whatif.none}</p>;
  return <Card><p class="soft small">{T.explore.sizesIntro}</p><SizesPlot sizes={figures.class_sizes} threshold={figures.threshold} /></Card>;
}

function BeforeAfter() {
  const doc = useStudio((s) => s.doc);
  return (
    <Card>
      <p class="soft small">{T.explore.previewIntro}</p>
      <PreviewTable doc={doc} job={jobForRun(doc, {})} filters={Object.keys(T.explore.filters)} />
    </Card>
  );
}

const BODIES: { [K in Tab]: () => any } = { plane: Plane, lattice: Lattice, preview: BeforeAfter, sizes: Sizes, columns: Distributions, outsider: Outsider };

export function ExploreScreen() {
  const [tab, setTab] = useState<Tab>("plane");
  const once = useStudio((s) => spendsEpsilon(s.doc));
  const Body = BODIES[tab];
  if (once) return <><h1>{T.explore.heading}</h1><p class="note">{T.answer.once}</p></>;
  return (
    <>
      <h1>{T.explore.heading}</h1>
      <Tabs<Tab> label={T.explore.heading} tabs={Object.entries(T.explore.tabs) as [Tab, string][]} value={tab} onChange={setTab} />
      <div class="panel" role="tabpanel" aria-label={T.explore.tabs[tab]}><Body /></div>
    </>
  );
}

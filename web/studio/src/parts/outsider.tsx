/* The attack of a chosen outsider, who knows some facts about one person: linked with the table as
 * it is and with the release, by the library's attack. */
import { useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { useAsk } from "../state/ask.ts";
import { useStudio } from "../state/studio.ts";
import { columnsOfRole, filesKey, jobForRun } from "../state/job.ts";
import type { Doc } from "../state/job.ts";
import type { Job } from "../engine/types.ts";
import { Card, ErrorNote, Field, TextInput, Value, Working } from "./basics.tsx";
import { bytesOf } from "./download.ts";
import { count, percent } from "./format.ts";
import { T } from "../texts.en.ts";

type Facts = { [column: string]: string };

function quoted(value: string): string {
  return `"${value.replace(/"/g, '""')}"`;
}

function personFile(facts: Facts): Uint8Array {
  const names = Object.keys(facts);
  return bytesOf(`${names.map(quoted).join(",")}\n${names.map((n) => quoted(facts[n])).join(",")}\n`);
}

/* What the outsider knows are the quasi-identifiers; hierarchies are those that the release has. */
function attackJob(doc: Doc, facts: Facts, hierarchies: any): Job {
  const attributes: { [c: string]: Job } = {};
  for (const column of Object.keys(facts)) {
    const resolved = hierarchies?.[column]?.resolved;
    attributes[column] = { role: "quasi", ...(resolved ? { hierarchy: resolved } : {}) };
  }
  for (const column of columnsOfRole(doc.job, "sensitive")) attributes[column] = { role: "sensitive" };
  return { attributes, external: "memory:person.csv" };
}

function matched(result: any): number {
  return Number(Object.keys(result?.matched ?? {})[0] ?? 0);
}

async function attackBoth(doc: Doc, facts: Facts, answer: any, signal: AbortSignal): Promise<{ before: any; after: any }> {
  const job = attackJob(doc, facts, answer.hierarchies);
  const files = { ...doc.files, "person.csv": personFile(facts) };
  const before = (await engines.beside().run("attack", job, { signal, files })).result;
  await engines.openRelease(doc, signal);
  const after = (await engines.release.run("attack", job, { signal, files })).result;
  return { before, after };
}

function Learns({ result }: { result: any }) {
  const list = Object.entries(result?.inference ?? {}) as [string, any][];
  if (list.length === 0) return null;
  return (
    <>
      <h2 class="minor">{T.explore.learns}</h2>
      <ul>
        {list.map(([column, i]) => (
          <li key={column}><Value text={column} />: {result.disclosed?.[column] > 0 ? <span class="tag bad">{T.explore.certain}</span> : T.explore.upTo(percent(i.after))}</li>
        ))}
      </ul>
    </>
  );
}

export function Outsider() {
  const doc = useStudio((s) => s.doc);
  const answer = useStudio((s) => s.answer);
  const [row, setRow] = useState(1);
  const [unknown, setUnknown] = useState<{ [c: string]: boolean }>({});
  const quasi = columnsOfRole(doc.job, "quasi");
  const person = useAsk(JSON.stringify([row, quasi]), async (signal) =>
    (await engines.beside().run("preview", { ...jobForRun(doc, {}), window: `${row},1`, show: "all" }, { signal, files: doc.files })).result);
  const names: string[] = (person.value?.columns ?? []).map((c: any) => c.column);
  const values: string[] = person.value?.window?.[0]?.before ?? [];
  const facts: Facts = {};
  names.forEach((n, i) => { if (!unknown[n]) facts[n] = values[i]; });
  const ready = answer.result && answer.doc === doc && !answer.busy && Object.keys(facts).length > 0;
  const attack = useAsk(ready ? JSON.stringify([facts, doc.job, filesKey(doc)]) : null, (signal) => attackBoth(doc, facts, answer.result, signal));
  return (
    <Card>
      <p class="soft">{T.explore.outsiderIntro}</p>
      {person.error && <ErrorNote error={person.error} />}
      <Field label={T.explore.takeRow}>
        {(id) => <TextInput id={id} type="number" min={1} value={String(row)} onCommit={(v) => setRow(Math.min(Math.max(1, Math.floor(Number(v)) || 1), answer.result?.rows ?? 1))} />}
      </Field>
      <fieldset>
        <legend class="soft small">{T.explore.knows}</legend>
        <div class="grid3">
          {names.map((n, i) => (
            <label key={n} class="row tight">
              <input type="checkbox" checked={!unknown[n]} onChange={(e) => setUnknown({ ...unknown, [n]: !e.currentTarget.checked })} />
              <span><Value text={n} />: <strong><Value text={unknown[n] ? T.explore.any : values[i]} /></strong></span>
            </label>
          ))}
        </div>
      </fieldset>
      {(attack.busy || person.busy || answer.busy) && <Working />}
      {attack.error && <ErrorNote error={attack.error} />}
      <div aria-live="polite">
        {attack.value && (
          <>
            <p class="verdict">{T.explore.matches(matched(attack.value.before), matched(attack.value.after))}</p>
            <div class="meter" aria-hidden="true"><i style={{ width: `${100 / Math.max(1, matched(attack.value.after))}%` }} /></div>
            <p class="soft small">{count(matched(attack.value.before))} → {count(matched(attack.value.after))}</p>
            <Learns result={attack.value.after} />
          </>
        )}
      </div>
    </Card>
  );
}

/* Hierarchies: how each quasi-identifier becomes coarser. */
import { useRef, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { asError, isCancelled } from "../engine/types.ts";
import { useAsk } from "../state/ask.ts";
import { change, changeJob, notify, studio, useStudio } from "../state/studio.ts";
import { attribute, columnsOfRole, filesKey, freeName, jobForRun, withAttribute } from "../state/job.ts";
import type { Job } from "../engine/types.ts";
import { treeFile } from "../state/tree.ts";
import type { TreeNode } from "../state/tree.ts";
import { Card, Choice, ErrorNote, Field, TextInput, Value, Worded, Working } from "../parts/basics.tsx";
import { Tree } from "../parts/tree-editor.tsx";
import { bytesOf, download } from "../parts/download.ts";
import { count, percent } from "../parts/format.ts";
import { T } from "../texts.en.ts";

function setHierarchy(column: string, hierarchy: string | undefined): void {
  changeJob(withAttribute(studio.get().doc.job, column, { hierarchy, level: undefined }));
}

/* A file for a column: it joins the job's files, and the column is generalized by it. */
function useFile(column: string, name: string, data: Uint8Array): void {
  const { doc } = studio.get();
  /* Another edit of the same tree takes the place of the last one; undo still has that. */
  const free = attribute(doc.job, column).hierarchy === name ? name : freeName(doc.files, name);
  change({ job: withAttribute(doc.job, column, { hierarchy: free, level: undefined }), files: { ...doc.files, [free]: data } });
}

/* The job of a question about one column's hierarchy. */
function hierarchyJob(column: string): Job {
  const { doc } = studio.get();
  const { hierarchy, kind } = attribute(jobForRun(doc, {}), column);
  return { attributes: { [column]: { role: "quasi", ...(hierarchy ? { hierarchy } : {}), ...(kind ? { kind } : {}) } } };
}

const NUMBERS = /^(intervals|cuts|top|bottom)\(([\d.,\s-]+)\)$/;

/* Widths and cut points one by one. */
function Numbers({ column, builder }: { column: string; builder: string }) {
  const found = NUMBERS.exec(builder);
  if (!found) return null;
  const [, name, list] = found;
  const numbers = list.split(",").map((n) => n.trim());
  const put = (ns: string[]) => setHierarchy(column, `${name}(${ns.filter((n) => n !== "").join(",")})`);
  const last = Number(numbers[numbers.length - 1]);
  return (
    <fieldset class="field">
      <legend class="soft small">{name === "intervals" ? T.hierarchies.widths : T.hierarchies.cuts}</legend>
      <div class="row tight">
        {numbers.map((n, i) => (
          <TextInput key={`${i}-${n}`} type="number" step="any" class="short" label={`${name} ${i + 1}`} value={n}
            onCommit={(v) => put(numbers.map((m, j) => (j === i ? v : m)))} />
        ))}
        <button class="small" onClick={() => put([...numbers, String(name === "intervals" ? 2 * last : last + 10)])}>{T.hierarchies.add}</button>
      </div>
    </fieldset>
  );
}

function BuilderInput({ column, builder, suggestion }: { column: string; builder: string; suggestion: any }) {
  const catalogue = useStudio((s) => s.catalogue)!;
  const [text, setText] = useState(builder);
  return (
    <>
      <Field label={T.hierarchies.builder} help={T.hierarchies.builderHelp}>
        {(id, by) => (
          <div class="row tight">
            <input id={id} aria-describedby={by} type="text" class="mono" style={{ flex: 1, minWidth: "200px" }} value={text} list="builders" spellcheck={false}
              onInput={(e) => setText(e.currentTarget.value)} onKeyDown={(e) => e.key === "Enter" && setHierarchy(column, text || undefined)} />
            <button onClick={() => setHierarchy(column, text || undefined)} disabled={text === builder}>{T.hierarchies.apply}</button>
          </div>
        )}
      </Field>
      <datalist id="builders">{Object.values(catalogue.builders).map((b) => <option key={b.syntax} value={b.syntax}>{b.help}</option>)}</datalist>
      {suggestion && (
        <div class="row tight small">
          <span class="soft">{T.hierarchies.propose}:</span>
          <button class="small" onClick={() => { setText(suggestion.builder); setHierarchy(column, suggestion.builder); }}><code>{suggestion.builder}</code></button>
          <span class="soft"><Worded text={suggestion.reason ?? ""} />{suggestion.alternatives && <>; <Worded text={suggestion.alternatives} /></>}</span>
        </div>
      )}
      <details>
        <summary>{T.hierarchies.other}</summary>
        <ul class="small">{Object.entries(catalogue.builders).map(([name, b]) => <li key={name}><button class="plain small" onClick={() => setText(b.syntax)}><code>{b.syntax}</code></button> <Worded text={b.help} /></li>)}</ul>
      </details>
    </>
  );
}

function Levels({ column, levels }: { column: string; levels: number[] }) {
  const figures = useStudio((s) => s.answer.result?.figures?.columns as any[] | undefined)?.find((c) => c.column === column);
  const rows: number[] = figures?.rows_at_level ?? [];
  const most = Math.max(1, ...rows);
  return (
    <>
      {figures && <p>{T.hierarchies.used(percent(figures.precision ?? 1 - figures.loss))}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={T.hierarchies.levels}><table>
        <thead><tr><th scope="col">{T.hierarchies.levelHead}</th><th scope="col" class="num">{T.hierarchies.valuesHead}</th><th scope="col" class="wrap">{T.hierarchies.atLevel}</th></tr></thead>
        <tbody>
          {levels.map((n, i) => (
            <tr key={i}><th scope="row">{i}</th><td class="num">{count(n)}</td>
              <td><div class="row tight"><span class="tree" style={{ border: 0, padding: 0 }}><span class="bar" style={{ width: `${(110 * (rows[i] ?? 0)) / most}px` }} /></span><span class="small soft">{count(rows[i])}</span></div></td></tr>
          ))}
        </tbody>
      </table></div>
    </>
  );
}

function Editor({ column }: { column: string }) {
  const doc = useStudio((s) => s.doc);
  const [byHand, setByHand] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const builder = String(attribute(doc.job, column).hierarchy ?? "");
  const shown = useAsk(JSON.stringify([column, builder, filesKey(doc)]), async (signal) =>
    (await engines.beside().run("hierarchy tree", hierarchyJob(column), { signal, files: doc.files })).result.hierarchies.find((h: any) => h.column === column), 60);
  const suggested = useAsk(column, async (signal) =>
    (await engines.beside().run("hierarchy suggest", { attributes: { [column]: { role: "quasi" } } }, { signal })).result.hierarchies.find((h: any) => h.column === column));
  /* A tree that the library refuses does not take the place of the one that it took. */
  const taken = useRef<any>(null);
  taken.current = shown.value ?? taken.current;
  const h = taken.current;
  const edit = (tree: TreeNode) => useFile(column, freeName({}, `${column}.tree.json`), bytesOf(treeFile(tree)));
  const saveFile = async () => {
    try {
      const { files } = await engines.beside().run("hierarchy build", { ...hierarchyJob(column), output: "memory:hierarchy.csv" }, { files: doc.files });
      await download(freeName({}, `${column}.hierarchy.csv`), files["hierarchy.csv"], "text/csv");
    } catch (e) {
      if (!isCancelled(e)) notify(asError(e).message);
    }
  };
  const readFile = async (file: File | undefined) => { if (file) useFile(column, file.name, new Uint8Array(await file.arrayBuffer())); };
  return (
    <>
      <Card title={<Value text={column} />} actions={<>
        <button class="small" onClick={() => input.current?.click()}>{T.hierarchies.fileIn}</button>
        <button class="small" onClick={() => void saveFile()}>{T.hierarchies.fileOut}</button>
        <input ref={input} type="file" class="hidden" tabIndex={-1} aria-label={T.hierarchies.fileIn} onChange={(e) => { void readFile(e.currentTarget.files?.[0]); e.currentTarget.value = ""; }} />
      </>}>
        <BuilderInput key={builder} column={column} builder={builder} suggestion={suggested.value} />
        <Numbers column={column} builder={builder} />
      </Card>
      {shown.busy && <Working />}
      {shown.error && <ErrorNote error={shown.error} />}
      {h && (
        <div class="grid2">
          <Card title={T.hierarchies.tree} actions={<label class="row tight small"><input type="checkbox" checked={byHand} onChange={(e) => setByHand(e.currentTarget.checked)} />{T.hierarchies.editTree}</label>}>
            {byHand && <p class="soft small">{T.hierarchies.editing}</p>}
            <Tree tree={h.tree} onChange={byHand ? edit : null} />
          </Card>
          <Card title={T.hierarchies.levels}><Levels column={column} levels={h.levels ?? []} /></Card>
        </div>
      )}
    </>
  );
}

export function HierarchiesScreen() {
  const job = useStudio((s) => s.doc.job);
  const chosen = useStudio((s) => s.hierarchyColumn);
  const quasi = columnsOfRole(job, "quasi");
  const column = chosen !== null && quasi.includes(chosen) ? chosen : quasi[0];
  return (
    <>
      <h1>{T.hierarchies.heading}</h1>
      <p class="intro">{T.hierarchies.intro}</p>
      {column === undefined ? <p class="note">{T.hierarchies.none}</p> : (
        <>
          <Choice label={T.hierarchies.column} value={column} onChange={(c) => studio.set({ hierarchyColumn: c })} choices={quasi.map((c) => [c, c])} />
          <Editor key={column} column={column} />
        </>
      )}
    </>
  );
}

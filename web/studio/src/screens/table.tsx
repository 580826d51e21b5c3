/* The table: how it was read, what is in it. */
import { Card, Choice, ErrorNote, Field, TextInput, Value, Worded, Working } from "../parts/basics.tsx";
import { bytes, count } from "../parts/format.ts";
import { changeReading, goTo, suggestAgain, useStudio } from "../state/studio.ts";
import { MoreKeys } from "../parts/key-form.tsx";
import { READING_KEYS } from "../state/placed.ts";
import type { Job } from "../engine/types.ts";
import { T } from "../texts.en.ts";

const ENCODINGS = ["UTF-8", "windows-1252", "ISO-8859-1", "ISO-8859-15", "UTF-16", "UTF-16LE", "UTF-16BE", "CP850"];

/* The keys of reading, as a form. */
export function ReadingForm({ job, look, set }: { job: Job; look: any; set(key: string, value: unknown): void }) {
  const put = (key: string) => (v: string) => set(key, v === "" ? undefined : v);
  const auto = (found: unknown): [string, string] => ["", found === undefined ? T.table.findOut : T.table.found(String(found ?? "–"))];
  const foundDelimiter = T.table.delimiters[look?.table?.delimiter] ?? look?.table?.delimiter;
  return (
    <div class="grid3">
      <Choice label={T.table.delimiter} value={String(job.delimiter ?? "")} onChange={put("delimiter")}
        choices={[auto(foundDelimiter), ...Object.entries(T.table.delimiters)]} />
      <Choice label={T.table.encoding} value={String(job.encoding ?? "")} onChange={put("encoding")}
        choices={[auto(look?.table?.encoding), ...ENCODINGS.map((e): [string, string] => [e, e])]} />
      <Choice label={T.table.header} value={job["no-header"] ? "no" : String(job.header ?? "")}
        onChange={(v) => { set("no-header", undefined); put("header")(v); }}
        choices={[auto(look ? (look.table?.header ? T.table.headerYes : T.table.headerNo) : undefined), ["yes", T.table.headerYes], ["no", T.table.headerNo]]} />
      <Choice label={T.table.decimal} value={String(job.decimal ?? "")} onChange={put("decimal")}
        choices={[auto(look ? look.table?.decimal ?? T.table.perColumn : undefined), ...Object.entries(T.table.decimals)]} />
      <Field label={T.table.missing} help={T.table.missingHelp}>
        {(id, by) => (
          <TextInput id={id} describedBy={by} value={Array.isArray(job.missing) ? job.missing.join(",") : String(job.missing ?? "")}
            onCommit={(v) => set("missing", v === "" ? undefined : v.split(","))} />
        )}
      </Field>
    </div>
  );
}

function sameEncoding(table: any): boolean {
  return String(table.encoding).toLowerCase() === String(table.encoding_found).toLowerCase();
}

function Reading() {
  const job = useStudio((s) => s.doc.job);
  const look = useStudio((s) => s.look);
  return (
    <Card title={T.table.howRead}>
      <ReadingForm job={job} look={look} set={(key, value) => void changeReading(key, value)} />
      {look?.table?.encoding_why && <p class={sameEncoding(look.table) ? "soft small" : "note warn"}><Worded text={T.table.encodingFound(look.table.encoding_found, look.table.encoding_why)} /></p>}
      <MoreKeys title={T.keys.reading} keys={READING_KEYS} />
    </Card>
  );
}

function FirstRows() {
  const look = useStudio((s) => s.look);
  const rows: string[][] = look?.window ?? [];
  const names: string[] = (look?.columns ?? []).map((c: any) => c.column ?? c.name);
  if (rows.length === 0) return null;
  return (
    <Card title={T.table.firstRows}>
      <div class="scroll" tabIndex={0} role="region" aria-label={T.table.firstRows}>
        <table>
          <thead><tr>{names.map((n) => <th key={n} scope="col"><Value text={n} /></th>)}</tr></thead>
          <tbody>{rows.map((r, i) => <tr key={i}>{r.map((v, j) => <td class="cell" key={j}><Value text={v} /></td>)}</tr>)}</tbody>
        </table>
      </div>
    </Card>
  );
}

function Profile() {
  const advice: any[] = useStudio((s) => s.advice) ?? [];
  if (advice.length === 0) return null;
  return (
    <Card title={T.table.profile} actions={<button class="small" onClick={() => void suggestAgain()}>{T.table.suggestAgain}</button>}>
      <div class="scroll" tabIndex={0} role="region" aria-label={T.table.profile}>
        <table>
          <thead><tr>
            <th scope="col">{T.table.column}</th><th scope="col">{T.table.kind}</th><th scope="col" class="num">{T.table.distinct}</th>
            <th scope="col" class="num">{T.table.missingCells}</th><th scope="col" class="num">{T.table.alone}</th>
            <th scope="col">{T.table.proposed}</th><th scope="col">{T.table.why}</th>
          </tr></thead>
          <tbody>
            {advice.map((a) => (
              <tr key={a.column}>
                <th scope="row"><Value text={a.column} /></th><td>{a.kind}</td><td class="num">{count(a.distinct)}</td>
                <td class="num">{count(a.missing)}</td><td class="num">{count(a.alone)}</td>
                <td><span class="tag">{T.columns.roles[a.role] ?? a.role}</span></td>
                <td class="small why"><Worded text={a.reason} />{(a.hints ?? []).map((h: any, i: number) => <div key={i} class="soft"><Worded text={h.message ?? String(h)} /></div>)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

export function TableScreen() {
  const table = useStudio((s) => s.table)!;
  const look = useStudio((s) => s.look);
  const opening = useStudio((s) => s.opening);
  const error = useStudio((s) => s.openError);
  return (
    <>
      <h1>{T.table.heading}</h1>
      {opening && <Working label={T.table.reading} />}
      {error && <ErrorNote error={error} />}
      <p class="intro">{T.table.intro}</p>
      {look && <p><strong>{T.table.facts(look.rows, (look.columns ?? []).length)}</strong> <span class="soft">{bytes(table.blob.size)}</span></p>}
      <FirstRows />
      <Profile />
      <Reading />
      <div class="row"><button class="primary" onClick={() => goTo("columns")}>{T.table.next}</button></div>
    </>
  );
}

/* Forms for keys of a job, made from what the library's catalogue says about each: whatever a job
 * can say can be said here, also what no screen has a place of its own for. */
import { useRef } from "preact/hooks";
import { change, changeJob, changeReading, studio, useStudio } from "../state/studio.ts";
import { attribute, freeName, withAttribute, withKey } from "../state/job.ts";
import { standardMethod } from "../state/catalogue.ts";
import type { Catalogue, Key } from "../state/catalogue.ts";
import type { Job } from "../engine/types.ts";
import { Choice, Field, TextInput, Value } from "./basics.tsx";
import { T } from "../texts.en.ts";

/* Texts of the catalogue name keys between backquotes. */
const plain = (help: string): string => help.replace(/`/g, "");

function asList(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" && value !== "" ? value.split(",").map((v) => v.trim()) : [];
}

function columnNames(): string[] {
  return (studio.get().look?.columns ?? []).map((c: any) => c.column);
}

interface InputProps {
  label: string;
  entry: Key;
  value: unknown;
  /* undefined takes the key out */
  onChange(value: unknown): void;
  onFile(file: File): void;
}

function Flag({ label, entry, value, onChange }: InputProps) {
  return (
    <div class="field">
      <label class="row tight">
        <input type="checkbox" checked={value === true || value === "true"} onChange={(e) => onChange(e.currentTarget.checked || undefined)} />
        <span>{label}<br /><span class="soft small">{plain(entry.help)}</span></span>
      </label>
    </div>
  );
}

function Columns({ label, entry, value, onChange }: InputProps) {
  const chosen = asList(value);
  const set = (name: string, on: boolean): void => {
    const list = on ? [...chosen, name] : chosen.filter((c) => c !== name);
    onChange(list.length > 0 ? list : undefined);
  };
  return (
    <fieldset class="field">
      <legend class="soft small">{label}: {plain(entry.help)}</legend>
      <div class="row tight">
        {columnNames().map((name) => (
          <label key={name} class="row tight small"><input type="checkbox" checked={chosen.includes(name)} onChange={(e) => set(name, e.currentTarget.checked)} /><Value text={name} /></label>
        ))}
      </div>
    </fieldset>
  );
}

function FileInput({ label, entry, value, onChange, onFile }: InputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Field label={label} help={plain(entry.help)}>
      {(id, by) => (
        <div class="row tight">
          <TextInput id={id} describedBy={by} placeholder={entry.syntax} value={asList(value).join(", ")}
            onCommit={(v) => onChange(v === "" ? undefined : entry.list ? asList(v) : v)} />
          <button class="small" aria-label={`${T.keys.file}: ${label}`} onClick={() => input.current?.click()}>{T.keys.file}</button>
          <input ref={input} type="file" class="hidden" tabIndex={-1} aria-label={`${T.keys.file}: ${label}`} data-key={label}
            onChange={(e) => { const file = e.currentTarget.files?.[0]; if (file) onFile(file); e.currentTarget.value = ""; }} />
        </div>
      )}
    </Field>
  );
}

function choicesOf(entry: Key, catalogue: Catalogue): string[] | null {
  if (entry.choices) return entry.choices;
  if (entry.list) return null;
  if (entry.names === "columns") return columnNames();
  return entry.names === "measures" || entry.names === "methods" ? Object.keys(catalogue[entry.names]) : null;
}

function KeyInput(props: InputProps) {
  const catalogue = useStudio((s) => s.catalogue)!;
  const { label, entry, value, onChange } = props;
  if (entry.value === "flag") return <Flag {...props} />;
  if (entry.file === "read" && entry.value === "file") return <FileInput {...props} />;
  if (entry.list && entry.names === "columns") return <Columns {...props} />;
  const choices = choicesOf(entry, catalogue);
  if (choices)
    return (
      <Choice label={label} help={plain(entry.help)} value={String(value ?? "")} onChange={(v) => onChange(v || undefined)}
        choices={[["", entry.default ? T.keys.standard(entry.default) : T.keys.none], ...choices.map((c): [string, string] => [c, c])]} />
    );
  const number = (entry.value === "whole" || entry.value === "number") && !entry.list;
  return (
    <Field label={label} help={plain(entry.help)}>
      {(id, by) => (
        <TextInput id={id} describedBy={by} type={number ? "number" : "text"} placeholder={entry.default ?? entry.syntax.replace(/^COLUMN=/, "")}
          min={entry.min ?? undefined} max={entry.max ?? undefined} step={entry.value === "whole" ? 1 : "any"}
          value={Array.isArray(value) ? value.join(", ") : String(value ?? "")}
          onCommit={(v) => onChange(v === "" ? undefined : number ? Number(v) : entry.list ? asList(v) : v)} />
      )}
    </Field>
  );
}

async function takeFile(file: File, put: (job: Job, name: string) => Job): Promise<void> {
  const data = new Uint8Array(await file.arrayBuffer());
  const { doc } = studio.get();
  const name = freeName(doc.files, file.name);
  change({ job: put(doc.job, name), files: { ...doc.files, [name]: data } });
}

function JobKey({ name }: { name: string }) {
  const job = useStudio((s) => s.doc.job);
  const entry = useStudio((s) => s.catalogue)!.keys[name];
  return (
    <KeyInput label={name} entry={entry} value={job[name]} onChange={(v) => void changeReading(name, v)}
      onFile={(f) => void takeFile(f, (j, n) => withKey(j, name, entry.list ? [...asList(j[name]), n] : n))} />
  );
}

/* The method of the job has a use for it. */
function fits(catalogue: Catalogue, job: Job, entry: Key): boolean {
  const method = String(job.method ?? standardMethod(catalogue));
  return entry.commands.includes("anonymize") && (entry.methods === null || entry.methods.includes(method));
}

export function MoreKeys({ title, keys }: { title: string; keys: string[] }) {
  const catalogue = useStudio((s) => s.catalogue)!;
  const job = useStudio((s) => s.doc.job);
  const shown = keys.filter((k) => catalogue.keys[k] && (k in job || fits(catalogue, job, catalogue.keys[k])));
  if (shown.length === 0) return null;
  return (
    <details class="more" data-more={title}>
      <summary>{title}{shown.some((k) => k in job) && <span class="tag">{T.keys.said(shown.filter((k) => k in job).length)}</span>}</summary>
      <div class="grid3">{shown.map((k) => <JobKey key={k} name={k} />)}</div>
    </details>
  );
}

/* Keys that no screen has a place for. Where the release goes is the page's own business, and the
 * keys of roles and models have screens. */
export function otherKeys(catalogue: Catalogue, placed: string[]): string[] {
  return Object.entries(catalogue.keys)
    .filter(([name, k]) => k.where === "job" && k.field === null && k.commands.includes("anonymize") && k.file !== "written" && !k.session && !placed.includes(name))
    .map(([name]) => name);
}

/* Fields of a column besides those of its card. */
export function MoreFields({ column, role, placed }: { column: string; role: string; placed: string[] }) {
  const catalogue = useStudio((s) => s.catalogue)!;
  const job = useStudio((s) => s.doc.job);
  const said = attribute(job, column);
  const fields = Object.entries(catalogue.keys).filter(([, k]) => k.where === "column" && k.field !== null && !placed.includes(k.field) &&
    (k.field in said || (fits(catalogue, job, k) && (k.role === null || k.role === role))));
  const unique = fields.filter(([, k], i) => fields.findIndex(([, other]) => other.field === k.field) === i);
  if (unique.length === 0) return null;
  const put = (field: string) => (v: unknown) => changeJob(withAttribute(studio.get().doc.job, column, { [field]: v }));
  return (
    <details class="more wide">
      <summary class="small">{T.columns.more}{unique.some(([, k]) => k.field! in said) && <span class="tag">{T.keys.said(unique.filter(([, k]) => k.field! in said).length)}</span>}</summary>
      <div class="grid3">
        {unique.map(([, k]) => (
          <KeyInput key={k.field} label={k.field!} entry={k} value={said[k.field!]} onChange={put(k.field!)}
            onFile={(f) => void takeFile(f, (j, n) => withAttribute(j, column, { [k.field!]: n }))} />
        ))}
      </div>
    </details>
  );
}

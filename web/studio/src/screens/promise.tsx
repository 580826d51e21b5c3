/* The promise: models with sliders, each told about this table. */
import { Card, Choice, ErrorNote, Field, TextInput, Value, Worded, Working } from "../parts/basics.tsx";
import { figure, percent } from "../parts/format.ts";
import { engines } from "../engine/engines.ts";
import { useAsk } from "../state/ask.ts";
import { changeJob, studio, useStudio } from "../state/studio.ts";
import { onlyKeysOf, standardMethod, withMethod } from "../state/catalogue.ts";
import type { Parameter } from "../state/catalogue.ts";
import { columnsOfRole, filesKey, jobForRun, makeModel, modelName, modelParameters, models, withKey } from "../state/job.ts";
import type { Model } from "../state/job.ts";
import { MoreKeys, otherKeys } from "../parts/key-form.tsx";
import { PLACED, PROMISE_KEYS } from "../state/placed.ts";
import { SizesPlot } from "../parts/sizes-plot.tsx";
import { BreakingRows } from "../parts/preview-table.tsx";
import { T } from "../texts.en.ts";

function setModels(list: Model[]): void {
  changeJob(withKey(studio.get().doc.job, "privacy", list.length > 0 ? list : undefined));
}

/* Where a slider begins and ends: a bound of the library, or a range that most tables need. */
function range(p: Parameter, value: number): { min: number; max: number; step: number } {
  if (p.value === "whole") return { min: Math.max(1, p.min ?? 1), max: Math.min(p.max ?? Infinity, Math.max(30, 2 * value)), step: 1 };
  if (p.max !== null && p.max <= 1) return { min: p.min ?? 0, max: p.max, step: 0.01 };
  return { min: p.min ?? 0, max: Math.max(5, 2 * value), step: 0.1 };
}

function startOf(p: Parameter): unknown {
  if (p.choices) return p.optional ? undefined : p.choices[0];
  if (p.value === "whole") return Math.max(2, p.min ?? 2);
  return p.max !== null && p.max <= 1 ? 0.2 : 2;
}

function ParameterInput({ model, name, parameter, value, onChange }: { model: string; name: string; parameter: Parameter; value: unknown; onChange(v: unknown): void }) {
  if (parameter.choices)
    return <Choice label={name} value={String(value ?? parameter.default ?? "")} onChange={onChange} choices={parameter.choices.map((c) => [c, c])} />;
  const number = Number(value ?? 0);
  const { min, max, step } = range(parameter, number);
  const take = (text: string): void => {
    if (text !== "" && Number.isFinite(Number(text))) onChange(Number(text));
  };
  return (
    <Field label={`${name}: ${parameter.help}`}>
      {(id) => (
        <div class="slider">
          <input type="range" min={min} max={max} step={step} value={number} aria-label={T.promise.parameter(name, model)} onInput={(e) => take(e.currentTarget.value)} />
          <TextInput id={id} type="number" min={parameter.min ?? undefined} step={parameter.value === "whole" ? 1 : "any"} value={String(number)} onCommit={take} />
        </div>
      )}
    </Field>
  );
}

function about(measured: any, rows: number): string {
  if (!measured) return "";
  if (measured.model === "k-anonymity") return T.promise.kSentence(measured.parameters?.k, measured.violating_rows ?? 0, rows);
  if (measured.violating_rows > 0) return T.promise.brokenNow(measured.violating_rows, measured.violating_classes);
  return measured.holds ? T.promise.holdsNow : "";
}

function ModelEditor({ model, index, measured, rows }: { model: Model; index: number; measured: any; rows: number }) {
  const catalogue = useStudio((s) => s.catalogue)!;
  const job = useStudio((s) => s.doc.job);
  const name = modelName(model);
  const entry = catalogue.models[name];
  const names = Object.keys(entry?.parameters ?? {});
  const values = modelParameters(model, names);
  const list = models(job);
  const put = (changed: { [n: string]: unknown }) => setModels(list.map((m, i) => (i === index ? makeModel(name, { ...values, ...changed }) : m)));
  return (
    <li class="model" data-model={name}>
      <div>
        <h2 class="minor">{name}{values.attribute !== undefined && <> · <Value text={values.attribute} /></>}</h2>
        <p class="soft small"><Worded text={entry?.help ?? ""} /></p>
      </div>
      <div class="row tight">
        {measured && <span class={measured.holds ? "tag good" : "tag warn"}>{T.promise.measuredNow(figure(measured.measured))}</span>}
        <button class="small" aria-label={`${T.promise.remove}: ${name}`} onClick={() => setModels(list.filter((_, i) => i !== index))}>{T.promise.remove}</button>
      </div>
      <div class="wide grid2">
        {entry?.attribute && (
          <Choice label={T.promise.attribute} value={String(values.attribute ?? "")} onChange={(v) => put({ attribute: v })}
            choices={[...new Set([String(values.attribute ?? ""), ...columnsOfRole(job, "sensitive")])].filter(Boolean).map((c) => [c, c])} />
        )}
        {names.map((p) => <ParameterInput key={p} model={name} name={p} parameter={entry.parameters[p]} value={values[p]} onChange={(v) => put({ [p]: v })} />)}
      </div>
      {measured && <p class="wide">{about(measured, rows)}</p>}
    </li>
  );
}

function AddModel() {
  const catalogue = useStudio((s) => s.catalogue)!;
  const job = useStudio((s) => s.doc.job);
  const sensitive = columnsOfRole(job, "sensitive");
  const there = models(job).map(modelName);
  const usable = Object.entries(catalogue.models).filter(([name, m]) => (m.attribute ? sensitive.length > 0 : !there.includes(name)));
  const add = (name: string) => {
    const entry = catalogue.models[name];
    const values: { [n: string]: unknown } = entry.attribute ? { attribute: sensitive[0] } : {};
    for (const [p, parameter] of Object.entries(entry.parameters)) if (!parameter.optional) values[p] = name === "k-anonymity" ? 5 : startOf(parameter);
    setModels([...models(job), makeModel(name, values)]);
  };
  return (
    <select aria-label={T.promise.add} value="" onChange={(e) => { if (e.currentTarget.value) add(e.currentTarget.value); e.currentTarget.value = ""; }}>
      <option value="">{T.promise.add}</option>
      {usable.map(([name, m]) => <option key={name} value={name}>{`${name}: ${m.help}`}</option>)}
    </select>
  );
}

function Suppression({ rows }: { rows: number }) {
  const job = useStudio((s) => s.doc.job);
  const text = String(job.suppress ?? "0");
  const share = text.endsWith("%") ? Number(text.slice(0, -1)) : rows > 0 ? (100 * Number(text)) / rows : 0;
  const set = (p: number) => changeJob(withKey(job, "suppress", p > 0 ? `${p}%` : undefined));
  return (
    <Field label={T.promise.suppress} help={T.promise.suppressHelp(percent(share / 100), Math.floor((share / 100) * rows))}>
      {(id, by) => (
        <div class="slider">
          <input id={id} aria-describedby={by} type="range" min={0} max={Math.max(10, Math.ceil(share))} step={0.5} value={share} onInput={(e) => set(Number(e.currentTarget.value))} />
          <TextInput type="number" label={`${T.promise.suppress} (%)`} min={0} max={100} step="any" value={String(Number(share.toFixed(3)))} onCommit={(v) => set(Number(v))} />
        </div>
      )}
    </Field>
  );
}

function Searching({ rows }: { rows: number }) {
  const catalogue = useStudio((s) => s.catalogue)!;
  const job = useStudio((s) => s.doc.job);
  const method = String(job.method ?? standardMethod(catalogue));
  const entry = catalogue.methods[method];
  const set = (key: string, without: string) => (v: string) => changeJob(withKey(job, key, v === without ? undefined : v));
  const effort = entry?.keys.includes("effort");
  return (
    <Card title={T.promise.search}>
      <Suppression rows={rows} />
      <div class="grid3">
        <Choice label={T.promise.suppressed} value={String(job.suppressed ?? "keep")} onChange={set("suppressed", "keep")} choices={Object.entries(T.promise.suppressedChoices)} />
        <Choice label={T.promise.method} value={method} onChange={(m) => changeJob(withMethod(catalogue, job, m))}
          choices={Object.entries(catalogue.methods).map(([n, m]) => [n, `${n}: ${m.help}`])} />
        {effort && <Choice label={T.promise.effort} value={String(job.effort ?? "balanced")} onChange={set("effort", "balanced")} choices={Object.entries(T.promise.efforts)} />}
        <Choice label={T.promise.measure} value={String(job.utility ?? "precision")} onChange={set("utility", "precision")}
          choices={Object.entries(catalogue.measures).filter(([, m]) => m.search && !m.column).map(([n, m]) => [n, `${n}: ${m.help}`])} />
        <Choice label={T.promise.policy} help={T.promise.policies} value={String(job.policy ?? "")} onChange={set("policy", "")}
          choices={[["", T.promise.policyNone], ...Object.entries(catalogue.policies).map(([n, p]): [string, string] => [n, `${n}: ${p.when}`])]} />
      </div>
      {entry && <p class="soft small"><Worded text={`${entry.when}; ${entry.cost}`} /></p>}
      <MoreKeys title={T.keys.search} keys={otherKeys(catalogue, PLACED)} />
    </Card>
  );
}

export function PromiseScreen() {
  const doc = useStudio((s) => s.doc);
  const catalogue = useStudio((s) => s.catalogue)!;
  const answer = useStudio((s) => s.answer);
  const list = models(doc.job);
  const relevant = JSON.stringify([doc.job.attributes, doc.job.privacy, doc.job.policy, doc.job.entity, filesKey(doc)]);
  const now = useAsk(list.length > 0 ? relevant : null, async (signal) =>
    (await engines.beside().run("check", onlyKeysOf(catalogue, "check", jobForRun(doc, {})), { signal, files: doc.files })).result);
  const measuredFor = (i: number) => {
    const name = modelName(list[i]);
    const column = modelParameters(list[i], Object.keys(catalogue.models[name]?.parameters ?? {})).attribute;
    return (now.value?.models ?? []).find((m: any) => m.model === name && (column === undefined || m.parameters?.attribute === column));
  };
  const rows = now.value?.rows ?? answer.result?.rows ?? 0;
  return (
    <>
      <h1>{T.promise.heading}</h1>
      <p class="intro">{T.promise.intro}</p>
      <Card title={T.promise.list} actions={<AddModel />}>
        {list.length === 0 && <p>{T.promise.none}</p>}
        {now.error && <ErrorNote error={now.error} />}
        {now.busy && list.length > 0 && <Working />}
        <ul>{list.map((m, i) => <ModelEditor key={`${modelName(m)}${i}`} model={m} index={i} rows={rows} measured={measuredFor(i)} />)}</ul>
        <MoreKeys title={T.keys.promise} keys={PROMISE_KEYS} />
      </Card>
      <Searching rows={rows} />
      {answer.result?.figures?.class_sizes && <Card title={T.promise.classSizes}><SizesPlot sizes={answer.result.figures.class_sizes} threshold={answer.result.figures.threshold} /></Card>}
      {list.length > 0 && <Card title={T.promise.breaking}><p class="soft small">{T.promise.breakingIntro}</p><BreakingRows /></Card>}
    </>
  );
}

/* Columns: roles, treatments, weights; leaks stand where they arise. */
import { useId } from "preact/hooks";
import { Card, Choice, Segments, TextInput, Value, Worded } from "../parts/basics.tsx";
import { MoreFields, MoreKeys } from "../parts/key-form.tsx";
import { COLUMN_KEYS } from "../state/placed.ts";
import { changeJob, goTo, studio, useStudio } from "../state/studio.ts";
import { attribute, attributes, withAttribute, withKey } from "../state/job.ts";
import { T } from "../texts.en.ts";

const ROLES = ["quasi", "sensitive", "identifier", "insensitive"];

function setRole(column: string, role: string): void {
  const { job } = studio.get().doc;
  const advice = ((studio.get().advice ?? []) as any[]).find((a) => a.column === column);
  const quasi = role === "quasi";
  changeJob(withAttribute(job, column, {
    role,
    hierarchy: quasi ? attribute(job, column).hierarchy ?? advice?.hierarchy ?? undefined : undefined,
    weight: quasi ? attribute(job, column).weight : undefined,
    level: quasi ? attribute(job, column).level : undefined,
    treat: quasi ? undefined : attribute(job, column).treat,
  }));
}

function Treatment({ column }: { column: string }) {
  const job = useStudio((s) => s.doc.job);
  const catalogue = useStudio((s) => s.catalogue);
  const value = String(attribute(job, column).treat ?? "");
  const id = useId();
  return (
    <div class="row tight" title={T.columns.treatHelp}>
      <label for={id} class="soft small">{T.columns.treat}</label>
      <TextInput id={id} list={`${id}-list`} value={value} placeholder={T.columns.noTreat}
        onCommit={(v) => changeJob(withAttribute(job, column, { treat: v || undefined }))} />
      <datalist id={`${id}-list`}>
        {Object.entries(catalogue?.treatments ?? {}).map(([name, t]) => <option key={name} value={!t.syntax.startsWith(`${name}(`) ? name : t.syntax.includes("[") ? t.example.split(":")[0] : t.syntax}>{t.help}</option>)}
      </datalist>
    </div>
  );
}

function Generalized({ column }: { column: string }) {
  const job = useStudio((s) => s.doc.job);
  const a = attribute(job, column);
  const id = useId();
  return (
    <div class="row">
      <span class="row tight">
        <span class="soft small">{T.columns.hierarchy}</span> <code><Value text={a.hierarchy ?? T.hierarchies.propose} /></code>
        <button class="small" aria-label={`${T.columns.edit}: ${column}`} onClick={() => { studio.set({ hierarchyColumn: column }); goTo("hierarchies"); }}>{T.columns.edit}</button>
      </span>
      <span class="row tight" title={T.columns.weightHelp}>
        <label for={id} class="soft small">{T.columns.weight}</label>
        <TextInput id={id} type="number" class="short" min={0} step="any" value={String(a.weight ?? 1)}
          onCommit={(v) => changeJob(withAttribute(job, column, { weight: v === "1" || v === "" ? undefined : Number(v) }))} />
      </span>
    </div>
  );
}

function LeakNote({ leaks }: { leaks: any[] }) {
  if (leaks.length === 0) return null;
  return (
    <div class="note warn wide">
      <strong>{T.columns.leak}</strong>
      {leaks.map((l, i) => <Worded key={i} text={l.message ?? l.code} />)}
    </div>
  );
}

function ColumnCard({ column, leaks }: { column: string; leaks: any[] }) {
  const job = useStudio((s) => s.doc.job);
  const advice = useStudio((s) => s.advice as any[] | null)?.find((a) => a.column === column);
  const role = attribute(job, column).role ?? "";
  return (
    <li class="column-card" data-column={column}>
      <div>
        <h2 class="minor"><Value text={column} /></h2>
        {advice && <p class="soft small">{T.columns.profile(advice.kind, advice.distinct, advice.missing)}; <Worded text={advice.reason ?? ""} /></p>}
      </div>
      <Segments label={T.columns.role(column)} name={`role-${column}`} value={role} onChange={(r) => setRole(column, r)}
        choices={ROLES.map((r) => [r, T.columns.roles[r], T.columns.rolesHelp[r]])} />
      <div class="wide row">
        {role === "quasi" ? <Generalized column={column} /> : role === "identifier" ? <span class="soft small">{T.columns.rolesHelp.identifier}</span> : role !== "" ? <Treatment column={column} /> : <span class="tag warn">{T.columns.noRole}</span>}
      </div>
      <MoreFields column={column} role={role} placed={role === "quasi" ? ["role", "hierarchy", "weight", "treat"] : ["role", "treat"]} />
      <LeakNote leaks={leaks} />
    </li>
  );
}

export function ColumnsScreen() {
  const job = useStudio((s) => s.doc.job);
  const look = useStudio((s) => s.look);
  const names: string[] = (look?.columns ?? []).map((c: any) => c.column ?? c.name);
  const leaks = useStudio((s) => s.leaks);
  const all = names.length > 0 ? names : Object.keys(attributes(job));
  return (
    <>
      <h1>{T.columns.heading}</h1>
      <p class="intro">{T.columns.intro}</p>
      <Card><ul>{all.map((c) => <ColumnCard key={c} column={c} leaks={leaks.filter((l) => l.column === c)} />)}</ul></Card>
      <Card>
        <div class="grid3">
          <Choice label={T.columns.entity} help={T.columns.entityHelp} value={String(job.entity ?? "")}
            onChange={(v) => changeJob(withKey(job, "entity", v || undefined))}
            choices={[["", T.columns.entityNone], ...all.map((c): [string, string] => [c, c])]} />
          <Choice label={T.release.rest} value={String(job.rest ?? "")} onChange={(v) => changeJob(withKey(job, "rest", v || undefined))}
            choices={Object.entries(T.release.restChoices)} />
        </div>
        <MoreKeys title={T.keys.columns} keys={COLUMN_KEYS} />
      </Card>
    </>
  );
}

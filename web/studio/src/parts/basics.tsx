/* Small things that all screens use. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { MingleError, Progress } from "../engine/types.ts";
import { percent } from "./format.ts";
import { T } from "../texts.en.ts";

export function Value({ text }: { text: unknown }) {
  return <bdi class="value">{text === null || text === undefined ? "" : String(text)}</bdi>;
}

export function Card({ title, children, actions, level = 2 }: { title?: ComponentChildren; children: ComponentChildren; actions?: ComponentChildren; level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section class="card">
      {(title || actions) && (
        <header>{title && <Heading>{title}</Heading>}<span class="spring" />{actions}</header>
      )}
      {children}
    </section>
  );
}

export function Field({ label, help, children }: { label: string; help?: string; children: (id: string, describedBy?: string) => ComponentChildren }) {
  const id = useId();
  const helpId = help ? `${id}-help` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, helpId)}
      {help && <span class="soft small" id={helpId}>{help}</span>}
    </div>
  );
}

export function Choice({ label, value, choices, onChange, help, hideLabel }: {
  label: string; value: string; choices: [string, string][]; onChange(v: string): void; help?: string; hideLabel?: boolean;
}) {
  /* What a job says is shown, also where it is none of the usual choices. */
  const all: [string, string][] = choices.some(([v]) => v === value) ? choices : [...choices, [value, value]];
  const select = (id?: string, by?: string) => (
    <select id={id} aria-label={hideLabel ? label : undefined} aria-describedby={by} value={value}
      onChange={(e) => onChange(e.currentTarget.value)}>
      {all.map(([v, text]) => <option key={v} value={v}>{text}</option>)}
    </select>
  );
  return hideLabel ? select() : <Field label={label} help={help}>{select}</Field>;
}

/* Takes over what was typed on Enter or when the field is left; until then an answer that arrives
 * meanwhile leaves it alone. */
export function TextInput({ value, onCommit, ...rest }: {
  value: string; onCommit(v: string): void; id?: string; label?: string; placeholder?: string; type?: string; min?: number; max?: number;
  step?: number | "any"; class?: string; describedBy?: string; list?: string;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const { label, describedBy, type = "text", ...attributes } = rest;
  /* Enter, change and blur come for the same text, before the page is drawn again: it counts once. */
  const typed = useRef<string | null>(null);
  const commit = () => {
    const text = typed.current;
    typed.current = null;
    if (text !== null && text !== value) onCommit(text);
    setDraft(null);
  };
  return (
    <input {...attributes} type={type} aria-label={label} aria-describedby={describedBy} value={draft ?? value}
      onInput={(e) => { typed.current = e.currentTarget.value; setDraft(typed.current); }} onChange={commit} onBlur={commit}
      onKeyDown={(e) => {
        if (e.key === "Enter") commit();
        if (e.key === "Escape") { typed.current = null; setDraft(null); }
      }} />
  );
}

export function Segments({ label, name, value, choices, onChange }: {
  label: string; name: string; value: string; choices: [string, string, string?][]; onChange(v: string): void;
}) {
  return (
    <fieldset>
      <legend class="hidden">{label}</legend>
      <div class="segments">
        {choices.map(([v, text, title]) => (
          <label key={v} title={title}>
            <input type="radio" name={name} value={v} checked={v === value} onChange={() => onChange(v)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Tabs<K extends string>({ label, tabs, value, onChange }: { label: string; tabs: [K, string][]; value: K; onChange(k: K): void }) {
  const move = (e: KeyboardEvent) => {
    const at = tabs.findIndex(([k]) => k === value);
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = tabs[(at + step + tabs.length) % tabs.length][0];
    onChange(next);
    (e.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([k, text]) => (
        <button key={k} role="tab" data-tab={k} aria-selected={k === value} tabIndex={k === value ? 0 : -1} onClick={() => onChange(k)}>{text}</button>
      ))}
    </div>
  );
}

/* A library error, as the library worded it: keys stand between backquotes. */
export function ErrorNote({ error }: { error: MingleError }) {
  return <div class="note bad" role="alert"><Worded text={error.message} /></div>;
}

export function Worded({ text }: { text: string }) {
  const parts = String(text).split(/`([^`]*)`/);
  return <span>{parts.map((p, i) => (i % 2 ? <code key={i}>{p}</code> : <bdi key={i}>{p}</bdi>))}</span>;
}

/* With progress: how far the whole run is, which never goes back, and what it does just now. */
export function Working({ label, progress }: { label?: string; progress?: Progress | null }) {
  if (!progress) return <div class="work" role="progressbar" aria-label={label ?? T.working}><i /></div>;
  const done = Math.floor((100 * progress.done) / progress.total);
  const text = T.progress(progress.stage, done);
  return (
    <>
      <div class="work known" role="progressbar" aria-label={label ?? T.working} aria-valuemin={0} aria-valuemax={100} aria-valuenow={done} aria-valuetext={text}><i style={{ width: `${done}%` }} /></div>
      <p class="soft small" aria-hidden="true">{text}</p>
    </>
  );
}

/* What takes long to draw comes after the rest is on show, in a task of its own. */
export function Later({ children }: { children: ComponentChildren }) {
  const [now, setNow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setNow(true), 0);
    return () => clearTimeout(timer);
  }, []);
  return now ? <>{children}</> : null;
}

export function Figure({ name, value, note }: { name: string; value: ComponentChildren; note?: ComponentChildren }) {
  return <div class="figure"><dt>{name}</dt><dd>{value} {note && <small>{note}</small>}</dd></div>;
}

/* How much more or less detail. */
export function Delta({ now, then }: { now: number | null; then: number | null }) {
  if (now === null || then === null) return null;
  const d = then - now;
  if (Math.abs(d) < 5e-4) return <span class="soft small">{T.whatif.same}</span>;
  return <span class={d > 0 ? "delta up" : "delta down"}>{d > 0 ? "+" : "−"}{percent(Math.abs(d))}</span>;
}

/* The job as a file and as a command line: one click away at every moment. */
import { useEffect, useRef, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { useAsk } from "../state/ask.ts";
import { asError } from "../engine/types.ts";
import type { JobTexts, MingleError } from "../engine/types.ts";
import { changeJob, notify, studio, useStudio } from "../state/studio.ts";
import { filesInUse } from "../state/job.ts";
import { openFiles } from "../state/files.ts";
import { jobText } from "../state/job-text.ts";
import { download } from "./download.ts";
import { ErrorNote, Value, Working } from "./basics.tsx";
import { T } from "../texts.en.ts";

function Copy({ text }: { text: string }) {
  return (
    <button class="small" onClick={() => navigator.clipboard?.writeText(text).then(() => notify(T.job.copied), (e) => notify(asError(e).message))}>
      {T.job.copy}
    </button>
  );
}

function Editor({ text, onDone }: { text: string; onDone(): void }) {
  const [value, setValue] = useState(text);
  const [error, setError] = useState<MingleError | null>(null);
  const use = async () => {
    try {
      const { job } = await engines.words.ask({ type: "job", text: value });
      changeJob({ ...job, data: studio.get().doc.job.data });
      onDone();
    } catch (e) {
      setError(asError(e));
    }
  };
  return (
    <>
      <textarea class="mono" rows={12} aria-label={T.job.yaml} value={value} spellcheck={false} onInput={(e) => setValue(e.currentTarget.value)} />
      {error && <ErrorNote error={error} />}
      <div class="row"><button class="primary" onClick={use}>{T.job.apply}</button><button onClick={onDone}>{T.hierarchies.cancel}</button></div>
    </>
  );
}

export function JobDrawer() {
  const doc = useStudio((s) => s.doc);
  const [editing, setEditing] = useState(false);
  const place = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const texts = useAsk<JobTexts>(JSON.stringify(doc.job), () => jobText(doc), 50);
  useEffect(() => place.current?.focus(), []);
  const close = () => studio.set({ drawer: false });
  const files = filesInUse(doc);
  return (
    <section class="drawer" role="dialog" aria-label={T.job.heading} tabIndex={-1} ref={place} onKeyDown={(e) => e.key === "Escape" && close()}>
      <div class="row"><h2>{T.job.heading}</h2><span class="soft small">{T.job.intro}</span><span class="spring" /><button onClick={close}>{T.job.close}</button></div>
      {texts.error && <ErrorNote error={texts.error} />}
      {!texts.value && texts.busy && <Working />}
      {texts.value && (
        <div class="grid2">
          <div class="field">
            <div class="row tight"><h3>{T.job.yaml}</h3><span class="spring" />
              <Copy text={texts.value.yaml} />
              <button class="small" onClick={() => setEditing(!editing)}>{T.job.edit}</button>
              <button class="small" onClick={() => void download("job.yaml", texts.value!.yaml, "application/yaml")}>{T.job.save}</button>
              <button class="small" onClick={() => input.current?.click()}>{T.job.open}</button>
              <input ref={input} type="file" class="hidden" tabIndex={-1} multiple aria-label={T.job.open}
                onChange={(e) => { void openFiles([...(e.currentTarget.files ?? [])]); e.currentTarget.value = ""; }} />
            </div>
            {editing ? <Editor text={texts.value.yaml} onDone={() => setEditing(false)} /> : <pre tabIndex={0} data-test="yaml">{texts.value.yaml}</pre>}
          </div>
          <div class="field">
            <div class="row tight"><h3>{T.job.command}</h3><span class="spring" /><Copy text={texts.value.command} /></div>
            <pre tabIndex={0} data-test="command">{texts.value.command}</pre>
            {files.length > 0 && (
              <>
                <h3>{T.job.files}</h3>
                <ul class="row">{files.map((name) => (
                  <li key={name}><button class="small" onClick={() => void download(name, doc.files[name])}><Value text={name} /></button></li>
                ))}</ul>
              </>
            )}
          </div>
        </div>
      )}
    </section>
  );
}

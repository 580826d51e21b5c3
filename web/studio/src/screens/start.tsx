/* Nothing is open: a place to drop a table, a job, or both. */
import { useEffect, useRef, useState } from "preact/hooks";
import { TableIcon } from "../parts/icons.tsx";
import { Card, ErrorNote, Working } from "../parts/basics.tsx";
import { ReadingForm } from "./table.tsx";
import { openTable, useStudio } from "../state/studio.ts";
import type { TableFile } from "../state/studio.ts";
import { withKey } from "../state/job.ts";
import type { Job } from "../engine/types.ts";
import { openFiles, openExample, pendingJob } from "../state/files.ts";
import { forget, goOn, readKept } from "../state/keep.ts";
import type { Kept } from "../state/keep.ts";
import { useSelected } from "../state/store.ts";
import { T } from "../texts.en.ts";

export function DropPlace() {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class={over ? "drop over" : "drop"}
      onDragOver={(e) => { e.preventDefault(); setOver(true); }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => { e.preventDefault(); setOver(false); void openFiles([...(e.dataTransfer?.files ?? [])]); }}>
      <TableIcon />
      <h2>{T.start.drop}</h2>
      <div class="row">
        <button class="primary" onClick={() => input.current?.click()}>{T.start.choose}</button>
        <button onClick={() => void openExample()}>{T.start.example}</button>
      </div>
      <input ref={input} class="hidden" type="file" multiple tabIndex={-1} aria-label={T.start.choose}
        onChange={(e) => { void openFiles([...(e.currentTarget.files ?? [])]); e.currentTarget.value = ""; }} />
    </div>
  );
}

/* The file is text, perhaps, but not as it was taken. */
function ReadAgain({ file }: { file: TableFile }) {
  const [job, setJob] = useState<Job>({});
  return (
    <Card title={T.start.readAgain(file.name)} actions={<button class="primary" onClick={() => void openTable(file, undefined, job)}>{T.start.openAgain}</button>}>
      <ReadingForm job={job} look={null} set={(key, value) => setJob(withKey(job, key, value))} />
    </Card>
  );
}

export function StartScreen() {
  const notOpened = useStudio((s) => s.notOpened);
  const capabilities = useStudio((s) => s.capabilities);
  const error = useStudio((s) => s.openError);
  const pending = useSelected(pendingJob, (s) => s);
  const [kept, setKept] = useState<Kept | null>(null);
  useEffect(() => void readKept().then(setKept), []);
  return (
    <div class="welcome">
      <h1>{T.start.heading}</h1>
      <p class="intro">{T.start.lead}</p>
      {error && <ErrorNote error={error} />}
      {notOpened && <ReadAgain key={notOpened.name} file={notOpened} />}
      {pending.doc && (
        <div class="note">
          <span>{T.start.jobNeedsTable(String(pending.doc.job.data ?? ""))}</span>
          {pending.missing.length > 0 && <span>{T.start.files(pending.missing)}</span>}
        </div>
      )}
      <DropPlace />
      {capabilities ? <p class="soft small">{T.start.formats(capabilities.formats)}</p> : !error && <Working label={T.start.loading} />}
      {kept && (
        <div class="note">
          <span>{T.start.keptHelp}</span>
          <div class="row">
            <button class="primary" disabled={!capabilities} onClick={() => void goOn(kept)}>{T.start.kept(kept.name)}</button>
            <button onClick={() => { void forget(); setKept(null); }}>{T.start.forget}</button>
          </div>
        </div>
      )}
    </div>
  );
}

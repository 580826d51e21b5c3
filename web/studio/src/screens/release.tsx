/* The release: made, verified, downloaded with all that belongs to it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { engines } from "../engine/engines.ts";
import { asError, isCancelled } from "../engine/types.ts";
import type { Files, MingleError, Progress } from "../engine/types.ts";
import { changeJob, studio, useStudio } from "../state/studio.ts";
import { filesInUse, jobForRun, spendsEpsilon, withKey } from "../state/job.ts";
import type { Doc } from "../state/job.ts";
import { jobText, releaseName, releaseOutputs } from "../state/job-text.ts";
import { Card, ErrorNote, Field, TextInput, Value, Worded, Working } from "../parts/basics.tsx";
import { Caveats } from "../parts/answer.tsx";
import { MoreKeys } from "../parts/key-form.tsx";
import { RELEASE_KEYS } from "../state/placed.ts";
import { download, bytesOf } from "../parts/download.ts";
import { zip } from "../parts/archive.ts";
import { bytes, figure } from "../parts/format.ts";
import { T } from "../texts.en.ts";

/* What may be handed on says nothing that is not in the release; the rest leads back to the input. */
const FOR_RECIPIENT = ["release", "statement", "codebook"];

interface Made {
  doc: Doc;
  result: any;
  files: { [kind: string]: { name: string; data: Uint8Array } };
}

async function codebook(result: Uint8Array, release: Uint8Array, name: string, signal: AbortSignal): Promise<Uint8Array | null> {
  const files: Files = { "result.json": result, [name]: release };
  try {
    const answer = await engines.beside().run("codebook", { data: "memory:result.json", release: `memory:${name}`, output: "memory:codebook.csv" }, { signal, files });
    return answer.files["codebook.csv"] ?? null;
  } catch (error) {
    if (isCancelled(error)) throw error;
    return null; /* a release without a codebook is one all the same */
  }
}

/* The release of the answer on show, or one that is made now. */
async function makeRelease(doc: Doc, signal: AbortSignal, onProgress: (p: Progress) => void): Promise<Made> {
  const { answer } = studio.get();
  const there = answer.doc === doc && answer.files ? { result: answer.result, files: answer.files } : null;
  const { result, files } = there ?? await engines.beside().run("anonymize", jobForRun(doc, releaseOutputs(doc)), { signal, files: doc.files, onProgress });
  if (!there && spendsEpsilon(doc)) /* this release is kept: another one would spend epsilon again */
    studio.set((s) => ({ answer: { ...s.answer, doc, result, error: null, files } }));
  const name = releaseName(String(doc.job.data));
  const book = await codebook(files["result.json"], files[name], name, signal);
  const { yaml } = await jobText(doc);
  const made: Made = { doc, result, files: {
    release: { name, data: files[name] },
    statement: { name: "statement.html", data: files["statement.html"] },
    result: { name: "result.json", data: files["result.json"] },
    report: { name: "report.html", data: files["report.html"] },
  } };
  if (book) made.files.codebook = { name: "codebook.csv", data: book };
  made.files.job = { name: "job.yaml", data: bytesOf(yaml) };
  return made;
}

function About() {
  const job = useStudio((s) => s.doc.job);
  return (
    <Card title={T.release.about}>
      <div class="grid2">
        {(["title", "purpose", "recipient", "author"] as const).map((key) => (
          <Field key={key} label={T.release[key]}>
            {(id) => <TextInput id={id} value={String(job[key] ?? "")} onCommit={(v) => changeJob(withKey(job, key, v || undefined))} />}
          </Field>
        ))}
      </div>
      <label class="row tight">
        <input type="checkbox" checked={job["keep-order"] === true || job["keep-order"] === "true"} onChange={(e) => changeJob(withKey(job, "keep-order", e.currentTarget.checked || undefined))} />
        <span>{T.release.keepOrder} <span class="soft small">{T.release.keepOrderHelp}</span></span>
      </label>
      <MoreKeys title={T.keys.release} keys={RELEASE_KEYS} />
    </Card>
  );
}

function Group({ made, kinds, archive, more }: { made: Made; kinds: string[]; archive: "release.zip" | "confidential.zip"; more: string[] }) {
  const all = async (): Promise<void> => {
    const files: Files = {};
    for (const kind of kinds) files[made.files[kind].name] = made.files[kind].data;
    for (const name of more) files[name] = made.doc.files[name];
    await download(archive, await zip(files));
  };
  return (
    <>
      <h2 class="minor">{T.release.groups[archive]}</h2>
      <p class="soft small">{T.release.groupsHelp[archive]}</p>
      <ul class="grid2">
        {kinds.map((kind) => (
          <li key={kind} class="row">
            <button class={kind === "release" ? "primary" : ""} data-file={kind} aria-label={T.release.download(made.files[kind].name)} onClick={() => void download(made.files[kind].name, made.files[kind].data)}><Value text={made.files[kind].name} /></button>
            <span class="small soft">{T.release.files[kind]}, {bytes(made.files[kind].data.length)}</span>
          </li>
        ))}
      </ul>
      <div class="row"><button onClick={() => void all()}>{T.release.archive(archive)}</button></div>
    </>
  );
}

function Downloads({ made }: { made: Made }) {
  const kinds = Object.keys(made.files);
  return (
    <>
      <Group made={made} kinds={FOR_RECIPIENT.filter((k) => kinds.includes(k))} archive="release.zip" more={[]} />
      <Group made={made} kinds={kinds.filter((k) => !FOR_RECIPIENT.includes(k))} archive="confidential.zip" more={filesInUse(made.doc)} />
    </>
  );
}

function Promises({ result }: { result: any }) {
  return (
    <>
      <h2 class="minor">{T.release.promises}</h2>
      <ul>
        {(result.models ?? []).map((m: any, i: number) => (
          <li key={i}><span class={m.holds ? "tag good" : "tag bad"}>{m.model} {Object.values(m.parameters ?? {}).map(String).join(", ")}</span> {figure(m.measured)} <span class="soft small"><Worded text={m.promise ?? ""} /></span></li>
        ))}
      </ul>
    </>
  );
}

export function ReleaseScreen() {
  const doc = useStudio((s) => s.doc);
  const [made, setMade] = useState<Made | null>(null);
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<MingleError | null>(null);
  const controller = useRef<AbortController | null>(null);
  const make = async () => {
    controller.current = new AbortController();
    setBusy(true);
    setProgress(null);
    setError(null);
    try {
      setMade(await makeRelease(studio.get().doc, controller.current.signal, setProgress));
    } catch (e) {
      setMade(null);
      if (!isCancelled(e)) setError(asError(e));
    }
    setBusy(false);
  };
  const wanted = useStudio((s) => s.releaseWanted);
  useEffect(() => {
    if (wanted) {
      studio.set({ releaseWanted: false });
      void make();
    }
    return () => controller.current?.abort();
  }, []);
  const leak = error?.code === "leak";
  return (
    <>
      <h1>{T.release.heading}</h1>
      <p class="intro">{T.release.intro}</p>
      <Card>
        <div class="row">
          <button class="primary" disabled={busy} onClick={make}>{T.release.make}</button>
          {busy && <button onClick={() => controller.current?.abort()}>{T.release.cancel}</button>}
        </div>
        {spendsEpsilon(doc) && <p class="note warn">{T.release.spends}</p>}
        {busy && <Working label={T.release.making} progress={progress} />}
        <div aria-live="polite">
          {error && <ErrorNote error={error} />}
          {leak && (
            <label class="row tight"><input type="checkbox" checked={doc.job["allow-leaks"] !== undefined} onChange={(e) => changeJob(withKey(doc.job, "allow-leaks", e.currentTarget.checked || undefined))} />{T.release.allowLeaks}</label>
          )}
          {made && made.doc.job !== doc.job && <p class="note warn">{T.release.stale}</p>}
          {made && made.doc.job === doc.job && <p class="note good">{T.release.verified}</p>}
        </div>
        {made && made.doc.job === doc.job && <><Downloads made={made} /><Promises result={made.result} /><Caveats result={made.result} /></>}
      </Card>
      <About />
    </>
  );
}

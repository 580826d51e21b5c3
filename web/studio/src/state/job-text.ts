/* The job of the page as texts. The library writes them. */
import { engines } from "../engine/engines.ts";
import type { Job, JobTexts } from "../engine/types.ts";
import type { Doc } from "./job.ts";
import { studio } from "./studio.ts";

/* What a job file says that a person saves: with the names that the downloads have. */
export function jobToSave(doc: Doc): Job {
  return { ...doc.job, output: doc.job.output ?? releaseName(String(doc.job.data ?? "table.csv")) };
}

export async function jobText(doc: Doc): Promise<JobTexts> {
  const texts: JobTexts = await engines.words.ask({ type: "job", text: JSON.stringify(jobToSave(doc)) });
  /* An engine that does not spell options names the file that says the same. */
  return { ...texts, command: texts.command || "mingle anonymize job.yaml" };
}

/* A release has the format of its table, if the library writes that; else it is CSV. */
export function releaseName(table: string): string {
  const written = Object.values(studio.get().catalogue?.formats ?? {}).filter((f) => f.written).flatMap((f) => f.endings);
  const [file] = table.split("#", 1);
  const text = /^(.*?)(\.(?:csv|tsv|txt)(?:\.gz|\.zst)?)$/i.exec(file);
  if (text) return `${text[1]}.release${text[2]}`;
  const ending = written.filter((e) => e !== "" && file.endsWith(e)).sort((a, b) => b.length - a.length)[0];
  return ending ? `${file.slice(0, -ending.length)}.release${ending}` : `${file.replace(/\.[^.]*$/, "")}.release.csv`;
}

/* Where a release of the page goes, with all that is downloaded beside it. */
export function releaseOutputs(doc: Doc): Job {
  return { output: `memory:${releaseName(String(doc.job.data))}`, result: "memory:result.json", report: "memory:report.html", statement: "memory:statement.html" };
}

/* The job of the page as texts. The library writes them. */
import { engines } from "../engine/engines.ts";
import type { Job, JobTexts } from "../engine/types.ts";
import type { Doc } from "./job.ts";

/* What a job file says that a person saves: with the names that the downloads have. */
export function jobToSave(doc: Doc): Job {
  return { ...doc.job, output: doc.job.output ?? releaseName(String(doc.job.data ?? "table.csv")) };
}

export async function jobText(doc: Doc): Promise<JobTexts> {
  const texts: JobTexts = await engines.words.ask({ type: "job", text: JSON.stringify(jobToSave(doc)) });
  /* An engine that does not spell options names the file that says the same. */
  return { ...texts, command: texts.command || "mingle anonymize job.yaml" };
}

/* Text stays text with the ending it had; other formats become CSV, which can be in memory. */
export function releaseName(table: string): string {
  const text = /^(.*?)(\.(?:csv|tsv|txt)(?:\.gz|\.zst)?)$/i.exec(table);
  if (text) return `${text[1]}.release${text[2]}`;
  return `${table.replace(/\.[^.]*$/, "")}.release.csv`;
}

/* Where a release of the page goes, with all that is downloaded beside it. */
export function releaseOutputs(doc: Doc): Job {
  return { output: `memory:${releaseName(String(doc.job.data))}`, result: "memory:result.json", report: "memory:report.html" };
}

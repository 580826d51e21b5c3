/* The state in the browser's own store, only if the person asks for it: the table, the job with its
 * files, and where the person was. */
import type { Doc } from "./job.ts";
import { notify, openTable, studio } from "./studio.ts";
import type { Screen } from "./studio.ts";
import { asError } from "../engine/types.ts";

const DATABASE = "mingle-studio";
const STORE = "kept";

export interface Kept {
  name: string;
  table: Blob;
  doc: Doc;
  screen: Screen;
}

function withStore<V>(mode: IDBTransactionMode, use: (s: IDBObjectStore) => IDBRequest): Promise<V> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = use(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result as V);
      };
      transaction.onerror = transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}

export async function readKept(): Promise<Kept | null> {
  try {
    const databases = await indexedDB.databases?.();
    if (databases && !databases.some((d) => d.name === DATABASE)) return null;
    return (await withStore<Kept | undefined>("readonly", (s) => s.get(STORE))) ?? null;
  } catch {
    return null; /* no store here: nothing is kept */
  }
}

export async function keepNow(): Promise<void> {
  const { table, doc, screen } = studio.get();
  if (!table) return;
  const kept: Kept = { name: table.name, table: table.blob, doc, screen };
  try {
    await withStore("readwrite", (s) => s.put(kept, STORE));
    studio.set({ kept: true });
  } catch (error) {
    studio.set({ kept: false });
    notify(asError(error).message);
  }
}

export async function forget(): Promise<void> {
  studio.set({ kept: false });
  await new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

export async function goOn(kept: Kept): Promise<void> {
  await openTable({ name: kept.name, blob: kept.table }, kept.doc);
  studio.set({ kept: true, screen: kept.screen });
}

/* Once asked for, every change is kept, a moment after it was made. */
export function keepUpToDate(): void {
  let doc = studio.get().doc;
  let screen = studio.get().screen;
  let timer: ReturnType<typeof setTimeout> | undefined;
  studio.subscribe(() => {
    const s = studio.get();
    if (!s.kept || (s.doc === doc && s.screen === screen)) return;
    doc = s.doc;
    screen = s.screen;
    clearTimeout(timer);
    timer = setTimeout(() => void (studio.get().kept && keepNow()), 400);
  });
}

import { blobOf } from "./pieces.ts";

/* Hands a file to the person. The link is never part of the page. */
export async function download(name: string, data: Uint8Array | string | Blob, type = "application/octet-stream"): Promise<void> {
  const blob = data instanceof Blob ? data : await blobOf(typeof data === "string" ? bytesOf(data) : data, type);
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 30_000);
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

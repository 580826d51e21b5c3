/* Hands a file to the person. The link is never part of the page. */
export function download(name: string, data: Uint8Array | string | Blob, type = "application/octet-stream"): void {
  const blob = data instanceof Blob ? data : new Blob([data as BlobPart], { type });
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

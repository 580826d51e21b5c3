/* Work on many bytes, a piece at a time: the page's own thread is never busy for long. */
export const PIECE = 3 << 20; /* a multiple of 3, so that base 64 can be cut there */

export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export async function eachPiece(bytes: Uint8Array, work: (piece: Uint8Array) => void): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    work(bytes.subarray(at, at + PIECE));
    if (at + PIECE < bytes.length) await pause();
  }
}

export async function blobOf(bytes: Uint8Array, type: string): Promise<Blob> {
  const parts: Blob[] = [];
  await eachPiece(bytes, (piece) => parts.push(new Blob([piece as BlobPart])));
  return new Blob(parts, { type });
}

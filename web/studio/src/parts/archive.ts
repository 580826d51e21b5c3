/* A zip archive of a few files, stored without compression. */
import { blobOf, eachPiece } from "./pieces.ts";

const TABLE = new Uint32Array(256).map((_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

async function crc32(data: Uint8Array): Promise<number> {
  let c = 0xffffffff;
  await eachPiece(data, (piece) => {
    for (let i = 0; i < piece.length; i++) c = TABLE[(c ^ piece[i]) & 0xff] ^ (c >>> 8);
  });
  return (c ^ 0xffffffff) >>> 0;
}

/* What stands in both headers of an entry: version, flags (names are UTF-8), method, a fixed date,
 * checksum and sizes. */
function fields(view: DataView, at: number, crc: number, size: number, nameLength: number): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, 0x0800, true);
  view.setUint32(at + 6, 0x00210000, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, nameLength, true);
}

export async function zip(files: { [name: string]: Uint8Array }): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, data] of Object.entries(files)) {
    const encoded = new TextEncoder().encode(name);
    const crc = await crc32(data);
    const local = new Uint8Array(30);
    const localView = new DataView(local.buffer);
    localView.setUint32(0, 0x04034b50, true);
    fields(localView, 4, crc, data.length, encoded.length);
    const central = new Uint8Array(46);
    const centralView = new DataView(central.buffer);
    centralView.setUint32(0, 0x02014b50, true);
    centralView.setUint16(4, 20, true);
    fields(centralView, 6, crc, data.length, encoded.length);
    centralView.setUint32(42, offset, true);
    parts.push(local, encoded, await blobOf(data, ""));
    directory.push(central, encoded);
    offset += local.length + encoded.length + data.length;
  }
  const size = directory.reduce((n, d) => n + d.length, 0);
  const end = new Uint8Array(22);
  const endView = new DataView(end.buffer);
  endView.setUint32(0, 0x06054b50, true);
  endView.setUint16(8, directory.length / 2, true);
  endView.setUint16(10, directory.length / 2, true);
  endView.setUint32(12, size, true);
  endView.setUint32(16, offset, true);
  return new Blob([...parts, ...(directory as BlobPart[]), end], { type: "application/zip" });
}

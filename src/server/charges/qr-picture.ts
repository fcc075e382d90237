import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** ISO/IEC 18004 asks for four modules of white around the symbol. */
const QUIET_ZONE_MODULES = 4;
/**
 * The width of a module in the PNG, in pixels: a BR Code's picture is then some 550 pixels wide,
 * prints well and has a few kilobytes. Clients can't choose another: a picture's work grows with
 * its square.
 */
const MODULE_PIXELS = 8;
/** As on the payment page: a seventh of the symbol may be dirty. */
const OPTIONS = { ecc: 'medium', border: QUIET_ZONE_MODULES } as const;

/** The QR code of a text as SVG, black on white, one unit a module. */
export function qrSvg(text: string): string {
  const rows = encodeQR(text, 'raw', OPTIONS);
  const runs = rows.flatMap((row, y) =>
    darkRuns(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`),
  );
  const size = rows.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${runs.join('')}"/></svg>\n`
  );
}

/** The QR code of a text as PNG (RFC 2083), black on white, one bit a pixel. */
export function qrPng(text: string): Buffer {
  const modules = encodeQR(text, 'raw', OPTIONS);
  const width = modules.length * MODULE_PIXELS;
  const lines = modules.flatMap((row) => Array<Buffer>(MODULE_PIXELS).fill(toScanline(row, width)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  // One bit a pixel of grey; compression, filter and interlace have their only plain values.
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.concat(lines))),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A line of the PNG: the byte of its filter, none, then the pixels of a row of modules; a bit that
 * is set is white.
 */
function toScanline(row: readonly boolean[], width: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let x = 0; x < width; x++) {
    if (!row[Math.floor(x / MODULE_PIXELS)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
  }
  return line;
}

/** A chunk: its length, its name and data, and the checksum of both. */
function toChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Runs of dark modules beside each other, each of which is drawn at once. */
function darkRuns(row: readonly boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last.start + last.length === x) last.length += 1;
    else runs.push({ start: x, length: 1 });
  }
  return runs;
}

import { crc32, inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

/** Reads QR codes as a scanner does: from the pixels alone. */

const PIXELS_PER_MODULE = 4;

/**
 * The text of a QR code in a PNG of one bit a pixel; throws where the file or the code is wrong.
 */
export function readQrPng(png: Buffer): string {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    if (png.readUInt32BE(at + 8 + length) !== crc32(body)) throw new Error('A checksum of the PNG is wrong.');
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const bytes = 1 + Math.ceil(width / 8);
  if (lines.length !== bytes * height) throw new Error('The PNG has another size than it says.');
  return scan(width, height, (x, y) => ((lines[y * bytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0);
}

/** The text of a QR code in an SVG whose dark modules are runs `M1 2h3v1h-3z`. */
export function readQrSvg(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const dark = new Set<string>();
  for (const [, x = '', y = '', length = ''] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let at = 0; at < Number(length); at++) dark.add(`${Number(x) + at} ${y}`);
  const pixels = size * PIXELS_PER_MODULE;
  const moduleAt = (pixel: number) => Math.floor(pixel / PIXELS_PER_MODULE);
  return scan(pixels, pixels, (x, y) => dark.has(`${moduleAt(x)} ${moduleAt(y)}`));
}

function scan(width: number, height: number, isDark: (x: number, y: number) => boolean): string {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (isDark(x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return decodeQR({ width, height, data });
}

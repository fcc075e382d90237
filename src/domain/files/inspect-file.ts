import { constants, crc32, inflateSync } from 'node:zlib';

/**
 * The allowed types of uploaded files. A file's own bytes decide, not its name and not the type
 * that the browser sends.
 */
export type FileMediaType = 'application/pdf' | 'image/jpeg' | 'image/png';

/**
 * `unknown_type`: none of the three; `damaged`: it begins like one of them and continues otherwise;
 * `too_large_picture`: more pixels than a viewer should have to decode; `active`: a PDF that does
 * something when it is opened, or carries files; `locked`: a PDF with a password, which can't be
 * inspected.
 */
export type FileIssue = 'unknown_type' | 'damaged' | 'too_large_picture' | 'active' | 'locked';

export type InspectedFile = { ok: true; mediaType: FileMediaType } | { ok: false; issue: FileIssue };

/**
 * 100 megapixels, above any phone's camera: a picture of a few kilobytes can decode to gigabytes.
 */
const PIXELS_MAX = 100_000_000;

/**
 * The most that the packed objects of one PDF may inflate to, above all real ones: it stops
 * decompression bombs.
 */
const UNPACKED_BYTES_MAX = 32 * 1024 * 1024;
/** What one stream counts at least: so many small ones would take as long as large ones. */
const UNPACKED_BYTES_MIN = 4096;

/**
 * Inspects whether a file is a PDF, a JPEG or a PNG that is complete enough to be opened, and has
 * no active content.
 */
export function inspectFile(bytes: Buffer): InspectedFile {
  if (bytes.subarray(0, 5).equals(PDF_START)) return inspectPdf(bytes);
  if (bytes.subarray(0, 3).equals(JPEG_START)) return inspectJpeg(bytes);
  if (bytes.subarray(0, 8).equals(PNG_START)) return inspectPng(bytes);
  return rejected('unknown_type');
}

const PDF_START = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x2d]);
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const rejected = (issue: FileIssue): InspectedFile => ({ ok: false, issue });

function inspectPicture(width: number, height: number, mediaType: FileMediaType): InspectedFile {
  if (width === 0 || height === 0) return rejected('damaged');
  return width * height > PIXELS_MAX ? rejected('too_large_picture') : { ok: true, mediaType };
}

/** Readers look for the end of a PDF within its last bytes (ISO 32000-1, annex H.3, note 18). */
const PDF_TAIL_BYTES = 2048;

/** A name with any of its letters written as #xx (ISO 32000-1, 7.3.5). */
const spelled = (name: string): string =>
  Array.from(name, (letter) => {
    const code = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|#${code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  }).join('');
/**
 * Finds one of the names, however it is spelled. The text is not decoded for it: a file of nothing
 * but such letters would take seconds, in which this process serves nobody.
 */
const named = (names: readonly string[], flags = ''): RegExp =>
  new RegExp(`/(?:${names.map(spelled).join('|')})(?![A-Za-z0-9#])`, flags);
/**
 * Names of things that act (ISO 32000-1, 12.6.4) or carry other files; all too long to turn up by
 * chance in a picture's bytes.
 */
const ACTIVE = named([
  'JavaScript',
  'Launch',
  'RichMedia',
  'Rendition',
  'EmbeddedFile',
  'EmbeddedFiles',
  'SubmitForm',
  'GoToE',
  'XFA',
]);
const LOCKED = named(['Encrypt']);
/** Objects that are packed into a stream: their content can't be seen in the file itself. */
const PACKED_OBJECTS = named(['ObjStm'], 'g');
const FILTERED = named(['Filter']);
/** The one way in which writers pack objects, without anything that changes the bytes further. */
const GAP = '[\\s\\0]*';
const DEFLATE = named(['FlateDecode', 'Fl']).source;
const DEFLATED = new RegExp(
  `${named(['Filter']).source}${GAP}(?:${DEFLATE}|\\[${GAP}${DEFLATE}${GAP}\\])${GAP}(?:/|>>)`,
);
const PREDICTED = named(['DecodeParms', 'DP']);
/** Text or a comment: either may hold what looks like a stream or another object. */
const TEXT_OR_COMMENT = /[()%]/;

function inspectPdf(bytes: Buffer): InspectedFile {
  const text = bytes.toString('latin1');
  const tail = text.slice(-PDF_TAIL_BYTES);
  if (!/^%PDF-[12]\.\d/.test(text) || !tail.includes('startxref') || !tail.includes('%%EOF'))
    return rejected('damaged');
  if (LOCKED.test(text)) return rejected('locked');
  if (ACTIVE.test(text)) return rejected('active');
  let left = UNPACKED_BYTES_MAX;
  // Where the last stream began: nothing before it is searched again, however often it is named.
  let since = 0;
  for (const { index } of text.matchAll(PACKED_OBJECTS)) {
    if (index < since) continue;
    const start = text.indexOf('stream', index);
    if (start < 0) return rejected('damaged');
    const objects = left > 0 ? unpackObjects(bytes, text, { since, index, start }, left) : null;
    if (objects === null) return rejected('damaged');
    left -= objects.cost;
    if (ACTIVE.test(objects.text)) return rejected('active');
    since = start;
  }
  return { ok: true, mediaType: 'application/pdf' };
}

/**
 * Returns the inflated text of the stream at `start` whose dictionary has /ObjStm at `index`, and
 * what unpacking it costs: as many bytes as were read or made. `null` when it can't be read.
 */
function unpackObjects(
  bytes: Buffer,
  text: string,
  { since, index, start }: { since: number; index: number; start: number },
  bytesMax: number,
): { text: string; cost: number } | null {
  const before = text.slice(since, start);
  const dictionary = before.slice(before.lastIndexOf('obj', index - since) + 1);
  // Writers put numbers and names into such a dictionary, and nothing else.
  if (TEXT_OR_COMMENT.test(dictionary)) return null;
  // Not packed: it was inspected with the rest of the file.
  if (!FILTERED.test(dictionary)) return { text: '', cost: 0 };
  if (!DEFLATED.test(dictionary) || PREDICTED.test(dictionary)) return null;
  const from = text[start + 6] === '\r' ? start + 8 : start + 7;
  try {
    // Bytes after the stream are not read. A checksum that is cut off does not matter to readers
    // either.
    const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH, info: true };
    // The types don't know the answer of `info`.
    const { buffer, engine } = inflateSync(bytes.subarray(from), options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { text: buffer.toString('latin1'), cost: Math.max(buffer.length, engine.bytesWritten, UNPACKED_BYTES_MIN) };
  } catch {
    return null;
  }
}

/**
 * Start of frame, of any coding (ITU-T T.81, table B.1): it holds the height and the width. C4, C8
 * and CC have other meanings.
 */
const isFrameStart = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const JPEG_SCAN = 0xda;
const JPEG_END = Buffer.from([0xff, 0xd9]);

/**
 * Walks the segments up to the picture's data, which must have an end. What cameras append after it
 * is ignored.
 */
function inspectJpeg(bytes: Buffer): InspectedFile {
  let frame: { height: number; width: number } | null = null;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes may precede any marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) break;
    if (isFrameStart(marker) && length >= 8) {
      frame = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (marker === JPEG_SCAN) {
      if (!frame || !bytes.includes(JPEG_END, at + 2 + length)) break;
      return inspectPicture(frame.width, frame.height, 'image/jpeg');
    }
    at += 2 + length;
  }
  return rejected('damaged');
}

/**
 * Walks the chunks: a header first, data, and an end, each with its right checksum (PNG
 * specification, section 5).
 */
function inspectPng(bytes: Buffer): InspectedFile {
  let size: { width: number; height: number } | null = null;
  let hasData = false;
  let at = PNG_START.length;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!size) {
      if (type !== 'IHDR' || length !== 13) break;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') return hasData ? inspectPicture(size.width, size.height, 'image/png') : rejected('damaged');
    at = end;
  }
  return rejected('damaged');
}

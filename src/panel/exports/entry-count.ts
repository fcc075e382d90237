import { createRowCount } from '#domain/reports/row-count.ts';

/**
 * Takes the next bytes of a file, in pieces of any size; returns how many entries have arrived so
 * far.
 */
export type EntryCount = (bytes: Uint8Array) => number;

/**
 * Creates the count for a file of this name: the rows below the head of a CSV, the entries of an
 * OFX.
 */
export function createEntryCount(path: string): EntryCount {
  if (path.endsWith('.ofx')) return createTagCount('<STMTTRN>');
  const count = createRowCount();
  return (bytes) => Math.max(0, count(bytes) - 1);
}

function createTagCount(tag: string): EntryCount {
  const decoder = new TextDecoder();
  let entries = 0;
  let rest = '';
  return (bytes) => {
    const text = rest + decoder.decode(bytes, { stream: true });
    entries += text.split(tag).length - 1;
    // A tag that is cut in two is found with the next piece; a whole one is not counted again.
    rest = text.slice(Math.max(text.lastIndexOf(tag) + 1, text.length - tag.length + 1));
    return entries;
  };
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/**
 * Returns a function that counts the rows of a CSV file while its bytes arrive, in pieces of any
 * size: it returns the number so far. A line break in quotes ends no row.
 */
export function createRowCount(): (bytes: Uint8Array) => number {
  let rows = 0;
  let quoted = false;
  return (bytes) => {
    for (const byte of bytes) {
      // A doubled quote toggles it twice.
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_FEED && !quoted) rows++;
    }
    return rows;
  };
}

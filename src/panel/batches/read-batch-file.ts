/** What UTF-16 texts begin with. */
const MARKS = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;

/**
 * Returns the text of a file in UTF-8, in UTF-16 with its mark, as Excel writes "Unicode text", or
 * in Windows-1252, as it writes a file of type CSV in Brazil; null where it is none of these,
 * because names with accents would be misread.
 */
export async function readBatchFile(file: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (const [encoding, [first, second]] of Object.entries(MARKS))
    if (bytes[0] === first && bytes[1] === second) return decode(bytes, encoding);
  // No text has one, but UTF-16 without a mark.
  if (bytes.includes(0)) return null;
  // Windows-1252 has no letter of Portuguese there, and the Macintosh's encoding all of them.
  const isOther = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  return decode(bytes, 'utf-8') ?? (isOther ? null : decode(bytes, 'windows-1252'));
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Returns the text of a file in UTF-8, or in Windows-1252, as Excel writes a file of type CSV in
 * Brazil; null where it is neither, because names with accents would be misread.
 */
export async function readBatchFile(file: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Windows-1252 has no letter of Portuguese there, and the Macintosh's encoding all of them.
    const isOther = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
    return isOther ? null : new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Returns the text of a file; null where it is not UTF-8, because names with accents would be
 * misread.
 */
export async function readBatchFile(file: Blob): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

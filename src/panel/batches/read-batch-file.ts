/** The text of a file; null where it is not UTF-8: a name with an accent would be another one. */
export async function readBatchFile(file: Blob): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

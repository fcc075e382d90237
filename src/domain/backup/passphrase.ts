/** Shorter ones can be found by trying them on a stolen file. */
export const PASSPHRASE_LENGTH_MIN = 12;

/** Returns the passphrase in the first line of a file's text; `null` where it is too short. */
export function parsePassphrase(text: string): string | null {
  const [passphrase = ''] = text.split(/\r?\n/);
  return passphrase.length < PASSPHRASE_LENGTH_MIN ? null : passphrase;
}

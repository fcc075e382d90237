/** A file that is stolen can be tried against a list of shorter ones. */
export const PASSPHRASE_LENGTH_MIN = 12;

/** The passphrase in the first line of a file's text; null where that is too short. */
export function parsePassphrase(text: string): string | null {
  const [passphrase = ''] = text.split(/\r?\n/);
  return passphrase.length < PASSPHRASE_LENGTH_MIN ? null : passphrase;
}

/** In code points: enough to distinguish files, short enough for a line of the page. */
const FILE_NAME_LENGTH_MAX = 80;

/** A folder before the last slash, of either kind. */
const FOLDER = /^.*[\\/]/su;
/**
 * Control characters, and those that change the direction of text, so that a name which ends in
 * `.exe` reads as if it ended in `.jpg`.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a file's name as it is stored, for people to read: it is never a path and never decides
 * what the file is.
 */
export function cleanFileName(text: string): string {
  const name = text.normalize('NFC').replace(FOLDER, '').replace(UNPRINTABLE, '').trim();
  return Array.from(name).slice(0, FILE_NAME_LENGTH_MAX).join('') || 'documento';
}

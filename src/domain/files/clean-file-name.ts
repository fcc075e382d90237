/** In code points: enough to distinguish files, short enough for a line of the page. */
const FILE_NAME_LENGTH_MAX = 80;

/** A folder before the last slash, of either kind. */
const FOLDER = /^.*[\\/]/su;
/**
 * Control characters, and those that turn the direction of text round so that `exe.jpg` hides what
 * a name ends in.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * A file's name as it is kept, for people to read: it is never a path and never says what the file
 * is.
 */
export function cleanFileName(text: string): string {
  const name = text.normalize('NFC').replace(FOLDER, '').replace(UNPRINTABLE, '').trim();
  return Array.from(name).slice(0, FILE_NAME_LENGTH_MAX).join('') || 'documento';
}

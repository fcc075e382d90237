/**
 * How much punctuation a PSP may put between two characters of what it quotes: `(51) 99825-9765`,
 * `12.345.678/0001-95`.
 */
const MAX_PUNCTUATION = 4;
const BRAZIL = '+55';

/**
 * Replaces each of `texts` in a line that a PSP wrote, because it may quote what it was sent: in
 * any case, and with any punctuation between the characters, and a phone number also without the
 * country.
 */
export function conceal(line: string, texts: readonly string[]): string {
  return texts.flatMap(variants).reduce((cleaned, text) => {
    const characters = text.match(/[\p{L}\p{N}]/gu) ?? [];
    if (characters.length === 0) return cleaned;
    const pattern = characters.join(`[^\\p{L}\\p{N}]{0,${MAX_PUNCTUATION}}`);
    return cleaned.replace(new RegExp(pattern, 'giu'), '***');
  }, line);
}

/** The longest first, so that no rest of it is left. */
function variants(text: string): string[] {
  return text.startsWith(BRAZIL) ? [text, text.slice(BRAZIL.length)] : [text];
}

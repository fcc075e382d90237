import { HIDDEN } from './masked-body.ts';

/**
 * How many characters of punctuation a provider may put between two characters of what it quotes:
 * `(51) 99825-9765`, `12.345.678/0001-95`.
 */
const PUNCTUATION_MAX = 4;
const BRAZIL = '+55';
const IS_WRITTEN = /[\p{L}\p{N}]/u;

/** A letter or digit of a text. */
type Character = {
  /** In one case. */
  folded: string;
  start: number;
  end: number;
  /** How many other characters are before it. */
  punctuation: number;
};

/**
 * Replaces each of `texts` in a line that a provider wrote, because it may quote what it was sent:
 * in any case, with any punctuation between the characters, and a phone number also without the
 * country. Texts of fewer than `lengthMin` letters and digits stay. Compares characters, because a
 * pattern of this kind takes a millisecond to compile, and each text would need one of its own.
 */
export function conceal(line: string, texts: readonly string[], lengthMin = 1): string {
  const characters = readCharacters(line);
  // The longest first, so that a text inside another one leaves no rest of it.
  const sought = texts
    .flatMap(variants)
    .map((text) => readCharacters(text).map(({ folded }) => folded))
    .filter(({ length }) => length >= Math.max(lengthMin, 1))
    .sort((a, b) => b.length - a.length);
  const taken = new Set<Character>();
  const found = sought.flatMap((text) => find(text, characters, taken)).sort((a, b) => a.start - b.start);
  let concealed = '';
  let end = 0;
  for (const span of found) {
    concealed += line.slice(end, span.start) + HIDDEN;
    end = span.end;
  }
  return concealed + line.slice(end);
}

/** Where `text` is among the characters that are not taken yet; takes them. */
function find(
  text: readonly string[],
  characters: readonly Character[],
  taken: Set<Character>,
): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at + text.length <= characters.length; at++) {
    const isHere = text.every((folded, index) => {
      const character = characters[at + index];
      return (
        character?.folded === folded &&
        (index === 0 || character.punctuation <= PUNCTUATION_MAX) &&
        !taken.has(character)
      );
    });
    if (!isHere) continue;
    const here = characters.slice(at, at + text.length);
    for (const character of here) taken.add(character);
    spans.push({ start: here[0]?.start ?? 0, end: here.at(-1)?.end ?? 0 });
    at += text.length - 1;
  }
  return spans;
}

function readCharacters(text: string): Character[] {
  const characters: Character[] = [];
  let start = 0;
  let punctuation = 0;
  for (const character of text) {
    const end = start + character.length;
    if (IS_WRITTEN.test(character)) {
      // Both ways: some letters have a second small form (`ſ`, `ς`).
      characters.push({ folded: character.toUpperCase().toLowerCase(), start, end, punctuation });
      punctuation = 0;
    } else punctuation++;
    start = end;
  }
  return characters;
}

const variants = (text: string): string[] => (text.startsWith(BRAZIL) ? [text, text.slice(BRAZIL.length)] : [text]);

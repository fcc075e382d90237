import type { useTranslations } from 'next-intl';

/** The translator of every text of a language, by its whole path. */
export type Texts = ReturnType<typeof useTranslations<never>>;

/**
 * A table of the reference, for the page and for Markdown. A cell is text with marks: `<c>` for
 * code, `<pt>` for what is Portuguese in every language, `<a href="#id">` for a section; with line
 * breaks it is a list. The first cell of a row is its name.
 */
export type Table = { label: string; head: string[]; rows: (string | number)[][] };

export const codeCell = (text: string): string => `<c>${text}</c>`;
export const codesCell = (texts: readonly string[]): string => texts.map(codeCell).join(', ');
export const portuguese = (text: string): string => `<pt>${text}</pt>`;
export const sectionLink = (id: string, text: string): string => `<a href="#${id}">${text}</a>`;

/** For texts whose tags stay tags. */
export const KEPT_MARKS = { c: (chunks: string | readonly string[]) => codeCell([chunks].flat().join('')) };

type Piece = { mark: 'c' | 'pt' | 'a' | null; text: string; href: string };

const MARK = /<(c|pt)>(.*?)<\/\1>|<a href="([^"]+)">(.*?)<\/a>/g;

/** Splits a line of a cell into pieces, each with its tag. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(MARK)) {
    const [whole, mark, text, href, linked] = match;
    pieces.push({ mark: null, text: line.slice(end, match.index), href: '' });
    pieces.push(
      href === undefined
        ? { mark: mark as 'c' | 'pt', text: text ?? '', href: '' }
        : { mark: 'a', text: linked ?? '', href },
    );
    end = match.index + whole.length;
  }
  return [...pieces, { mark: null, text: line.slice(end), href: '' }].filter(({ text }) => text !== '');
}

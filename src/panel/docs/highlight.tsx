import type { ReactNode } from 'react';
import classes from './docs-page.module.css';

/**
 * Texts between quotes (an apostrophe inside a word is none), numbers, and the words of JSON and
 * Python for nothing and truth.
 */
const TOKEN =
  /("(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)*'|`[^`]*`)(\s*:)?|\b-?\d+(?:\.\d+)?\b|\b(?:true|false|null|True|False|None)\b/g;

/** Code with its values in colour, and its names not. */
export function highlight(code: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [token, text, colon] = match;
    if (colon !== undefined) continue;
    parts.push(code.slice(end, match.index));
    parts.push(
      <span key={match.index} className={text === undefined ? classes.literal : classes.text}>
        {token}
      </span>,
    );
    end = match.index + token.length;
  }
  return [...parts, code.slice(end)];
}

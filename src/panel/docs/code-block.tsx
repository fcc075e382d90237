import type { ReactNode } from 'react';
import { CopyCode } from './copy-code.tsx';
import classes from './docs-page.module.css';
import type { SnippetLanguage } from './snippets.ts';

type Props = {
  title: string;
  code: string;
  /** Shown only when the reader has chosen this language at the top of the page. */
  language?: SnippetLanguage;
};

/** Code under its title, with a button that copies it and its values in colour. */
export const CodeBlock = ({ title, code, language }: Props) => (
  <figure className={classes.code} data-snippet={language}>
    <figcaption className={classes.codeTitle}>
      {title}
      <CopyCode />
    </figcaption>
    <pre>
      <code>{highlight(code)}</code>
    </pre>
  </figure>
);

/** A value as indented JSON, in a `CodeBlock`. */
export const JsonBlock = ({ title, value }: { title: string; value: unknown }) => (
  <CodeBlock title={title} code={JSON.stringify(value, null, 2)} />
);

/**
 * Matches comments, texts between quotes (an apostrophe inside a word begins none), numbers, and
 * the words of JSON and Python for null and booleans.
 */
const TOKEN =
  /(\/\*\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#) .*$)|("(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)*'|`[^`]*`)(\s*:)?|\b-?\d+(?:\.\d+)?\b|\b(?:true|false|null|True|False|None)\b/gm;

/** Highlights the comments and values of code, but not its names. */
function highlight(code: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [token, comment, text, colon] = match;
    if (colon !== undefined) continue;
    parts.push(code.slice(end, match.index));
    parts.push(
      <span key={match.index} className={comment ? classes.comment : text ? classes.text : classes.literal}>
        {token}
      </span>,
    );
    end = match.index + token.length;
  }
  return [...parts, code.slice(end)];
}

import { CopyCode } from './copy-code.tsx';
import classes from './docs-page.module.css';
import { highlight } from './highlight.tsx';
import type { SnippetLanguage } from './snippets.ts';

type Props = {
  title: string;
  code: string;
  /** Shown only when the reader has chosen this language at the top of the page. */
  language?: SnippetLanguage;
};

export function CodeBlock({ title, code, language }: Props) {
  return (
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
}

export const JsonBlock = ({ title, value }: { title: string; value: unknown }) => (
  <CodeBlock title={title} code={JSON.stringify(value, null, 2)} />
);

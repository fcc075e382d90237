import { useTranslations } from 'next-intl';
import type { ReactElement, ReactNode } from 'react';
import type { Messages } from '#messages/messages.ts';
import classes from './docs-page.module.css';
import { piecesOf, type Table } from './tables/table.ts';

/**
 * A section with its anchor. `side` is beside the text on a wide screen, below it on a narrow one.
 */
export function Section(props: { id: string; title: string; level?: 2 | 3; side?: ReactNode; children: ReactNode }) {
  const Heading = props.level === 3 ? 'h3' : 'h2';
  return (
    <section id={props.id} className={classes.section} data-split={props.side !== undefined}>
      <div className={classes.prose}>
        <Heading className={classes.heading}>
          <a href={`#${props.id}`}>{props.title}</a>
        </Heading>
        {props.children}
      </div>
      {props.side !== undefined && <div className={classes.side}>{props.side}</div>}
    </section>
  );
}

type Docs = Messages['docs'];
/** The sections whose title and text are in the catalogue. */
type ProseName = {
  [Name in keyof Docs]: Docs[Name] extends { title: string; text: string } ? Name : never;
}[keyof Docs];

/**
 * A section whose text is in the catalogue, with the tags of `MARKS`. `table` is what its tag of
 * that name stands for, `parts` are what its other tags stand for, `values` fill its placeholders.
 */
export function Prose(props: {
  id: ProseName;
  level?: 2 | 3;
  side?: ReactNode;
  table?: Table;
  parts?: Record<string, ReactElement>;
  values?: Record<string, string | number>;
}) {
  const { id, level = 2, side, table, values } = props;
  const t = useTranslations('docs');
  const title = t(`${id}.title`);
  const parts = { ...props.parts, ...(table && { table: <DocsTable table={table} /> }) };
  const marks = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, () => part]));
  return (
    <Section id={id} level={level} title={title} side={side}>
      {t.rich(`${id}.text`, { ...MARKS, ...values, ...marks })}
    </Section>
  );
}

const link = (href: string) => (text: ReactNode) => <a href={href}>{text}</a>;

/** The tags that the texts of the reference use. */
export const MARKS = {
  p: (text: ReactNode) => <p>{text}</p>,
  h3: (text: ReactNode) => <h3 className={classes.subheading}>{text}</h3>,
  ul: (items: ReactNode) => <ul className={classes.points}>{items}</ul>,
  ol: (items: ReactNode) => <ol className={classes.steps}>{items}</ol>,
  li: (text: ReactNode) => <li>{text}</li>,
  c: (text: ReactNode) => <code>{text}</code>,
  b: (text: ReactNode) => <strong>{text}</strong>,
  open: link('/api/openapi.json'),
  sandbox: link('#sandbox'),
  llms: link('/llms.txt'),
  standard: link('https://www.standardwebhooks.com'),
};

/** A table, which becomes a list of rows on a phone. */
export const DocsTable = ({ table: { label, head, rows } }: { table: Table }) => (
  <table className={classes.table} aria-label={label}>
    <thead>
      <tr>
        {head.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, ...cells], row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows and cells stay where they are.
        <tr key={row}>
          <th scope="row">{name !== undefined && <Cell text={String(name)} />}</th>
          {cells.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <td key={column}>
              <Cell text={String(cell)} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A text with the tags of a table; with line breaks it is a list. */
function Cell({ text }: { text: string }) {
  const lines = text.split('\n');
  if (lines.length === 1) return <Line text={text} />;
  return (
    <ul className="plain-list">
      {lines.map((line) => (
        <li key={line}>
          <Line text={line} />
        </li>
      ))}
    </ul>
  );
}

const Line = ({ text: line }: { text: string }) =>
  piecesOf(line).map(({ mark, text, href }, index) => {
    const key = `${index} ${text}`;
    if (mark === 'c') return <code key={key}>{text}</code>;
    if (mark === 'pt')
      return (
        <strong key={key} lang="pt-BR">
          {text}
        </strong>
      );
    if (mark === 'a')
      return (
        <a key={key} href={href}>
          {text}
        </a>
      );
    return text;
  });

/** Short values in one line, separated by commas. */
export const Codes = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => (
    <span key={text}>
      {index > 0 && ', '}
      <code>{text}</code>
    </span>
  ));

import type { ReactNode } from 'react';
import classes from './docs-page.module.css';

/** A section with its anchor. `side` stands beside the text on a wide screen, below it on a narrow one. */
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

/** A table, which becomes a list of rows on a phone. The first cell of a row is its name: a `th` with `scope="row"`. */
export function DocsTable(props: { label: string; head: string[]; children: ReactNode }) {
  return (
    <table className={classes.table} aria-label={props.label}>
      <thead>
        <tr>
          {props.head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}

/** Several short values in one line. */
export const Codes = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => (
    <span key={text}>
      {index > 0 && ', '}
      <code>{text}</code>
    </span>
  ));

import { type CSSProperties, type ReactNode, useContext } from 'react';
import classes from './data-table.module.css';
import { HeadingId } from './heading-id.ts';
import { LinkedRow } from './linked-row.tsx';

export type Column<Row, Name extends string = string> = {
  name: Name;
  cell: (row: Row) => ReactNode;
  /** Its cell names the row. */
  isHead?: boolean;
  /** Its cells end at the right, so that figures are aligned. */
  isNumeric?: boolean;
  /** Its heading is for screen readers only: its cells say by themselves what they are for. */
  isTitleHidden?: boolean;
  /** Where it is shown, if not in both the table and the list that a narrow screen makes of it. */
  only?: 'table' | 'list' | undefined;
  /**
   * Its width in pixels before its content is known, so that nothing moves while rows arrive;
   * content that needs more gets it. `rest`: texts, which share what the others leave.
   */
  width?: number | 'rest';
  /** Props of its cells, besides the class. */
  props?: (row: Row) => { title?: string; [name: `data-${string}`]: unknown };
};

/** What a table shows, and how. */
export type DataTableProps<Row, Name extends string> = {
  columns: readonly Column<Row, Name>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Returns the heading of a column; without it the table has no head. */
  title?: (name: Name) => ReactNode;
  caption?: ReactNode;
  /** The table's name, where neither its caption nor the heading above it says what it lists. */
  label?: string;
  /**
   * Where a narrow screen makes a list of it: `tablet` for many columns, or `phone`. `never`: a
   * small table inside something else.
   */
  folds?: 'tablet' | 'phone' | 'never';
  /**
   * The lines of a row once it is a list, with the names of its columns, as `grid-template-areas`
   * has them. Columns that no line names are left out. Without it, `classes` lays out the row.
   */
  lines?: readonly string[];
  /** Classes of `table`, `row` and each column by its name. */
  classes?: Readonly<Record<string, string>>;
  /**
   * Props of each row, besides its class. `isLink`: a cell has a `RowLink`, which the whole row
   * follows.
   */
  rowProps?: (row: Row) => Record<`data-${string}`, unknown>;
  isLink?: boolean;
  /** Consecutive rows of the same name get one heading, made from the first row. */
  groups?: { nameOf: (row: Row) => string; head: (first: Row) => ReactNode };
  /**
   * Columns whose cells carry their heading (`data-label`), for a list that would not say what a
   * figure is.
   */
  labelled?: readonly Name[];
  /** Shown instead of a row, e.g. the form that changes it. */
  instead?: (row: Row) => ReactNode;
};

/** The minimum width in pixels of a `rest` column: a short name. */
const REST_WIDTH_MIN = 110;

/** Rows under their columns; on a narrow screen a list. */
export function DataTable<Row, const Name extends string>(props: DataTableProps<Row, Name>) {
  const { rows, keyOf, title, caption, folds = 'phone', classes: own = {}, groups, lines, isLink = false } = props;
  const columns = lines ? props.columns.map((column) => inLines(column, lines)) : props.columns;
  const heading = useContext(HeadingId);
  const named = props.label || caption ? { 'aria-label': props.label } : { 'aria-labelledby': heading };
  const Tr = isLink ? LinkedRow : 'tr';
  const drawn = (row: Row) => {
    const other = props.instead?.(row);
    if (other) {
      return (
        <tr key={keyOf(row)} className={classes.whole}>
          <td colSpan={columns.length}>{other}</td>
        </tr>
      );
    }
    return (
      <Tr key={keyOf(row)} className={own.row} data-lines={lines?.length} {...props.rowProps?.(row)}>
        {columns.map(({ name, cell, isHead, isNumeric, only, width, props: cellProps }) => {
          const Cell = isHead ? 'th' : 'td';
          return (
            <Cell
              key={name}
              className={own[name]}
              style={lines && { gridArea: name }}
              data-ends-line={lines && endsLine(name, lines)}
              data-numeric={isNumeric}
              data-only={only}
              data-rest={width === 'rest' || undefined}
              data-label={props.labelled?.includes(name) ? title?.(name) : undefined}
              {...(isHead && { scope: 'row' })}
              {...cellProps?.(row)}
            >
              {cell(row)}
            </Cell>
          );
        })}
      </Tr>
    );
  };
  const widths = columns.flatMap(({ width = 0 }) => (width === 'rest' ? REST_WIDTH_MIN : width));
  const style = {
    '--width-min': `${widths.reduce((sum, width) => sum + width, 0)}px`,
    ...(lines && { '--lines': lines.map((line) => `"${line}"`).join(' ') }),
  } as CSSProperties;
  return (
    <div className={classes[folds]} style={style}>
      <table className={`${classes.table} ${own.table ?? ''}`} {...named}>
        {caption && <caption>{caption}</caption>}
        {title && (
          <thead>
            <tr>
              {columns.map(({ name, isNumeric, isTitleHidden, only, width }) => (
                <th
                  key={name}
                  data-numeric={isNumeric}
                  data-only={only}
                  style={typeof width === 'number' ? { width } : undefined}
                >
                  {isTitleHidden ? <span className="visually-hidden">{title(name)}</span> : title(name)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        {groups ? (
          grouped(rows, groups.nameOf).map(([first, ...others]) => (
            <tbody key={groups.nameOf(first)}>
              <tr className={`${classes.whole} ${classes.group}`}>
                <th colSpan={columns.length} scope="rowgroup">
                  {groups.head(first)}
                </th>
              </tr>
              {[first, ...others].map(drawn)}
            </tbody>
          ))
        ) : (
          <tbody>{rows.map(drawn)}</tbody>
        )}
      </table>
    </div>
  );
}

/** Whether a cell is the last of several in its line. */
const endsLine = (name: string, lines: readonly string[]) =>
  lines.map((line) => line.split(' ')).some((names) => names.length > 1 && names.indexOf(name) === names.length - 1);

/** A column that no line of a list names is the table's only. */
const inLines = <Row, Name extends string>(column: Column<Row, Name>, lines: readonly string[]): Column<Row, Name> =>
  lines.some((line) => line.split(' ').includes(column.name)) ? column : { ...column, only: 'table' };

/** Groups rows that follow each other and have the same name. */
function grouped<Row>(rows: readonly Row[], nameOf: (row: Row) => string): [Row, ...Row[]][] {
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && nameOf(last[0]) === nameOf(row)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

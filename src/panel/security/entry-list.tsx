import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable } from '#panel/shell/data-table.tsx';

type Props<Row> = {
  rows: readonly Row[];
  entry: (row: Row) => ReactNode;
  /** Shown at the end of the entry's line. */
  aside: (row: Row) => ReactNode;
};

/** A list inside a card: what each entry is, and when it was or what can be done with it. */
export const EntryList = <Row extends { id: string }>({ rows, entry, aside }: Props<Row>) => (
  <DataTable
    folds="never"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      { name: 'entry', cell: entry },
      { name: 'aside', cell: aside, isNumeric: true },
    ]}
  />
);

/** A button of an entry; `name` is its accessible name, which says on which entry it acts. */
export const EntryButton = ({ label, name, onClick }: { label: string; name: string; onClick: () => void }) => (
  <Button size="xs" variant="default" aria-label={name} onClick={onClick}>
    {label}
  </Button>
);

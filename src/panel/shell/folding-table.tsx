import { Table, type TableProps } from '@mantine/core';
import classes from './folding-table.module.css';

type Props = TableProps & {
  /** `early`: its columns are many, so it becomes a list on a tablet already. */
  folds?: 'early';
};

/** A table in a card of its own; on a narrow screen a list, whose rows each table lays out itself. */
export const FoldingTable = ({ folds, ...props }: Props) => (
  <Table
    className={`${classes.frame} ${folds === 'early' ? classes.foldsEarly : classes.folds}`}
    fz={14}
    verticalSpacing={6}
    horizontalSpacing="md"
    withRowBorders={false}
    {...props}
  />
);

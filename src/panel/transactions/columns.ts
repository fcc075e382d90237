import { useLocalStorage } from '@mantine/hooks';

/**
 * The columns that a table of transactions can show, from left to right, with their widths in
 * pixels: those of their usual content, with the space around it.
 */
export const COLUMN_WIDTHS = {
  when: 152,
  type: 142,
  who: 'rest',
  description: 'rest',
  status: 130,
  id: 288,
  reference: 256,
  paid_at: 152,
  fee: 96,
  net: 116,
  refunded: 116,
  coins: 164,
  amount: 132,
} as const;
export type ColumnName = keyof typeof COLUMN_WIDTHS;
export const COLUMNS = Object.keys(COLUMN_WIDTHS) as ColumnName[];

/** Columns that are always shown: a table without them would say nothing. */
export const FIXED_COLUMNS: readonly ColumnName[] = ['when', 'status', 'amount'];
const DEFAULT_COLUMNS: readonly ColumnName[] = ['when', 'type', 'who', 'description', 'status', 'amount'];

/**
 * Returns the columns that this browser shows, in the table's order, and the function that chooses
 * them.
 */
export function useColumns(): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  // The server does not know the choice: it is read once the page is there.
  const [chosen, setChosen] = useLocalStorage<readonly string[]>({
    key: 'trilho.transactions.columns',
    defaultValue: DEFAULT_COLUMNS,
  });
  const columns = COLUMNS.filter((column) => FIXED_COLUMNS.includes(column) || chosen.includes(column));
  return [columns, setChosen];
}

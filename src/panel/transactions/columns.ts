import { useLocalStorage } from '@mantine/hooks';

/** What a table of transactions can show, from left to right. */
export const COLUMNS = [
  'when',
  'type',
  'who',
  'description',
  'status',
  'id',
  'reference',
  'paid_at',
  'fee',
  'net',
  'refunded',
  'coins',
  'amount',
] as const;
export type Column = (typeof COLUMNS)[number];

/** A table without them would say nothing. */
export const FIXED_COLUMNS: readonly Column[] = ['when', 'status', 'amount'];
const DEFAULT_COLUMNS: readonly Column[] = ['when', 'type', 'who', 'description', 'status', 'amount'];

/** The columns that this browser shows, in the table's order. */
export function useColumns(): [readonly Column[], (columns: readonly Column[]) => void] {
  const [chosen, setChosen] = useLocalStorage<readonly string[]>({
    key: 'trilho.transactions.columns',
    defaultValue: DEFAULT_COLUMNS,
    getInitialValueInEffect: false,
  });
  const columns = COLUMNS.filter((column) => FIXED_COLUMNS.includes(column) || chosen.includes(column));
  return [columns, setChosen];
}

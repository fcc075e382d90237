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
/**
 * Pixels that each is given before its content is known, so that nothing moves while rows arrive:
 * of its usual content, with the space around it. Content that needs more gets it. Texts share what
 * the others leave.
 */
export const COLUMN_WIDTHS: Readonly<Record<Column, number | null>> = {
  when: 152,
  type: 142,
  who: null,
  description: null,
  status: 130,
  id: 288,
  reference: 256,
  paid_at: 152,
  fee: 96,
  net: 116,
  refunded: 116,
  coins: 164,
  amount: 132,
};
/** Of a column that takes what the others leave: a short name. */
const TEXT_WIDTH_MIN = 110;

/** Pixels below which a table of these columns is scrolled. */
export const tableWidthMin = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + (COLUMN_WIDTHS[column] ?? TEXT_WIDTH_MIN), 0);

const DEFAULT_COLUMNS: readonly Column[] = ['when', 'type', 'who', 'description', 'status', 'amount'];

/** The columns that this browser shows, in the table's order. */
export function useColumns(): [readonly Column[], (columns: readonly Column[]) => void] {
  // The page is made by a server, which does not know the choice: it is read once the page is
  // there.
  const [chosen, setChosen] = useLocalStorage<readonly string[]>({
    key: 'trilho.transactions.columns',
    defaultValue: DEFAULT_COLUMNS,
  });
  const columns = COLUMNS.filter((column) => FIXED_COLUMNS.includes(column) || chosen.includes(column));
  return [columns, setChosen];
}

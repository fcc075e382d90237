import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { type SealedColumnName, sealContext } from '../encryption/sealed-columns.ts';

/** The texts of a transaction that are kept sealed, by the names that rows have here. */
const COLUMNS = {
  description: 'transactions.description',
  reference: 'transactions.reference',
  metadata: 'transactions.metadata',
  customerName: 'transactions.customer_name',
  customerEmail: 'transactions.customer_email',
  customerPhone: 'transactions.customer_phone',
  customerDocument: 'transactions.customer_document',
  receiverName: 'transactions.receiver_name',
  receiverDocument: 'transactions.receiver_document',
} as const satisfies Record<string, SealedColumnName>;

export type TransactionText = keyof typeof COLUMNS;

/** A text of a transaction as it is kept; null stays null. */
export const sealTransactionText = (
  box: SecretBox,
  id: string,
  name: TransactionText,
  text: string | null,
): string | null => (text === null ? null : box.seal(text, sealContext(COLUMNS[name], { id })));

/**
 * A row of transactions with its texts opened; a text that the row does not select is not added.
 */
export function openTransaction<Row extends { id: string } & { [Name in TransactionText]?: string | null }>(
  box: SecretBox,
  row: Row,
): Row {
  const opened: Partial<Record<TransactionText, string>> = {};
  for (const name of Object.keys(COLUMNS) as TransactionText[]) {
    const sealed = row[name];
    if (sealed) opened[name] = box.open(sealed, sealContext(COLUMNS[name], row as never));
  }
  return { ...row, ...opened };
}

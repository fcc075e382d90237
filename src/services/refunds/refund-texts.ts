import { type SealedColumnName, sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

/** The texts of a refund that are stored sealed, by their names in a row. */
const COLUMNS = {
  description: 'refunds.description',
  reference: 'refunds.reference',
  metadata: 'refunds.metadata',
} as const satisfies Record<string, SealedColumnName>;

type RefundTexts = { id: string } & Record<keyof typeof COLUMNS, string | null>;

/** Seals the description of a refund for the database. */
export const sealRefundDescription = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  { id, description }: Pick<RefundTexts, 'id' | 'description'>,
): string | null =>
  description === null ? null : secretBox.seal(description, sealContext(COLUMNS.description, { id }));

/** A row of refunds with its texts readable. */
export function openRefund<Row extends RefundTexts>({ secretBox }: Pick<Deps, 'secretBox'>, row: Row): Row {
  const open = (name: keyof typeof COLUMNS) => {
    const sealed = row[name];
    return sealed === null ? null : secretBox.open(sealed, sealContext(COLUMNS[name], { id: row.id }));
  };
  return { ...row, description: open('description'), reference: open('reference'), metadata: open('metadata') };
}

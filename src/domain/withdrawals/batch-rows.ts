import type { BatchRow } from './payout-batch.ts';
import { pixKeyType } from './pix-key.ts';

type Kept = [centavos: string, type: string, key: string, description: string | null];

/** The rows of a batch as the text that is kept of them: a line each, in the order of the file. */
export const encodeBatchRows = (rows: readonly BatchRow[]): string =>
  rows
    .map((row): Kept => [String(row.amountCentavos), row.pixKeyType, row.pixKey, row.description])
    .map((kept) => JSON.stringify(kept))
    .join('\n');

/** The rows that a kept text has. */
export const decodeBatchRows = (text: string): BatchRow[] =>
  text.split('\n').map((line) => {
    const [centavos, type, pixKey, description] = JSON.parse(line) as Kept;
    const known = pixKeyType(type);
    if (known === null) throw new Error(`A row of a batch has a key of type ${type}.`);
    return { amountCentavos: BigInt(centavos), pixKeyType: known, pixKey, description };
  });

/**
 * What is the same for the same rows in any order: so a file is found again that was sorted, or
 * written by another program.
 */
export const batchRowsKey = (text: string): string => text.split('\n').sort().join('\n');

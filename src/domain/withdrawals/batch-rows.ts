import type { BatchRow } from './payout-batch.ts';
import { pixKeyType } from './pix-key.ts';

/**
 * A row without a reference is stored as before references existed, so that the same file has the
 * same key.
 */
type Kept = [centavos: string, type: string, key: string, description: string | null, reference?: string];

/**
 * Returns the rows of a batch as the text that is stored of them: a line each, in the order of the
 * file.
 */
export const encodeBatchRows = (rows: readonly BatchRow[]): string =>
  rows
    .map(({ amountCentavos, pixKeyType, pixKey, description, reference }): Kept => {
      const rest = reference === null ? ([] as const) : ([reference] as const);
      return [String(amountCentavos), pixKeyType, pixKey, description, ...rest];
    })
    .map((kept) => JSON.stringify(kept))
    .join('\n');

/** Returns the rows of a stored text. Throws for a type of key that does not exist. */
export const decodeBatchRows = (text: string): BatchRow[] =>
  text.split('\n').map((line) => {
    const [centavos, type, pixKey, description, reference = null] = JSON.parse(line) as Kept;
    const known = pixKeyType(type);
    if (known === null) throw new Error(`A row of a batch has a key of type ${type}.`);
    return { amountCentavos: BigInt(centavos), pixKeyType: known, pixKey, description, reference };
  });

/**
 * Returns a key that is the same for the same rows in any order and in either form of accents
 * (`é` as one character, or as two): by it a file is recognised that was sorted or written by
 * another program.
 */
export const batchRowsKey = (text: string): string => batchRowsKeyAsWritten(text.normalize('NFC'));

/**
 * Returns the key of rows that were stored before accents had one form. A database may have such
 * batches, whose fingerprints no migration can make again, and a file of theirs that was not
 * recognised would be paid twice.
 */
export const batchRowsKeyAsWritten = (text: string): string => text.split('\n').sort().join('\n');

import type { Pseudonyms } from '#db/customers/erase-personal-data.ts';
import { BATCH_ROWS_INDEX, batchRowsOfAccount, sealContext } from '#db/encryption/sealed-columns.ts';
import { parseJson } from '#domain/values/parse-json.ts';
import { encodeBatchRows } from '#domain/withdrawals/batch-rows.ts';
import type { Deps } from '../deps.ts';
import { openEventBody, sealEventBody } from '../webhooks/seal-event-body.ts';
import { openBatchRows } from '../withdrawals/get-payout-batch.ts';
import { ERASED_KEY } from './get-customer.ts';

/** Makes the replacements for personal data, each sealed for its row. */
export function createPseudonyms({ secretBox }: Pick<Deps, 'secretBox'>, accountId: string): Pseudonyms {
  return {
    pixKey: (id) => secretBox.seal(ERASED_KEY, sealContext('transactions.pix_key', { id })),
    batch({ id, sealed }, erased) {
      const numbers = new Map(erased.map(({ number, withdrawalId }) => [number, withdrawalId]));
      // Two batches may differ only in who was paid: they must stay different.
      const rows = openBatchRows({ secretBox }, { id, sealed }).map((row, at) => {
        const withdrawalId = numbers.get(at + 1);
        return withdrawalId === undefined ? row : { ...row, pixKey: `${ERASED_KEY}${withdrawalId}`, description: null };
      });
      const text = encodeBatchRows(rows);
      return {
        sealed: secretBox.seal(text, sealContext('payout_batches.sealed', { id })),
        rowsIndex: secretBox.fingerprint(batchRowsOfAccount(accountId, text), BATCH_ROWS_INDEX),
      };
    },
    answer({ key, body }) {
      const context = sealContext('idempotency_keys.body', { account_id: accountId, key });
      return secretBox.seal(withoutPerson(secretBox.open(body, context)), context);
    },
    event: ({ id, body }) => sealEventBody({ secretBox }, id, withoutPerson(openEventBody({ secretBox }, id, body))),
  };
}

/**
 * Removes the payer's data and the merchant's texts from the answer of a charge or the body of an
 * event.
 */
export function withoutPerson(body: string): string {
  const whole = parseJson(body);
  const data = isObject(whole) && isObject(whole.data) ? whole.data : null;
  if (data === null) return body;
  const emptied = Object.entries(data).map(([name, value]) => [name, WRITTEN.has(name) ? emptyOf(name, value) : value]);
  return JSON.stringify({ ...(whole as object), data: Object.fromEntries(emptied) });
}

const WRITTEN = new Set([
  ...['customer', 'payer', 'description', 'reference', 'metadata'],
  ...['refund_description', 'refund_reference', 'refund_metadata'],
]);

/** An answer always has a customer, whose members may be null. */
const emptyOf = (name: string, value: unknown) =>
  name === 'customer' && isObject(value)
    ? Object.fromEntries(Object.keys(value).map((member) => [member, null]))
    : null;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

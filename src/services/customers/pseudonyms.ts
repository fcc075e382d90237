import type { Pseudonyms } from '#db/customers/erase-personal-data.ts';
import { BATCH_ROWS_INDEX, batchRowsOfAccount, sealContext } from '#db/encryption/sealed-columns.ts';
import { ERASED_KEY } from '#domain/customers/erased-key.ts';
import { parseJson } from '#domain/values/parse-json.ts';
import { encodeBatchRows } from '#domain/withdrawals/batch-rows.ts';
import type { Deps } from '../deps.ts';
import { openEventBody, sealEventBody } from '../webhooks/seal-event-body.ts';
import { openBatchRows } from '../withdrawals/get-payout-batch.ts';

/** Makes the replacements for personal data, each sealed for its row. */
export function createPseudonyms({ secretBox }: Pick<Deps, 'secretBox'>, accountId: string): Pseudonyms {
  return {
    pixKey: (id) => secretBox.seal(ERASED_KEY, sealContext('transactions.pix_key', { id })),
    batch({ id, sealed }, erased) {
      const numbers = new Map(erased.map(({ number, withdrawalId }) => [number, withdrawalId]));
      // Two batches may differ only in who was paid: they must stay different.
      const rows = openBatchRows({ secretBox }, { id, sealed }).map((row, at) => {
        const withdrawalId = numbers.get(at + 1);
        return withdrawalId === undefined
          ? row
          : { ...row, pixKey: `${ERASED_KEY}${withdrawalId}`, description: null, reference: null };
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
 * Removes the data of payer and receiver and the merchant's texts from a kept answer or the body of
 * an event, however deep they are: an answer of the panel has that of REST inside.
 */
function withoutPerson(body: string): string {
  const whole = parseJson(body);
  return isObject(whole) ? JSON.stringify(emptied(whole)) : body;
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, WRITTEN.has(name) ? emptyOf(name, member) : emptied(member)]),
  );
}

const WRITTEN = new Set([
  ...['customer', 'payer', 'pix_key', 'description', 'reference', 'metadata'],
  ...['refund_description', 'refund_reference', 'refund_metadata'],
]);

/** An answer always has a customer, whose members may be null, and a withdrawal's a key. */
function emptyOf(name: string, value: unknown): unknown {
  if (name === 'customer' && isObject(value)) {
    return Object.fromEntries(Object.keys(value).map((member) => [member, null]));
  }
  return name === 'pix_key' && value !== null ? ERASED_KEY : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

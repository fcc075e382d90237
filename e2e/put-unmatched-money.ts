import pg from 'pg';
import { withContext } from '../src/cli/context.ts';
import { sealContext } from '../src/db/encryption/sealed-columns.ts';
import { recordForeignPayout } from '../src/db/unmatched/foreign-payouts.ts';
import { recordUnmatched } from '../src/db/unmatched/unmatched.ts';
import { uuidv7 } from '../src/domain/values/uuid.ts';

/** Money as a sweep finds it over an account's own credentials. */
export type UnmatchedMoney = {
  accountId: string;
  centavos: number;
  /** What the payer wrote. */
  note?: string;
  /** Whether it was sent in the bank's application, instead of received. */
  isSent?: boolean;
};

let made = 0;

/**
 * Puts a payment without a charge into the sandbox's PSP, and names its account to the service:
 * accounts in test mode have no credentials of their own. With `isSent` it records a payout
 * instead. Returns its end-to-end id.
 */
export function putUnmatchedMoney({ accountId, centavos, note, isSent = false }: UnmatchedMoney): Promise<string> {
  return withContext(async ({ db, ownerUrl, secretBox, clock }) => {
    const now = clock();
    const id = uuidv7(now);
    const number = `${process.pid}${String(++made).padStart(4, '0')}`.padStart(11, '0').slice(-11);
    const endToEndId = `E99999999202611201200${number}`;
    const common = { id, rail: 'sandbox', mode: 'test', accountId, endToEndId, centavos: BigInt(centavos) } as const;
    if (isSent) {
      await recordForeignPayout(db.pool, { ...common, sentAt: now, createdAt: now });
      return endToEndId;
    }
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    await owner.query(
      `INSERT INTO sandbox.payments (end_to_end_id, document, txid, chave, amount_centavos, paid_at)
       SELECT $1, document, NULL, chave, $2, $3 FROM sandbox.payments LIMIT 1`,
      [endToEndId, centavos, now],
    );
    await owner.end();
    const payerNote = note ? secretBox.seal(note, sealContext('unmatched_payments.payer_note', { id })) : null;
    await recordUnmatched(db.pool, { ...common, txid: null, payerNote, paidAt: now, createdAt: now });
    return endToEndId;
  });
}

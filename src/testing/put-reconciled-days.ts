import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';

const DAY_MS = 86_400_000;

export type ReconciledDays = {
  accountId: string;
  days: number;
  /** The transaction of one of the items that differ. */
  transactionId?: string;
  /** Adds a day of a crypto processor, which agrees. */
  coins?: boolean;
};

type Installation = { deps: { clock: () => Date }; asOwner(sql: string): Promise<void> };

/**
 * Gives an account credentials of its own and reconciled days: today is not compared yet, and the
 * day before differs. Accounts of the tests have no such credentials, because their PSP would have
 * to answer.
 */
export async function putReconciledDays(
  { deps, asOwner }: Installation,
  { accountId, days, transactionId, coins }: ReconciledDays,
): Promise<void> {
  const now = deps.clock();
  const rail = `own-${uuidv7(now)}`;
  const dayAt = (ago: number) => dateInSaoPaulo(new Date(now.getTime() - ago * DAY_MS));
  await asOwner(`INSERT INTO reconciled_rails (rail, currency, account_id, first_day, since, opening_amount)
    VALUES ('${rail}', 'BRL', '${accountId}', '${dayAt(days - 1)}', '${now.toISOString()}', 0)`);
  // The PSP's figures of each day: about R$ 1,230.00 came, R$ 12.50 went back, R$ 40.00 was sent.
  await asOwner(`INSERT INTO reconciled_days (id, rail, currency, day, checked_at, read_until, theirs_received_amount, theirs_returned_amount,
      theirs_sent_amount, ours_received_amount, ours_returned_amount, ours_sent_amount)
    SELECT gen_random_uuid(), '${rail}', 'BRL', d::date, d + interval '30 hours', d + interval '30 hours', 123000, 1250, 4000, 123000, 1250, 4000
    FROM generate_series('${dayAt(days - 1)}'::timestamptz, '${dayAt(1)}'::timestamptz, interval '1 day') AS d`);
  await asOwner(
    `INSERT INTO reconciled_days (id, rail, currency, day) VALUES (gen_random_uuid(), '${rail}', 'BRL', '${dayAt(0)}')`,
  );
  const item = (fields: object) => ({
    ...{ kind: 'payment', return_id: null, transaction_id: transactionId ?? null },
    ...{ theirs_at: `${dayAt(1)}T14:05:10.000Z`, ours_at: `${dayAt(1)}T14:05:12.000Z`, unexplained_amount: 0 },
    ...fields,
  });
  const id = (end: string) => ({ key: `E9999999920261120${end}`, end_to_end_id: `E9999999920261120${end}` });
  const items = [
    item({
      ...{ why: 'missing_there', ...id('1405AbCdEfGhIjK'), theirs_amount: null, ours_amount: 1300 },
      ...{ theirs_at: null, unexplained_amount: -1300 },
    }),
    item({
      ...{ why: 'other_amount', ...id('1412QrStUvWxYzA'), theirs_amount: 1701, ours_amount: 1700 },
      ...{ unexplained_amount: 1, transaction_id: null },
    }),
    item({
      why: 'other_day',
      ...id('2359LmNoPqRsTuV'),
      theirs_amount: 555,
      ours_amount: 555,
      transaction_id: null,
    }),
  ];
  await asOwner(`UPDATE reconciled_days SET theirs_received_amount = 121701, ours_received_amount = 122445,
      explained_amount = 555, difference_amount = -1299, unexplained_amount = 1301, item_count = 3, items = '${JSON.stringify(items)}',
      balance_amount = ${BigInt(days - 2) * 117_750n + 116_451n}
    WHERE rail = '${rail}' AND day = '${dayAt(1)}'`);
  if (coins) await putCoinDay({ deps, asOwner }, accountId, dayAt(1));
}

/**
 * 12.5 USDT came, 3.00000051 were to be sent, of which the network takes six decimals, and 2 were
 * sent at the processor itself.
 */
async function putCoinDay({ deps, asOwner }: Installation, accountId: string, day: string): Promise<void> {
  const rail = `own-${uuidv7(deps.clock())}`;
  const item = (fields: object) => ({
    ...{ kind: 'payout', end_to_end_id: null, return_id: null, transaction_id: null, unexplained_amount: 0 },
    ...{ theirs_at: `${day}T14:05:10.000Z`, ours_at: null, ours_amount: null, ours_day_centavos: 0 },
    ...fields,
  });
  const items = [
    item({ why: 'foreign', key: '6ab2a5a944c0a2412901e063', theirs_amount: -200_000_000 }),
    item({
      ...{ why: 'remainder', key: '5edf873d9ed3a558712be543', theirs_amount: -300_000_000 },
      ...{ ours_at: `${day}T14:06:10.000Z`, ours_amount: -300_000_051, ours_day_centavos: -1620 },
    }),
  ];
  await asOwner(`INSERT INTO reconciled_rails (rail, currency, account_id, first_day, since, opening_amount)
    VALUES ('${rail}', 'USDT_TRX', '${accountId}', '${day}', '${deps.clock().toISOString()}', 0);
    INSERT INTO reconciled_days (id, rail, currency, day, checked_at, read_until, theirs_received_amount, theirs_sent_amount,
      theirs_fees_amount, ours_received_amount, ours_sent_amount, ours_received_centavos, ours_sent_centavos, explained_amount,
      balance_amount, item_count, items)
    SELECT gen_random_uuid(), '${rail}', 'USDT_TRX', '${day}', ends_at + interval '4 hours', ends_at + interval '4 hours',
      1250000000, 500000000, 206250000, 1250000000, 300000051, 6750, 1620, -199999949, 154309374911, 2, '${JSON.stringify(items)}'
    FROM day_bounds('${day}')`);
}

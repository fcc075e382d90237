import fc from 'fast-check';
import type pg from 'pg';
import { expect } from 'vitest';
import { findCharge } from '#db/charges/charges.ts';
import { recordForeignRefund } from '#db/refunds/foreign-refunds.ts';
import { chargeChanges } from '#db/testing/charge-changes.ts';
import {
  insertTransaction,
  type TestAccount,
  type TestTransaction,
  writeDisputesOfPostings,
} from '#db/testing/ledger-fixture.ts';
import { credited, invoiceChanges, seen } from '#db/testing/ledger-invoices.ts';
import { newRefund, refundChanges } from '#db/testing/ledger-refunds.ts';
import { newCryptoOut, newPixOut, withdrawalChanges } from '#db/testing/ledger-withdrawals.ts';
import { postPart } from '#db/testing/postings.ts';
import { SETTLED_STATUS } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';

/**
 * Random histories of an account, written as the use cases write them, and the plain sums that they
 * come to. Amounts are centavos.
 */

export type MoneyStep = { afterMinutes: number; amount: bigint; percent: number } & (
  | {
      do: 'charge';
      fate: 'pay' | 'expire' | 'cancel' | 'wait' | 'review';
      splitPercent: number | null;
      isMine: boolean;
    }
  | { do: 'invoice'; fate: 'wait' | 'see' | 'lose' | 'credit' | 'credit twice'; arrivedPercent: number }
  | { do: 'withdraw'; type: 'pix_out' | 'crypto_out'; fate: 'hold' | 'complete' | 'fail' | 'complete, then review' }
  | { do: 'refund'; fate: 'hold' | 'complete' | 'fail'; ago: number }
  | { do: 'dispute'; ago: number }
  /** Without a request, whatever the account has. `isWhole`: also where a part went back before. */
  | { do: 'refund at the bank'; ago: number; isWhole: boolean }
);

/**
 * From `received` to `heldFees`: amounts that came and went. Then the balances, what is owed, and
 * the most that was owed.
 */
export type Tally = Record<
  | 'received'
  | 'fees'
  | 'splitsReceived'
  | 'splitsGiven'
  | 'sent'
  | 'refunded'
  | 'heldFees'
  | 'available'
  | 'pending'
  | 'blocked'
  | 'owed'
  | 'owedMost',
  bigint
>;

export const emptyTally = (): Tally => ({
  received: 0n,
  fees: 0n,
  splitsReceived: 0n,
  splitsGiven: 0n,
  sent: 0n,
  refunded: 0n,
  heldFees: 0n,
  available: 0n,
  pending: 0n,
  blocked: 0n,
  owed: 0n,
  owedMost: 0n,
});

const common = {
  /** Up to two days: a history of twenty steps lies in several weeks. */
  afterMinutes: fc.integer({ min: 1, max: 2 * 24 * 60 }),
  amount: fc.oneof(fc.bigInt(1n, 500n), fc.bigInt(1n, 50_000_000n)),
  // A fee of the whole amount would leave the balance unchanged: no entry of a statement could show
  // it.
  percent: fc.integer({ min: 0, max: 90 }),
};

/** Charges and invoices come often, so that there is something to give back and to send. */
export const someMoneyStep: fc.Arbitrary<MoneyStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...common,
      do: fc.constant('charge' as const),
      fate: fc.constantFrom('pay' as const, 'pay' as const, 'pay' as const, 'expire', 'cancel', 'wait', 'review'),
      splitPercent: fc.option(common.percent),
      isMine: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...common,
      do: fc.constant('invoice' as const),
      fate: fc.constantFrom('credit' as const, 'credit twice' as const, 'wait', 'see', 'lose'),
      arrivedPercent: fc.constantFrom(50, 99, 100, 130),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...common,
      do: fc.constant('withdraw' as const),
      type: fc.constantFrom('pix_out' as const, 'crypto_out' as const),
      fate: fc.constantFrom('hold' as const, 'complete' as const, 'fail' as const, 'complete, then review' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...common,
      do: fc.constant('refund' as const),
      fate: fc.constantFrom('hold' as const, 'complete' as const, 'complete' as const, 'fail' as const),
      ago: fc.nat({ max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...common, do: fc.constant('dispute' as const), ago: fc.nat({ max: 20 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...common,
      do: fc.constant('refund at the bank' as const),
      ago: fc.nat({ max: 20 }),
      isWhole: fc.boolean(),
    }),
  },
);

type Place = {
  db: pg.Pool;
  account: TestAccount;
  other: TestAccount;
  now: () => Date;
  /** Readers of the database open it. */
  sealPixKey: (withdrawalId: string) => string;
};

/**
 * Carries steps out on `account`, one after the other; `tally` has their sums. `other` shares
 * charges with it.
 */
export function createMoneyHistory({ db, account, other, now, sealPixKey }: Place) {
  const tally = emptyTally();
  const paid: { charge: TestTransaction; returnable: bigint; isDisputed: boolean }[] = [];
  const charges = chargeChanges(db);
  const invoices = invoiceChanges(db, now);
  const withdrawals = withdrawalChanges(db);
  const refunds = refundChanges(db, now);
  const add = (changes: Partial<Tally>) => {
    for (const [name, centavos] of Object.entries(changes)) tally[name as keyof Tally] += centavos;
    // Money that the account lacks is owed, and incoming money pays that first.
    const own = tally.available - tally.owed;
    tally.available = own > 0n ? own : 0n;
    tally.owed = own < 0n ? -own : 0n;
    if (tally.owed > tally.owedMost) tally.owedMost = tally.owed;
  };

  async function charge(step: MoneyStep & { do: 'charge' }) {
    const { amount, fate, splitPercent, isMine } = step;
    const feeCentavos = share(amount, step.percent);
    const split = splitPercent === null ? 0n : share(amount - feeCentavos, splitPercent);
    const [owner, receiver] = isMine || split === 0n ? [account, other] : [other, account];
    const made = await insertTransaction(db, {
      account: owner,
      amountCentavos: amount,
      feeCentavos,
      split: split === 0n ? null : { account: receiver, centavos: split },
    });
    if (fate === 'expire' || fate === 'cancel')
      await charges.close(made.id, { to: fate === 'expire' ? 'expired' : 'cancelled', now: now() });
    if (fate === 'review') await charges.review(made.id, { now: now() });
    if (fate !== 'pay') return;
    await charges.pay(made.id, { now: now(), paidAt: now() });
    if (owner !== account) return add({ splitsReceived: split, available: split });
    const net = amount - feeCentavos - split;
    add({ received: amount, fees: feeCentavos, splitsGiven: split, available: net });
    paid.push({ charge: made, returnable: amount, isDisputed: false });
  }

  async function invoice(step: MoneyStep & { do: 'invoice' }) {
    const { amount, fate, arrivedPercent } = step;
    const asked = {
      account,
      type: 'crypto_in' as const,
      amountCentavos: amount,
      feeCentavos: share(amount, step.percent),
    };
    const made = await insertTransaction(db, asked);
    const arrived = share(amount, arrivedPercent);
    if (fate === 'wait' || arrived === 0n) return;
    const fee = share(arrived, step.percent);
    await invoices.bring(made.id, seen({ arrived, pending: arrived - fee }));
    if (fate === 'see') return add({ pending: arrived - fee });
    if (fate === 'lose') {
      await invoices.bring(made.id, { ...seen({ arrived: 0n }), status: 'expired', event: 'expired' });
      return;
    }
    const name = arrivedPercent === 100 ? null : arrivedPercent < 100 ? 'underpaid' : 'overpaid';
    await invoices.bring(made.id, credited({ arrived, fee }, name));
    add({ received: arrived, fees: fee, available: arrived - fee });
    if (fate === 'credit') return;
    const more = amount + 1n;
    await invoices.bring(made.id, credited({ arrived: arrived + more, fee: fee + 1n }, 'paid_again', 'overpaid'));
    add({ received: more, fees: 1n, available: amount });
  }

  async function withdraw(step: MoneyStep & { do: 'withdraw' }) {
    const { type, fate } = step;
    const amount = share(tally.available, step.percent);
    const fee = type === 'pix_out' ? step.amount % 200n : share(amount, step.percent / 2);
    const sent = type === 'pix_out' ? amount : amount - fee;
    if (amount === 0n || sent + fee > tally.available) return;
    const make = type === 'pix_out' ? newPixOut : newCryptoOut;
    const asked = make(account, { amountCentavos: amount, feeCentavos: fee, now: now() });
    if (asked.type === 'pix_out') asked.pixKey.sealed = sealPixKey(asked.id);
    const id = await withdrawals.sent(asked);
    const total = sent + fee;
    if (fate === 'hold') return add({ available: -total, blocked: total, heldFees: fee });
    if (fate === 'fail') return void (await withdrawals.fail(id, { now: now() }));
    await withdrawals.complete(id, { now: now(), paidAt: now() });
    add({ available: -total, sent, fees: fee });
    if (fate !== 'complete') await withdrawals.review(id, { from: SETTLED_STATUS[type], now: now() });
  }

  async function refund(step: MoneyStep & { do: 'refund' }) {
    const subject = paid.at(-1 - (step.ago % paid.length));
    if (!subject || subject.isDisputed) return;
    // Often all of it: a whole refund has a badge of its own.
    const centavos = step.percent > 60 ? subject.returnable : share(subject.returnable, step.percent);
    if (centavos <= 0n || centavos > tally.available) return;
    const asked = newRefund(subject.charge, centavos);
    const outcome = await refunds.request(asked);
    if (outcome !== 'requested') throw new Error(outcome);
    if (step.fate === 'fail') return void (await refunds.finish(asked.id, false));
    subject.returnable -= centavos;
    if (step.fate === 'hold') return add({ available: -centavos, blocked: centavos });
    await refunds.finish(asked.id, true);
    add({ available: -centavos, refunded: centavos });
  }

  async function dispute(step: MoneyStep & { do: 'dispute' }) {
    const subject = paid.at(-1 - (step.ago % paid.length));
    const centavos = subject ? share(subject.returnable, step.percent) : 0n;
    if (!subject || subject.isDisputed || centavos <= 0n || centavos > tally.available) return;
    const reference = `dispute-${step.ago}-${paid.length}-${centavos}-${now().getTime()}`;
    await postPart(db, 'dispute', { transactionId: subject.charge.id, reference, centavos, now: now() });
    await writeDisputesOfPostings(db);
    subject.isDisputed = true;
    subject.returnable -= centavos;
    add({ available: -centavos, blocked: centavos });
  }

  async function refundAtBank(step: MoneyStep & { do: 'refund at the bank' }) {
    const subject = paid.at(-1 - (step.ago % paid.length));
    if (!subject) return;
    // The return mechanism may take all of a payment beside a refund of it.
    const isWhole = step.isWhole && !subject.isDisputed;
    const centavos = isWhole ? subject.charge.amountCentavos : share(subject.returnable, step.percent);
    if (centavos <= 0n) return;
    const charge = await findCharge(db, subject.charge.id);
    if (!charge?.endToEndId) throw new Error(`Charge ${subject.charge.id} is not paid.`);
    const id = uuidv7(now());
    const { rail, endToEndId } = charge;
    const made = { refundId: id, returnId: null, kind: 'made_at_bank' as const, centavos, at: now() };
    const refund = { id, rail, endToEndId, ...made };
    const event = { eventId: uuidv7(now()), eventType: 'pix_in.refunded', eventBody: '{}' };
    expect(await recordForeignRefund(db, refund, { ...charge, ...event }, now())).toBe('booked');
    subject.returnable -= centavos;
    add({ available: -centavos, refunded: centavos });
  }

  return {
    tally,
    async happens(step: MoneyStep): Promise<void> {
      if (step.do === 'charge') await charge(step);
      else if (step.do === 'invoice') await invoice(step);
      else if (step.do === 'withdraw') await withdraw(step);
      else if (step.do === 'refund') await refund(step);
      else if (step.do === 'dispute') await dispute(step);
      else await refundAtBank(step);
    },
  };
}

const share = (centavos: bigint, percent: number): bigint => (centavos * BigInt(Math.floor(percent))) / 100n;

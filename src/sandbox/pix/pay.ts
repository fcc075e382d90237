import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { fromDecimal } from '#domain/values/money.ts';
import { controlProblem, Problem } from '../problems.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import type { Step } from '../steps.ts';
import { readSwitches, type Switches, type SwitchValue } from '../switches.ts';
import { toOwnTime } from '../test-clocks.ts';
import type { CobRequest } from './cob-request.ts';
import { planContest } from './contest.ts';
import { newEndToEndId } from './end-to-end-id.ts';
import { chargeMagic, disputeMagic } from './magic.ts';
import { type Payment, presentPayment } from './payments.ts';
import { sendAtPsp } from './payout-records.ts';
import { type CallbackMode, callbackValues, insertedCallback, planCallbacks } from './plan-callbacks.ts';
import { returnAtPsp } from './refund-records.ts';

type PayCommand = {
  txid: string;
  /** The receiver's key, needed only where several receivers use the same txid. */
  chave?: string | undefined;
  /**
   * Absent: the amount of the charge. Another amount is accepted too, because some banks let payers
   * change it, which the standard forbids.
   */
  amountCentavos?: bigint | undefined;
  /** Pays although the charge is paid already or has expired. */
  force: boolean;
  infoPagador?: string | undefined;
};

export type PayableCob = { document: string; chave: string; status: string; expires_at: Date; request: CobRequest };

/**
 * Makes a payer pay a charge: payment, charge and callbacks change in one commit. Most payments
 * cost one round trip, by what was `found` before; one of a charge that has changed since, and one
 * after which more happens, is made with the charge locked. Throws control Problems: 404, 409.
 */
export async function payCob(
  options: SandboxOptions,
  command: PayCommand,
  found: { cobs: readonly PayableCob[]; switches: Switches },
): Promise<Payment> {
  const now = options.clock();
  const cob = theOnly(found.cobs);
  requirePayable(cob, command, now);
  const payment = isPlain(cob, found.switches) ? await payPlainly(options.pool, cob, command, now) : null;
  if (payment) return payment;
  return withTransaction(options.pool, async (db) => {
    const locked = await lockCob(db, command);
    requirePayable(locked, command, now);
    return pay(db, locked, command, now);
  });
}

/** Whether nothing follows from a payment of this charge but one callback at once. */
const isPlain = ({ request }: PayableCob, switches: Switches): boolean =>
  switches['pix.callback'] === 'once' &&
  switches['pix.psp_acts'] === 'none' &&
  disputeMagic(request.valor.original) === undefined;

/**
 * Writes a payment, its charge's new status and its callback by one statement; null, with nothing
 * written, when the charge is not as it was found any more.
 */
async function payPlainly(pool: Pool, cob: PayableCob, command: PayCommand, now: Date): Promise<Payment | null> {
  const payment = newPayment(cob, command, now);
  const at = toOwnTime(now);
  const values = [...paymentValues(cob.document, payment), cob.status, command.force];
  const { rowCount } = await pool.query({
    name: 'sandbox_pay_plainly',
    text: `
      WITH paid AS (
        UPDATE sandbox.cobs SET status = 'CONCLUIDA'
        WHERE document = $2 AND txid = $3 AND status = $8 AND ($9 OR expires_at > $6) RETURNING txid
      ), payment AS (
        INSERT INTO sandbox.payments (${STORED_COLUMNS}) SELECT $1, $2, $3, $4, $5, $6, $7 FROM paid
      ), ${insertedCallback({ from: 'paid', firstValue: values.length + 1 })}
      SELECT FROM inserted`,
    values: [
      ...values,
      ...callbackValues({ chave: cob.chave, entry: presentPayment(payment) }, { dueAt: at, heldBackAt: at }),
    ],
  });
  return rowCount === 1 ? payment : null;
}

/** Pays a charge whose cents ask for it, unless it can't be paid any more by now. */
export async function payWhenDue(db: ClientBase, step: Step & { kind: 'pay_charge' }, now: Date): Promise<void> {
  const command = { ...step, force: false };
  let cob: PayableCob;
  try {
    cob = await lockCob(db, command);
    requirePayable(cob, command, now);
  } catch (error) {
    if (error instanceof Problem) return;
    throw error;
  }
  const isOutOfOrder = chargeMagic(cob.request.valor.original) === 'paid_out_of_order';
  await pay(db, cob, command, now, isOutOfOrder ? 'twice_out_of_order' : null);
}

async function pay(
  db: ClientBase,
  cob: PayableCob,
  command: PayCommand,
  now: Date,
  /** In place of the switch. */
  callbacks: CallbackMode | null = null,
): Promise<Payment> {
  const switches = await readSwitches(db);
  const payment = newPayment(cob, command, now);
  await insertPayment(db, cob.document, payment);
  await db.query({
    name: 'sandbox_conclude_cob',
    text: "UPDATE sandbox.cobs SET status = 'CONCLUIDA' WHERE document = $1 AND txid = $2",
    values: [cob.document, command.txid],
  });
  const notice = { chave: cob.chave, entry: presentPayment(payment), forgeries: forgeries(payment, now) };
  await planCallbacks(db, callbacks ?? switches['pix.callback'], notice, now);
  await actAtPsp(db, cob.document, payment, { act: switches['pix.psp_acts'], now });
  await planContest(db, payment.end_to_end_id, cob.request.valor.original, now);
  return payment;
}

const newPayment = (cob: PayableCob, { txid, amountCentavos, infoPagador }: PayCommand, now: Date): Payment => ({
  end_to_end_id: newEndToEndId(now),
  txid,
  chave: cob.chave,
  amount_centavos: String(amountCentavos ?? fromDecimal(cob.request.valor.original)),
  paid_at: now,
  payer_note: infoPagador ?? null,
});

const STORED_COLUMNS = 'end_to_end_id, document, txid, chave, amount_centavos, paid_at, payer_note';

/** The values of STORED_COLUMNS. */
const paymentValues = (document: string, payment: Payment): unknown[] => [
  payment.end_to_end_id,
  document,
  payment.txid,
  payment.chave,
  payment.amount_centavos,
  payment.paid_at,
  payment.payer_note,
];

async function insertPayment(db: ClientBase, document: string, payment: Payment): Promise<void> {
  await db.query({
    name: 'sandbox_insert_payment',
    text: `INSERT INTO sandbox.payments (${STORED_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: paymentValues(document, payment),
  });
}

/**
 * Does what the switch `pix.psp_acts` says for a payment, without a callback. What goes back is of
 * the payment's charge, and of its clock; the rest is of no charge, and has the sandbox's own time.
 */
async function actAtPsp(
  db: ClientBase,
  document: string,
  payment: Payment,
  { act, now }: { act: SwitchValue<'pix.psp_acts'>; now: Date },
): Promise<void> {
  if (act === 'none') return;
  const own = toOwnTime(now);
  if (act === 'pay_key') {
    await insertPayment(db, document, { ...payment, end_to_end_id: newEndToEndId(own), txid: null, paid_at: own });
    return;
  }
  if (act === 'send_in_app') {
    await sendAtPsp(db, { document, chave: payment.chave, centavos: BigInt(payment.amount_centavos), now: own });
    return;
  }
  const nature = act === 'med_return' ? 'MED_FRAUDE' : 'ORIGINAL';
  await returnAtPsp(db, payment.end_to_end_id, { centavos: BigInt(payment.amount_centavos), nature, now });
}

/**
 * Two entries that lie: one names an unknown charge, the other a payment of the true charge that
 * was never made.
 */
function forgeries(payment: Payment, now: Date): object[] {
  const invented = () => ({ ...payment, end_to_end_id: newEndToEndId(now) });
  return [presentPayment({ ...invented(), txid: randomBytes(16).toString('hex') }), presentPayment(invented())];
}

/**
 * Returns a charge, locked until the caller's transaction ends. Throws control Problems: 404, 409.
 */
export async function lockCob(
  db: ClientBase,
  { txid, chave }: Pick<PayCommand, 'txid' | 'chave'>,
): Promise<PayableCob> {
  const { rows } = await db.query<PayableCob>({
    name: 'sandbox_lock_cob',
    text: `SELECT document, chave, status, expires_at, request FROM sandbox.cobs
     WHERE txid = $1 AND ($2::text IS NULL OR chave = $2) FOR UPDATE`,
    values: [txid, chave ?? null],
  });
  return theOnly(rows);
}

/** Returns the one charge of those with a txid. Throws control Problems: 404, 409. */
function theOnly(cobs: readonly PayableCob[]): PayableCob {
  if (cobs.length > 1) {
    throw controlProblem(409, 'Several receivers have a charge with this txid; name one of them in `chave`.', {
      reason: 'several',
    });
  }
  if (!cobs[0]) {
    throw controlProblem(404, 'There is no charge with this txid; create it with PUT /cob/{txid} first.', {
      reason: 'unknown',
    });
  }
  return cobs[0];
}

function requirePayable(cob: PayableCob, { force }: PayCommand, now: Date): void {
  if (cob.status.startsWith('REMOVIDA')) {
    throw controlProblem(409, `The charge was removed (${cob.status}) and can't be paid; create another one.`, {
      reason: 'removed',
    });
  }
  if (chargeMagic(cob.request.valor.original) === 'never_paid') {
    throw controlProblem(
      409,
      'Nobody can pay a charge of this amount: its cents say so; create one with other cents.',
      {
        reason: 'never_paid',
      },
    );
  }
  if (force) return;
  if (cob.status === 'CONCLUIDA') {
    throw controlProblem(409, 'The charge is paid already; give `force` to make a second payment.', {
      reason: 'paid',
    });
  }
  if (cob.expires_at <= now) {
    throw controlProblem(
      409,
      `The charge expired at ${cob.expires_at.toISOString()}; give force to make a late payment.`,
      { reason: 'expired' },
    );
  }
}

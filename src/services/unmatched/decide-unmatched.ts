import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { type ChargeRow, findCharge } from '#db/charges/charges.ts';
import type { DecidedBy } from '#db/connection/ask-decision.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  assignUnmatched,
  depositUnmatched,
  findUnmatched,
  listUnmatched,
  returnUnmatched,
  type UnmatchedOutcome,
  type UnmatchedRow,
} from '#db/unmatched/unmatched.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { timeOfAccount } from '../accounts/on-test-clock.ts';
import { chargeEvent, splitEvent } from '../charges/charge-event.ts';
import { expediteSplitEvent } from '../charges/expedite-split-event.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { chargeOfAmount, depositOf } from './deposit-of.ts';
import { leftOf } from './left-of.ts';

/** Also used by the command line beside a running service. */
type DecisionDeps = Pick<Deps, 'db' | 'clock' | 'testClock' | 'secretBox' | 'wakeWorkers'>;
type LookDeps = Pick<Deps, 'db' | 'secretBox'>;

export type UnmatchedPayment = UnmatchedRow & { leftCentavos: bigint };

/**
 * `unknown`: there is no such payment (for this account). `unknown_charge`, `unknown_account`:
 * there is no such charge or account (for this member). `too_little`: not enough for the charge's
 * fee and split. `changed`: it comes to other figures than those that were confirmed.
 */
export type UnmatchedDecision =
  | UnmatchedOutcome
  | 'unknown'
  | 'unknown_charge'
  | 'unknown_account'
  | 'too_little'
  | 'changed';

/**
 * Payments without a charge: those that wait for a decision, the oldest first, or all of them.
 * `accountId`: only those over this account's own credentials.
 */
export async function listUnmatchedPayments(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  which: { waiting: boolean; accountId: string | null },
): Promise<UnmatchedPayment[]> {
  const rows = await listUnmatched(deps.db.pool, { ...which, limit: SHOWN_MAX });
  return rows.map((row) => opened(deps, row));
}

const opened = ({ secretBox }: Pick<Deps, 'secretBox'>, row: UnmatchedRow): UnmatchedPayment => ({
  ...row,
  payerNote:
    row.payerNote && secretBox.open(row.payerNote, sealContext('unmatched_payments.payer_note', { id: row.id })),
  leftCentavos: leftOf(row.centavos, row.returnedCentavos),
});

/** Which payment, and who asks. */
export type Asked = {
  id: string;
  /** Null: the operator, who decides about all of them. */
  accountId: string | null;
};

type Decision = Asked & { reason: string; by: DecidedBy };

/** The net amount, or that of the payment, that was confirmed; absent where any is accepted. */
type Confirmed = { netCentavos?: bigint; amountCentavos?: bigint };

/** A payment that the asker may decide about; null: there is none. */
export async function findOwnPayment(deps: LookDeps, { id, accountId }: Asked): Promise<UnmatchedPayment | null> {
  const row = await findUnmatched(deps.db.pool, id);
  return row && (accountId === null || row.accountId === accountId) ? opened(deps, row) : null;
}

/** A payment and the unpaid charge as it would be credited with it, or why it can't be. */
export async function findAssignment(
  deps: LookDeps & Pick<Deps, 'clock' | 'testClock'>,
  asked: Asked & { chargeId: string },
): Promise<{ payment: UnmatchedPayment; charge: ChargeRow; now: Date } | Exclude<UnmatchedDecision, 'assigned'>> {
  // The payment after the charge: an assignment that is committed between the two reads shows as
  // decided, and not as a charge that another payment has paid.
  const found = await findCharge(deps.db.pool, asked.chargeId);
  const payment = await findOwnPayment(deps, asked);
  if (!payment) return 'unknown';
  if (payment.state !== 'open') return 'decided';
  if (!found || (asked.accountId !== null && found.accountId !== asked.accountId)) return 'unknown_charge';
  if (found.status === 'paid' || found.status === 'refunded' || found.status === 'review') return 'not_open';
  if (found.rail !== payment.rail) return 'other_rail';
  const now = await timeOfAccount(deps, found.accountId);
  const terms = await findAccountTerms(deps.db.pool, found.accountId, now);
  const charge = terms && chargeOfAmount(found, terms, payment.leftCentavos);
  return charge ? { payment, charge, now } : 'too_little';
}

/** A payment and the deposit that it would be in an account, or why it can't be one. */
export async function findDeposit(
  deps: LookDeps & Pick<Deps, 'clock' | 'testClock'>,
  asked: Asked & { toAccountId: string },
): Promise<
  ({ payment: UnmatchedPayment; now: Date } & ReturnType<typeof depositOf>) | Exclude<UnmatchedDecision, 'deposited'>
> {
  const { accountId, toAccountId } = asked;
  const payment = await findOwnPayment(deps, asked);
  if (!payment) return 'unknown';
  if (payment.state !== 'open') return 'decided';
  if (accountId !== null && toAccountId !== accountId) return 'unknown_account';
  const now = await timeOfAccount(deps, toAccountId);
  const terms = await findAccountTerms(deps.db.pool, toAccountId, now);
  if (!terms) return 'unknown_account';
  return { payment, now, ...depositOf(deps, terms, { ...payment, centavos: payment.leftCentavos }, now) };
}

/**
 * Credits a payment to a charge that is not paid, also to one that has expired or was cancelled.
 * The charge takes the payment's amount.
 */
export async function assignPayment(
  deps: DecisionDeps,
  decision: Decision & Confirmed & { chargeId: string },
): Promise<UnmatchedDecision> {
  const { id, reason, by, netCentavos } = decision;
  const found = await findAssignment(deps, decision);
  if (typeof found === 'string') return found;
  const { payment, charge, now } = found;
  if (isOther(payment, decision)) return 'changed';
  if (netCentavos !== undefined && charge.netCentavos !== netCentavos) return 'changed';
  const { endToEndId, paidAt } = payment;
  const split = splitEvent(deps, charge, now);
  const outcome = await assignUnmatched(deps.db.pool, {
    id,
    leftCentavos: payment.leftCentavos,
    transactionId: charge.id,
    from: charge.status,
    feeCentavos: charge.feeCentavos,
    split,
    reason,
    by,
    now,
    ...chargeEvent(deps, charge, { status: 'paid', endToEndId, paidAt, now }),
  });
  if (split && outcome === 'assigned') await expediteSplitEvent(deps, { ...split, at: now });
  return decided(deps, outcome);
}

/** Credits a payment to an account without a charge, with the account's fee. */
export async function depositPayment(
  deps: DecisionDeps,
  decision: Decision & Confirmed & { toAccountId: string },
): Promise<UnmatchedDecision> {
  const { id, reason, by, netCentavos } = decision;
  const found = await findDeposit(deps, decision);
  if (typeof found === 'string') return found;
  const { payment, ...deposit } = found;
  if (isOther(payment, decision)) return 'changed';
  const { amountCentavos, feeCentavos } = deposit.deposit;
  if (netCentavos !== undefined && amountCentavos - feeCentavos !== netCentavos) return 'changed';
  const { leftCentavos } = payment;
  return decided(deps, await depositUnmatched(deps.db.pool, { id, leftCentavos, reason, by, ...deposit }));
}

/** Has a payment sent back to its payer; the worker does it. */
export async function returnPayment(
  deps: DecisionDeps,
  decision: Decision & Pick<Confirmed, 'amountCentavos'>,
): Promise<UnmatchedDecision> {
  const { id, reason, by } = decision;
  const payment = await findOwnPayment(deps, decision);
  if (!payment) return 'unknown';
  if (payment.state !== 'open') return 'decided';
  const { leftCentavos } = payment;
  if (isOther(payment, decision)) return 'changed';
  const now = deps.clock();
  const returnId = uuidv7(now);
  return decided(deps, await returnUnmatched(deps.db.pool, { id, leftCentavos, returnId, reason, by, now }));
}

/** Whether another part of a payment is left than was confirmed. */
const isOther = ({ leftCentavos }: UnmatchedPayment, { amountCentavos = leftCentavos }: Confirmed): boolean =>
  leftCentavos !== amountCentavos;

function decided(deps: DecisionDeps, outcome: UnmatchedOutcome): UnmatchedOutcome {
  if (outcome === 'assigned' || outcome === 'deposited' || outcome === 'returning') deps.wakeWorkers();
  return outcome;
}

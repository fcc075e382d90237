import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findCharge } from '#db/charges/charges.ts';
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
import { chargeEvent, splitEvent } from '../charges/charge-event.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { chargeOfAmount, depositOf } from './deposit-of.ts';

/** Also beside a running service. */
type DecisionDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'>;

export type UnmatchedPayment = UnmatchedRow & { leftCentavos: bigint };

/**
 * `unknown`: there is no such payment (for this account). `unknown_charge`, `unknown_account`: nor
 * the other. `too_little`: not enough for the charge's fee and split.
 */
export type UnmatchedDecision = UnmatchedOutcome | 'unknown' | 'unknown_charge' | 'unknown_account' | 'too_little';

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
  leftCentavos: row.centavos - row.returnedCentavos,
});

type Decision = {
  id: string;
  /** Null: the operator, who decides about all of them. */
  accountId: string | null;
  reason: string;
  by: DecidedBy;
};

async function findOwn(deps: DecisionDeps, { id, accountId }: Decision): Promise<UnmatchedPayment | null> {
  const row = await findUnmatched(deps.db.pool, id);
  return row && (accountId === null || row.accountId === accountId) ? opened(deps, row) : null;
}

/**
 * Credits a payment as that of a charge which is not paid, also of one that has expired or was
 * cancelled. The charge becomes one of the payment's amount.
 */
export async function assignPayment(
  deps: DecisionDeps,
  decision: Decision & { chargeId: string },
): Promise<UnmatchedDecision> {
  const { id, accountId, reason, by, chargeId } = decision;
  const payment = await findOwn(deps, decision);
  if (!payment) return 'unknown';
  if (payment.state !== 'open') return 'decided';
  const found = await findCharge(deps.db.pool, chargeId);
  if (!found || (accountId !== null && found.accountId !== accountId)) return 'unknown_charge';
  if (found.status === 'paid' || found.status === 'refunded' || found.status === 'review') return 'not_open';
  const terms = await findAccountTerms(deps.db.pool, found.accountId);
  const charge = terms && chargeOfAmount(found, terms, payment.leftCentavos);
  if (!charge) return 'too_little';
  const now = deps.clock();
  const { endToEndId, paidAt } = payment;
  return decided(
    deps,
    await assignUnmatched(deps.db.pool, {
      id,
      leftCentavos: payment.leftCentavos,
      transactionId: charge.id,
      from: charge.status,
      feeCentavos: charge.feeCentavos,
      split: splitEvent(charge, now),
      reason,
      by,
      now,
      ...chargeEvent(charge, { status: 'paid', endToEndId, paidAt, now }),
    }),
  );
}

/** Credits a payment to an account without a charge, with the account's fee. */
export async function depositPayment(
  deps: DecisionDeps,
  decision: Decision & { toAccountId: string },
): Promise<UnmatchedDecision> {
  const { id, accountId, reason, by, toAccountId } = decision;
  const payment = await findOwn(deps, decision);
  if (!payment) return 'unknown';
  if (payment.state !== 'open') return 'decided';
  if (accountId !== null && toAccountId !== accountId) return 'unknown_account';
  const terms = await findAccountTerms(deps.db.pool, toAccountId);
  if (!terms) return 'unknown_account';
  const now = deps.clock();
  const { leftCentavos } = payment;
  const deposit = depositOf(terms, { ...payment, centavos: leftCentavos }, now);
  return decided(deps, await depositUnmatched(deps.db.pool, { id, leftCentavos, reason, by, now, ...deposit }));
}

/** Has a payment sent back to its payer; the worker does it. */
export async function returnPayment(deps: DecisionDeps, decision: Decision): Promise<UnmatchedDecision> {
  const { id, reason, by } = decision;
  const payment = await findOwn(deps, decision);
  if (!payment) return 'unknown';
  const now = deps.clock();
  const returnId = uuidv7(now);
  const { leftCentavos } = payment;
  return decided(deps, await returnUnmatched(deps.db.pool, { id, leftCentavos, returnId, reason, by, now }));
}

function decided(deps: DecisionDeps, outcome: UnmatchedOutcome): UnmatchedOutcome {
  if (outcome === 'assigned' || outcome === 'deposited' || outcome === 'returning') deps.wakeWorkers();
  return outcome;
}

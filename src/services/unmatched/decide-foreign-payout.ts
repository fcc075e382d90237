import { findAccountTerms } from '#db/accounts/account-terms.ts';
import type { DecidedBy } from '#db/connection/ask-decision.ts';
import {
  chargeForeignPayout,
  type ForeignPayoutOutcome,
  type ForeignPayoutRow,
  findForeignPayout,
  listForeignPayouts,
  writeOffForeignPayout,
} from '#db/unmatched/foreign-payouts.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { timeOfAccount } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { withdrawalEvent } from '../withdrawals/withdrawal-event.ts';

export type ForeignPayout = ForeignPayoutRow;

/** Also used by the command line beside a running service. */
type DecisionDeps = Pick<Deps, 'db' | 'clock' | 'testClock' | 'secretBox' | 'wakeWorkers'>;

/**
 * `unknown`: there is none of this id (for this account). `unknown_account`: there is no such
 * account, or the member may not charge it. `changed`: it is of another amount than the one that
 * was confirmed.
 */
export type ForeignPayoutDecision = ForeignPayoutOutcome | 'unknown' | 'unknown_account' | 'changed';

/**
 * Money that left without a request: what waits for a decision, or all of it. `accountId`: only
 * what left over this account's own credentials.
 */
export const listAllForeignPayouts = (
  { db }: Pick<Deps, 'db'>,
  which: { waiting: boolean; accountId: string | null },
): Promise<ForeignPayout[]> => listForeignPayouts(db.pool, { ...which, limit: SHOWN_MAX });

/**
 * The platform takes the loss of money that left without a request: no account's balance changes.
 */
export const writeOffPayout = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  decision: { id: string; reason: string; by: DecidedBy },
): Promise<ForeignPayoutOutcome> => writeOffForeignPayout(db.pool, { ...decision, now: clock() });

/**
 * Charges an account for money that left without a request: as a paid withdrawal without a fee, and
 * the account owes what it does not have. `accountId`: the account of the member who decides, who
 * may do so only for what left over its own credentials; null: the operator. `amountCentavos`: the
 * amount that was confirmed; absent when any is accepted.
 */
export async function chargePayout(
  deps: DecisionDeps,
  decision: {
    id: string;
    accountId: string | null;
    toAccountId: string;
    amountCentavos?: bigint;
    reason: string;
    by: DecidedBy;
  },
): Promise<ForeignPayoutDecision> {
  const { id, accountId, toAccountId, reason, by } = decision;
  const { pool } = deps.db;
  const payout = await findForeignPayout(pool, id);
  if (!payout || (accountId !== null && payout.accountId !== accountId)) return 'unknown';
  if (payout.state !== 'open') return 'decided';
  if (decision.amountCentavos !== undefined && payout.centavos !== decision.amountCentavos) return 'changed';
  if (accountId !== null && toAccountId !== accountId) return 'unknown_account';
  const now = await timeOfAccount(deps, toAccountId);
  const terms = await findAccountTerms(pool, toAccountId, now);
  if (!terms) return 'unknown_account';
  const withdrawal = withdrawalOf(payout, toAccountId, now);
  const outcome = await chargeForeignPayout(pool, {
    ...{ id, toAccountId, reason, by, now, transactionId: withdrawal.id },
    ...withdrawalEvent(deps, withdrawal, { status: 'paid', paidAt: payout.sentAt, now }),
  });
  if (outcome === 'charged') deps.wakeWorkers();
  return outcome;
}

/** The withdrawal that the account gets, as it is before it is paid. */
const withdrawalOf = ({ rail, centavos, endToEndId, mode }: ForeignPayoutRow, accountId: string, now: Date) =>
  ({
    id: uuidv7(now),
    accountId,
    type: 'pix_out',
    status: 'pending',
    amountCentavos: centavos,
    feeCentavos: 0n,
    netCentavos: centavos,
    description: null,
    reference: null,
    metadata: null,
    rail,
    pixKey: null,
    pixKeyType: null,
    receiverName: null,
    currency: null,
    units: null,
    wallet: null,
    memo: null,
    providerId: null,
    endToEndId,
    subStatus: null,
    payoutStep: null,
    payoutSentAt: null,
    failureCode: null,
    createdAt: now,
    paidAt: null,
    scheduledFor: null,
    livemode: mode === 'live',
  }) satisfies WithdrawalRow;

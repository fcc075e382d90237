import { findByProviderId, findInvoice } from '#db/invoices/invoices.ts';
import { findFirstSweep } from '#db/sweeps/sweeps.ts';
import { insertForeignOperation } from '#db/unmatched/foreign-operations.ts';
import { findFailedPayouts } from '#db/withdrawals/find-failed-payouts.ts';
import { findPayoutsInDoubt } from '#db/withdrawals/payouts.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { isUnpriced } from '#domain/invoices/invoice-settlement.ts';
import { isSandboxRail } from '#domain/sandbox/sandbox-commands.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { canonicalWallet, walletSpellings } from '#domain/withdrawals/wallet-address.ts';
import type { CryptoOperation, CryptoRail } from '#rails/ports.ts';
import { inTimeOfTransaction } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { settleInvoice, stateOf } from '../invoices/settle-invoice.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { findRailOwner } from '../providers/find-rail-owner.ts';
import { seenCrypto } from '../withdrawals/payout-provider.ts';
import { syncPayout } from '../withdrawals/run-payout.ts';
import { settlePayout } from '../withdrawals/settle-payout.ts';

/** Payouts whose response was lost are few; each costs one call to the processor. */
const IN_DOUBT_MAX = 10;

/**
 * Books an operation that a crypto processor lists: settles an invoice or a withdrawal of ours as a
 * callback would, and stores an operation that is not ours until an operator has acknowledged it.
 * Safe to call any number of times, by any number of processes. Returns what was done, or
 * `unchanged`. Throws ProviderUnavailable when the processor can't say.
 */
export async function bookOperation(deps: Deps, rail: CryptoRail, operation: CryptoOperation): Promise<string> {
  const own = await findOwn(deps, rail.name, operation);
  if (own?.type === 'crypto_in') return bookInvoice(deps, rail.name, own.id, operation);
  if (own) return bookPayout(deps, rail.name, own.id, operation);
  // A payout of ours has no id of the processor until its response is stored.
  if (operation.kind === 'payout' && (await settleDoubts(deps, rail, operation))) return 'payout';
  if (operation.status !== 'done') return 'unchanged';
  if (operation.kind === 'payout' && (await settleFailed(deps, rail, operation))) return 'payout';
  return recordAsForeign(deps, rail, operation);
}

async function findOwn(deps: Deps, rail: string, { providerId, orderNumber, kind }: CryptoOperation) {
  const known = await findByProviderId(deps.db.pool, rail, providerId);
  if (known || kind === 'payout' || orderNumber === null || !isUuid(orderNumber)) return known;
  // The response with the processor's id was lost. With another id it is another invoice, as a
  // processor makes where the payer chooses another coin.
  const invoice = await findInvoice(deps.db.pool, orderNumber.toLowerCase());
  const isOwn = invoice?.rail === rail && (invoice.providerId ?? providerId) === providerId;
  return isOwn ? { id: invoice.id, type: 'crypto_in' as const } : null;
}

async function bookInvoice(deps: Deps, rail: string, id: string, { status, units }: CryptoOperation): Promise<string> {
  const invoice = await findInvoice(deps.db.pool, id);
  if (!invoice) return 'unchanged';
  const isAgreed =
    status === 'done' ? invoice.status === 'completed' : (status === 'open') === (invoice.status === 'pending');
  // What was seen before may be final since, or have waited for a price.
  const isToBePriced = status === 'done' && isUnpriced(stateOf(invoice), deps.clock());
  if (isAgreed && !isToBePriced && (units === null || units === invoice.receivedUnits)) return 'unchanged';
  return settleInvoice(await inTimeOfTransaction(deps, rail, id), id);
}

async function bookPayout(deps: Deps, rail: string, id: string, { status }: CryptoOperation): Promise<string> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  const agreed = { open: 'pending', done: 'completed', nothing: 'failed' }[status];
  return withdrawal?.status === agreed ? 'unchanged' : syncOwn(deps, rail, id);
}

const syncOwn = async (deps: Deps, rail: string, id: string) =>
  syncPayout(await inTimeOfTransaction(deps, rail, id), id);

/**
 * Returns whether it is, or may be, a payout of ours whose response was lost; syncs those payouts
 * first.
 */
async function settleDoubts(deps: Deps, rail: CryptoRail, { providerId, currency }: CryptoOperation): Promise<boolean> {
  const inDoubt = (limit: number) => findPayoutsInDoubt(deps.db.pool, { rail: rail.name, currency, limit });
  const doubts = await inDoubt(IN_DOUBT_MAX);
  for (const id of doubts) await syncOwn(deps, rail.name, id);
  // A payout that is still in doubt may be this one: the next sweep decides.
  if (doubts.length > 0 && (await inDoubt(1)).length > 0) return true;
  // After the doubts, which other workers end, too: then the payout has the processor's id.
  return (await findByProviderId(deps.db.pool, rail.name, providerId)) !== null;
}

/** How late a processor may carry out a payout that it did not know when it was given up. */
const LATE_MS = SWEEP_PLAN.operations_days.lengthMs;

/** Two clocks that are set by NTP differ by less. */
const CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Returns whether it is a payout of ours whose withdrawal has failed, as one that the processor did
 * not know in time: its money was given back, so an operator has to decide. A processor that names
 * neither quantity nor wallet (without white-label) can't say.
 */
async function settleFailed(deps: Deps, rail: CryptoRail, operation: CryptoOperation): Promise<boolean> {
  const { providerId, currency, units, createdAt } = operation;
  if (currency === null || units === null || createdAt === null) return false;
  const sentFrom = new Date(createdAt.getTime() - LATE_MS);
  const sentTo = new Date(createdAt.getTime() + CLOCK_DIFFERENCE_MS);
  const failed = await findFailedPayouts(deps.db.pool, { rail: rail.name, currency, units, sentFrom, sentTo });
  if (failed.length === 0) return false;
  const found = await rail.findPayout(providerId);
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  const payout = found.value;
  if (payout === null) return false;
  const wallet = canonicalWallet(payout.wallet, payout.currency) ?? payout.wallet;
  const spellings = walletSpellings(wallet, payout.currency);
  const own = failed.find((one) => one.wallet !== null && spellings.includes(one.wallet));
  const withdrawal = own && (await findWithdrawal(deps.db.pool, own.id));
  if (!withdrawal) return false;
  // The list and the query disagree: the next sweep decides.
  if (payout.status !== 'completed') return true;
  const timed = await inTimeOfTransaction(deps, rail.name, withdrawal.id);
  return (await settlePayout(timed, withdrawal, seenCrypto(payout))) !== 'unchanged';
}

async function recordAsForeign(deps: Deps, rail: CryptoRail, operation: CryptoOperation): Promise<string> {
  const { pool } = deps.db;
  const { name } = rail;
  const { providerId, kind, currency, units, createdAt: happenedAt } = operation;
  // An operation from before the first sweep is not the service's; without a time this is unknown.
  const since = await findFirstSweep(pool, name);
  const earliest = since && since.getTime() - SWEEP_PLAN.operations_recent.lengthMs;
  if (earliest !== null && happenedAt && happenedAt.getTime() < earliest) return 'unchanged';
  const now = deps.clock();
  // The list may have a payout before the answer about it was read.
  if (happenedAt && now.getTime() - happenedAt.getTime() < rail.lostAfterMs) return 'unchanged';
  const id = uuidv7(now);
  const recorded = await insertForeignOperation(pool, {
    id,
    rail: name,
    mode: isSandboxRail(name) ? 'test' : 'live',
    accountId: await findRailOwner(deps, name),
    providerId,
    kind,
    currency,
    units,
    happenedAt,
    createdAt: now,
  });
  if (!recorded) return 'unchanged';
  deps.log.error(
    { foreignOperationId: id, rail: name, providerId, kind },
    'A crypto processor has an operation that is not of this service; somebody has to take note of it.',
  );
  return 'foreign_operation';
}

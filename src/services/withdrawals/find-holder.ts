import { findAccountTerms } from '#db/accounts/account-terms.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type { PixRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/**
 * Finds the rail whose provider has this payout: the database may have been restored from a backup
 * after it was sent. It began over the rail of that day, which is the account's or the one that it
 * was planned over. Null: neither has it. Throws ProviderUnavailable when a provider can't say.
 */
export async function findHolder(deps: Deps, withdrawal: WithdrawalRow): Promise<PixRail | null> {
  const terms = await findAccountTerms(deps.db.pool, withdrawal.accountId, deps.clock());
  if (!terms) throw new Error(`There is no account ${withdrawal.accountId}.`);
  const { mode, credentials } = terms;
  const today = await deps.rails.pixFor({ mode, credentialId: credentials.api_pix ?? null });
  if (today && (await hasPayout(today, withdrawal))) return today;
  const then = today?.name === withdrawal.rail ? null : await deps.rails.pixNamed(withdrawal.rail);
  return then && (await hasPayout(then, withdrawal)) ? then : null;
}

async function hasPayout({ payouts }: PixRail, { id }: WithdrawalRow): Promise<boolean> {
  if (!payouts) return false;
  const found = await aboutTransaction(id, () => payouts.findPayout(uuidToTxid(id)));
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  return found.value !== null;
}

/**
 * Whether the PSP has a withdrawal that waits for its approval here: the database may have been
 * restored from a backup after it was approved and sent. Of a crypto withdrawal it is not asked:
 * its processor does not take our id, so that another payout could be taken for it. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function wasSentBefore(deps: Deps, withdrawal: WithdrawalRow): Promise<boolean> {
  const { type, scheduledFor, rail } = withdrawal;
  if (type !== 'pix_out') return false;
  if (scheduledFor !== null) return deps.clock() >= scheduledFor && (await findHolder(deps, withdrawal)) !== null;
  const named = await deps.rails.pixNamed(rail);
  return named !== null && (await hasPayout(named, withdrawal));
}

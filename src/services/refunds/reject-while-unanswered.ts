import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/**
 * How long a request that got no answer may still be carried out. Until then the rejection of
 * another one does not end the devolução: the account and the payer would both have the money.
 * Long beside the minutes for which a queue on the way holds a request, short beside the days for
 * which a devolução is possible.
 */
const LOST_AFTER_MS = 600_000;

/**
 * Throws ProviderUnavailable for a rejection of a devolução that was asked for before, at `sentAt`,
 * and may still be carried out.
 */
export function rejectWhileUnanswered(
  { clock }: Pick<Deps, 'clock'>,
  { sentAt }: { sentAt: Date | null },
  reason: string,
): void {
  if (sentAt === null || clock().getTime() - sentAt.getTime() >= LOST_AFTER_MS) return;
  throw new ProviderUnavailable(`An earlier request may still be carried out; this one: ${reason}`);
}

import { firstUuidAt, txidToUuid } from '#domain/values/uuid.ts';
import type { CryptoPayout, CryptoRail, Outcome, PayoutOutcome, PixPayoutRail, PixRail } from './ports.ts';

/** A rail over credentials that were replaced, or (`endedAt` null) are in use. */
export type RailVersion<Rail> = { rail: Rail; endedAt: Date | null };

/**
 * Returns one rail over the credentials in use and those before them. Everything new goes over the
 * newest. What these don't know, and earlier ones may have sent or made, is asked of the earlier
 * ones. So a payout counts as unknown to the provider only when all versions that could have sent
 * it say so: only the application that sent a payout may be able to see it.
 */
export function pixOverVersions(versions: readonly [RailVersion<PixRail>, ...RailVersion<PixRail>[]]): PixRail {
  const [{ rail: newest }, ...earlier] = versions;
  if (earlier.length === 0) return newest;
  /** Returns the earlier rails that were in use when this id of ours was made, or later. */
  const askedAbout = (txid: string) => earlier.filter(({ endedAt }) => wasMadeBefore(txid, endedAt)).map(railOf);
  return {
    ...newest,
    findCharge: (txid) => askInTurn(newest, askedAbout(txid), (rail) => rail.findCharge(txid), 'newest'),
    payouts: payoutsOver(
      newest.payouts,
      (payoutId) => askedAbout(payoutId).flatMap(({ payouts }) => payouts ?? []),
      earlier.flatMap(({ rail }) => rail.payouts ?? []),
    ),
    close: () => closeAll(versions),
  };
}

/** Returns one rail over several keys of a crypto processor, as pixOverVersions does. */
export function cryptoOverVersions(
  versions: readonly [RailVersion<CryptoRail>, ...RailVersion<CryptoRail>[]],
): CryptoRail {
  const [{ rail: newest }, ...earlier] = versions;
  if (earlier.length === 0) return newest;
  const before = earlier.map(railOf);
  return {
    ...newest,
    // An invoice that its processor does not know expires, and what was sent in time is late then.
    findInvoice: (id) => askInTurn(newest, before, (rail) => rail.findInvoice(id), 'silence'),
    findInvoiceByOrder: (order) => askInTurn(newest, before, (rail) => rail.findInvoiceByOrder(order), 'silence'),
    findPayout: (id) => askInTurn(newest, before, (rail) => rail.findPayout(id), 'doubt'),
    async findPayoutsLike(request, since) {
      const found: CryptoPayout[] = [];
      for (const { rail, endedAt } of versions) {
        if (endedAt !== null && endedAt.getTime() + CLOCKS_APART_MS <= since.getTime()) continue;
        const alike = await rail.findPayoutsLike(request, since);
        if (alike.outcome !== 'done') return alike;
        found.push(...alike.value.filter(({ providerId }) => !found.some((other) => other.providerId === providerId)));
      }
      return { outcome: 'done', value: found };
    },
    // Callbacks about an invoice are signed with the key that it was made with.
    parseCallback: (body) =>
      versions.reduce<ReturnType<CryptoRail['parseCallback']>>(
        (read, { rail }) => read ?? rail.parseCallback(body),
        null,
      ),
    close: () => closeAll(versions),
  };
}

function payoutsOver(
  newest: PixPayoutRail | null,
  askedAbout: (payoutId: string) => PixPayoutRail[],
  earlier: readonly PixPayoutRail[],
): PixPayoutRail | null {
  const lister = newest ?? earlier[0];
  if (!lister) return null;
  return {
    ...lister,
    // If the newest credentials can't send, the earlier ones must not be used instead.
    sendPayout: (request) => newest?.sendPayout(request) ?? Promise.resolve(SENDS_NOTHING),
    findPayout: (payoutId) =>
      newest
        ? askInTurn(newest, askedAbout(payoutId), (rail) => rail.findPayout(payoutId), 'doubt')
        : askInTurn(lister, askedAbout(payoutId), (rail) => rail.findPayout(payoutId), 'doubt'),
  };
}

const SENDS_NOTHING: PayoutOutcome<never> = {
  outcome: 'rejected',
  reason: 'these credentials send nothing',
  failureCode: null,
};

/**
 * Asks the newest rail, then the earlier ones, until one knows it. Where none does and not all
 * answered: `doubt` returns that failure, because "there is no such thing" would have consequences;
 * `newest` returns the newest one's answer; `silence` returns a failure that may pass, and else the
 * newest one's answer. A provider that does not answer the newest is not asked by the others.
 */
async function askInTurn<Rail, T>(
  newest: Rail,
  earlier: readonly Rail[],
  ask: (rail: Rail) => Promise<Outcome<T | null>>,
  otherwise: 'doubt' | 'silence' | 'newest',
): Promise<Outcome<T | null>> {
  const first = await ask(newest);
  if (first.outcome === 'unknown' || (first.outcome === 'done' && first.value !== null)) return first;
  let doubt: Outcome<T | null> | null = first.outcome === 'rejected' ? first : null;
  let silence: Outcome<T | null> | null = null;
  for (const rail of earlier) {
    if (rail === newest) continue;
    const next = await ask(rail);
    if (next.outcome === 'done' && next.value !== null) return next;
    if (next.outcome !== 'done') doubt ??= next;
    if (next.outcome === 'unknown') silence ??= next;
  }
  const failure = { doubt, silence, newest: null }[otherwise];
  return failure ?? first;
}

/**
 * An id of ours contains the time at which it was made; any other id may have been made at any
 * time.
 */
function wasMadeBefore(txid: string, instant: Date | null): boolean {
  const id = txidToUuid(txid);
  return id === null || instant === null || id <= firstUuidAt(new Date(instant.getTime() + CLOCKS_APART_MS));
}

/**
 * Tolerance for the clocks of two processes, for the time between making an id and sending, and for
 * the time in which a process has not noticed a replacement (OWN_FRESH_MS) and sends over the
 * earlier credentials.
 */
const CLOCKS_APART_MS = 60_000;

const railOf = <Rail>({ rail }: RailVersion<Rail>): Rail => rail;

async function closeAll(versions: readonly RailVersion<{ close(): Promise<void> }>[]): Promise<void> {
  await Promise.all(versions.map(({ rail }) => rail.close()));
}

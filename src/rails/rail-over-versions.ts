import { firstUuidAt, txidToUuid } from '#domain/values/uuid.ts';
import type { CryptoPayout, CryptoRail, Outcome, PayoutOutcome, PixPayoutRail, PixRail } from './ports.ts';

/** A rail over credentials that were replaced, or (`endedAt` null) are in use. */
export type RailVersion<Rail> = { rail: Rail; endedAt: Date | null };

/**
 * One rail over the credentials in use and those before them. Everything new goes over the newest;
 * what they don't know, and earlier ones may have sent or made, these are asked about. So a payout
 * counts as unknown to the provider only when every version that could have sent it says so: who
 * can see it may be a matter of the application that sent it.
 */
export function pixOverVersions(versions: readonly [RailVersion<PixRail>, ...RailVersion<PixRail>[]]): PixRail {
  const [{ rail: newest }, ...earlier] = versions;
  if (earlier.length === 0) return newest;
  /** Those that were in use when this id of ours was made, or later. */
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

/** The same of a crypto processor. */
export function cryptoOverVersions(
  versions: readonly [RailVersion<CryptoRail>, ...RailVersion<CryptoRail>[]],
): CryptoRail {
  const [{ rail: newest }, ...earlier] = versions;
  if (earlier.length === 0) return newest;
  const before = earlier.map(railOf);
  return {
    ...newest,
    findInvoice: (id) => askInTurn(newest, before, (rail) => rail.findInvoice(id), 'newest'),
    findInvoiceByOrder: (order) => askInTurn(newest, before, (rail) => rail.findInvoiceByOrder(order), 'newest'),
    findPayout: (id) => askInTurn(newest, before, (rail) => rail.findPayout(id), 'doubt'),
    async findPayoutsLike(request, since) {
      const found: CryptoPayout[] = [];
      for (const { rail, endedAt } of versions) {
        if (endedAt !== null && endedAt < since) continue;
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
    // Credentials that send nothing any more are not gone round with those before them.
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
 * What the newest knows, else what an earlier one does. Where none knows it and not all could be
 * asked: `doubt` says so, because "there is no such thing" would have consequences; `newest` takes
 * the newest one's word. A provider that gives the newest no answer gives the others none.
 */
async function askInTurn<Rail, T>(
  newest: Rail,
  earlier: readonly Rail[],
  ask: (rail: Rail) => Promise<Outcome<T | null>>,
  otherwise: 'doubt' | 'newest',
): Promise<Outcome<T | null>> {
  const first = await ask(newest);
  if (first.outcome === 'unknown' || (first.outcome === 'done' && first.value !== null)) return first;
  let doubt: Outcome<T | null> | null = first.outcome === 'rejected' ? first : null;
  for (const rail of earlier) {
    if (rail === newest) continue;
    const next = await ask(rail);
    if (next.outcome === 'done' && next.value !== null) return next;
    if (next.outcome !== 'done') doubt ??= next;
  }
  return otherwise === 'doubt' && doubt ? doubt : first;
}

/** An id of ours carries the time at which it was made; of others anything may be. */
function wasMadeBefore(txid: string, instant: Date | null): boolean {
  const id = txidToUuid(txid);
  return id === null || instant === null || id <= firstUuidAt(new Date(instant.getTime() + CLOCKS_APART_MS));
}

/** Between two processes of one installation, and the time a send takes after its id was made. */
const CLOCKS_APART_MS = 60_000;

const railOf = <Rail>({ rail }: RailVersion<Rail>): Rail => rail;

async function closeAll(versions: readonly RailVersion<{ close(): Promise<void> }>[]): Promise<void> {
  await Promise.all(versions.map(({ rail }) => rail.close()));
}

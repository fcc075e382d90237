import { CURRENCIES, type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { canonicalWallet, walletSpellings } from '#domain/withdrawals/wallet-address.ts';
import type { CryptoPayout, CryptoPayoutLikeness, CryptoPayoutRequest, Outcome } from '../ports.ts';
import { hashesOf, isPlisioId, type PlisioPage, type PlisioRecord, unknown } from './plisio-wire.ts';

/**
 * Two clocks that are set by NTP differ by less; an older payout of the same kind is another one.
 */
const CLOCK_DIFFERENCE_MS = 60_000;
/** 1,000 payouts of one currency between the send and the query: more than that takes a person. */
const MAX_PAGES = 20;

export const PAYOUT_STATUSES: Record<string, CryptoPayout['status']> = {
  new: 'processing',
  pending: 'processing',
  'pending internal': 'processing',
  completed: 'completed',
  error: 'failed',
  cancelled: 'failed',
};

/** Reads a payout. `known` has what is known of it already, for an answer that leaves it out. */
export function toPayout(found: PlisioRecord, known: Partial<CryptoPayout> = {}): Outcome<CryptoPayout> {
  const providerId = found.id ?? found.txn_id;
  if (providerId === undefined || !isPlisioId(providerId)) return unknown('not a Plisio answer: id');
  if (found.type !== undefined && found.type !== 'cash_out') return unknown('Plisio answered about no payout');
  const status = PAYOUT_STATUSES[found.status ?? ''];
  if (status === undefined) return unknown('Plisio gives a status that its documentation does not have');
  const currency = found.psys_cid ?? known.currency;
  const units = found.amount ?? known.units;
  const wallet = found.wallet_hash ?? known.wallet;
  const createdAt = found.created_at_utc ?? known.createdAt;
  if (currency === undefined || units === undefined || wallet === undefined || createdAt === undefined) {
    return unknown('Plisio leaves out what this payout is (white-label off?)');
  }
  if (!isCurrencyCode(currency)) return unknown('Plisio answered about a currency we do not know');
  const txHash = hashesOf(found)[0] ?? null;
  return { outcome: 'done', value: { providerId, status, currency, units, wallet, createdAt, txHash } };
}

/**
 * Returns a quantity rounded down to the decimals that the network has: more of them can't be sent,
 * and the provider would round instead.
 */
export function sendableUnits(units: bigint, code: CurrencyCode): bigint {
  const step = 10n ** BigInt(Math.max(0, 8 - CURRENCIES[code].decimals));
  return units - (units % step);
}

/** Returns whether two addresses are one wallet: a provider may write it in another spelling. */
function isSameWallet(one: string, other: string, code: CurrencyCode): boolean {
  const canonical = (wallet: string) => canonicalWallet(wallet, code) ?? wallet;
  return one === other || walletSpellings(canonical(one), code).includes(canonical(other));
}

/** Returns whether a response matches a payout; a missing field does not contradict it. */
function isLike(
  reported: { currency?: string | undefined; units?: bigint | undefined; wallet?: string | undefined },
  { currency, units, wallet }: CryptoPayoutLikeness,
): boolean {
  return (
    (reported.currency === undefined || reported.currency === currency) &&
    (reported.units === undefined ||
      units === null ||
      sendableUnits(reported.units, currency) === sendableUnits(units, currency)) &&
    (reported.wallet === undefined || isSameWallet(reported.wallet, wallet, currency))
  );
}

/** Returns `found` if it has the currency, quantity and wallet of the request; else `unknown`. */
export const asRequestedPayout = (found: CryptoPayout, request: CryptoPayoutRequest): Outcome<CryptoPayout> =>
  isLike(found, request) ? { outcome: 'done', value: found } : unknown('Plisio answered about another payout');

/**
 * Returns the payouts like `request` in a list of operations, made since then. `unknown` when one
 * that may be meant can't be recognised, and when the list does not end, or is empty before that:
 * whoever takes a payout for lost by mistake pays twice.
 */
export async function collectAlike(
  readPage: (page: number) => Promise<Outcome<PlisioPage>>,
  request: CryptoPayoutLikeness,
  since: Date,
): Promise<Outcome<CryptoPayout[]>> {
  const from = since.getTime() - CLOCK_DIFFERENCE_MS;
  const alike = new Map<string, CryptoPayout>();
  let newestFirst = true;
  let last = Number.POSITIVE_INFINITY;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await readPage(page);
    if (answer.outcome !== 'done') return answer;
    const { operations, _meta } = answer.value;
    for (const operation of operations) {
      const createdAt = operation.created_at_utc?.getTime();
      newestFirst &&= createdAt !== undefined && createdAt <= last;
      last = createdAt ?? last;
      if (createdAt !== undefined && createdAt < from) continue;
      if (operation.type !== undefined && operation.type !== 'cash_out') continue;
      const { psys_cid: currency, amount: units, wallet_hash: wallet } = operation;
      if (!isLike({ currency, units, wallet }, request)) continue;
      const payout = toPayout(operation);
      if (payout.outcome !== 'done') return payout;
      alike.set(payout.value.providerId, payout.value);
    }
    const pages = _meta?.pageCount;
    // It counts payouts that it does not show.
    if (operations.length === 0 && page < (pages ?? 0)) {
      return unknown('Plisio’s list of payouts is empty before its last page');
    }
    const isEnd = operations.length === 0 || page >= (pages ?? Number.POSITIVE_INFINITY);
    // The order of the list is not documented, so it is relied upon only as far as it was observed.
    if (isEnd || (newestFirst && last < from)) return { outcome: 'done', value: [...alike.values()] };
  }
  return unknown(`more than ${MAX_PAGES} pages of payouts`);
}

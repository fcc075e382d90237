import type { PartialPosting, PlainPosting } from '#db/ledger.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import type { TestTransaction } from './ledger-fixture.ts';

/**
 * The ledger in its plainest form, to hold the real one against: balances in a map, postings in a set, no database. Platform
 * accounts are pockets like any other, but may be negative.
 */

export type Posting = PlainPosting | PartialPosting;

/** What a posting is asked to do; `reference` and `centavos` count for parts only. */
export type Request = { transaction: TestTransaction; posting: Posting; reference: string; centavos: bigint };

/** `TR003` to `TR005` are the ledger's own codes: not for this type, not in this order, not this amount. */
export type Outcome = 'posted' | 'repeated' | 'insufficient_funds' | 'TR003' | 'TR004' | 'TR005';

/** `entries` is what the real ledger calls an account's version. */
type Pocket = { centavos: bigint; entries: number };

export type LedgerModel = {
  pockets: Map<string, Pocket>;
  /** Amounts of the postings so far, by transaction, posting and reference. */
  posted: Map<string, bigint>;
};

export const createModel = (): LedgerModel => ({ pockets: new Map(), posted: new Map() });

export const isPart = (posting: Posting): posting is PartialPosting => PARTS.includes(posting);

/** Posts, or says why not; only `posted` changes the model. */
export function postInModel(model: LedgerModel, request: Request): Outcome {
  const { transaction, posting, centavos } = request;
  const rule = RULES[posting];
  if (!rule.types.includes(transaction.type)) return 'TR003';
  const isPosted = (other: Posting) => model.posted.has(keyOf({ ...request, posting: other, reference: '' }));
  if (rule.after && !isPosted(rule.after)) return 'TR004';
  if (rule.never && isPosted(rule.never)) return 'TR004';

  const before = model.posted.get(keyOf(request));
  if (isPart(posting)) {
    if (centavos <= 0n || (before !== undefined && before !== centavos)) return 'TR005';
    if (before === undefined && posting !== 'suspense' && centavos > stillReturnable(model, transaction))
      return 'TR005';
  }
  if (before !== undefined) return 'repeated';

  const moves = rule.moves(transaction, centavos).filter(([, amount]) => amount !== 0n);
  if (moves.some(([name, amount]) => isAccountPocket(name) && pocketOf(model, name).centavos + amount < 0n)) {
    return 'insufficient_funds';
  }
  for (const [name, amount] of moves) {
    const { centavos: balance, entries } = pocketOf(model, name);
    model.pockets.set(name, { centavos: balance + amount, entries: entries + 1 });
  }
  model.posted.set(keyOf(request), centavos);
  return 'posted';
}

export const keyOf = (request: { transaction: { id: string }; posting: Posting; reference: string }): string =>
  `${request.transaction.id} ${request.posting} ${isPart(request.posting) ? request.reference : ''}`;

type Rule = {
  types: TransactionType[];
  /** A posting that must have been made, or must not have been. */
  after?: Posting;
  never?: Posting;
  moves(transaction: TestTransaction, centavos: bigint): [pocket: string, amount: bigint][];
};

const PARTS: readonly Posting[] = ['suspense', 'refund', 'dispute'];
const WITHDRAWALS: TransactionType[] = ['pix_out', 'crypto_out'];

const own = (transaction: TestTransaction, kind: string) => `${transaction.account.id} ${kind}`;
const platform = (transaction: TestTransaction, kind: string) => `${transaction.account.mode} ${kind}`;
const isAccountPocket = (name: string) => !name.startsWith('live ') && !name.startsWith('test ');

const RULES: Record<Posting, Rule> = {
  charge_paid: {
    types: ['pix_in'],
    moves: (t) => [
      [platform(t, 'pix_settlement'), -t.amountCentavos],
      [own(t, 'available'), t.netCentavos],
      [platform(t, 'fees'), t.feeCentavos],
      ...(t.split ? [[`${t.split.account.id} available`, t.split.centavos] as [string, bigint]] : []),
    ],
  },
  suspense: {
    types: ['pix_in'],
    moves: (t, centavos) => [
      [platform(t, 'pix_settlement'), -centavos],
      [platform(t, 'suspense'), centavos],
    ],
  },
  withdrawal_requested: {
    types: WITHDRAWALS,
    moves: (t) => [
      [own(t, 'available'), -t.netCentavos - t.feeCentavos],
      [own(t, 'blocked'), t.netCentavos + t.feeCentavos],
    ],
  },
  withdrawal_completed: {
    types: WITHDRAWALS,
    after: 'withdrawal_requested',
    never: 'withdrawal_failed',
    moves: (t) => [
      [own(t, 'blocked'), -t.netCentavos - t.feeCentavos],
      [platform(t, t.type === 'pix_out' ? 'pix_settlement' : 'crypto_settlement'), t.netCentavos],
      [platform(t, 'fees'), t.feeCentavos],
    ],
  },
  withdrawal_failed: {
    types: WITHDRAWALS,
    after: 'withdrawal_requested',
    never: 'withdrawal_completed',
    moves: (t) => [
      [own(t, 'blocked'), -t.netCentavos - t.feeCentavos],
      [own(t, 'available'), t.netCentavos + t.feeCentavos],
    ],
  },
  crypto_seen: {
    types: ['crypto_in'],
    moves: (t) => [
      [platform(t, 'crypto_settlement'), -t.netCentavos],
      [own(t, 'pending'), t.netCentavos],
    ],
  },
  crypto_confirmed: {
    types: ['crypto_in'],
    after: 'crypto_seen',
    moves: (t) => [
      [own(t, 'pending'), -t.netCentavos],
      [own(t, 'available'), t.netCentavos],
      [platform(t, 'crypto_settlement'), -t.feeCentavos],
      [platform(t, 'fees'), t.feeCentavos],
    ],
  },
  refund: {
    types: ['pix_in'],
    after: 'charge_paid',
    moves: (t, centavos) => [
      [own(t, 'available'), -centavos],
      [platform(t, 'pix_settlement'), centavos],
    ],
  },
  dispute: {
    types: ['pix_in'],
    after: 'charge_paid',
    moves: (t, centavos) => [
      [own(t, 'available'), -centavos],
      [own(t, 'blocked'), centavos],
    ],
  },
};

export const POSTINGS = Object.keys(RULES) as Posting[];
export const postingsOf = (type: TransactionType): Posting[] => POSTINGS.filter((p) => RULES[p].types.includes(type));

const pocketOf = (model: LedgerModel, name: string): Pocket => model.pockets.get(name) ?? { centavos: 0n, entries: 0 };

/** A payer gets a payment back once at most, by refunds and disputes together. */
function stillReturnable(model: LedgerModel, transaction: TestTransaction): bigint {
  const parts = [...model.posted].filter(([key]) => /^(refund|dispute) /.test(key.slice(transaction.id.length + 1)));
  const returned = parts.filter(([key]) => key.startsWith(transaction.id)).reduce((sum, [, part]) => sum + part, 0n);
  return transaction.amountCentavos - returned;
}

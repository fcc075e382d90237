import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import type { TestTransaction } from './ledger-fixture.ts';
import type { PartEndPosting, PartialPosting, PlainPosting } from './postings.ts';

/**
 * The ledger in its plainest form, to hold the real one against: balances in a map, postings in a
 * set, no database. Platform accounts are pockets like any other, but may be negative.
 */

export type Posting = PlainPosting | PartialPosting | PartEndPosting | 'crypto_received';

/** A deposit's pending, available and fee amounts: totals, not differences. */
export type Received = { pending: bigint; net: bigint; fee: bigint };

/**
 * What a posting is asked to do; `reference` and `centavos` count for parts, `received` for
 * crypto_received.
 */
export type Request = {
  transaction: TestTransaction;
  posting: Posting;
  reference: string;
  centavos: bigint;
  received: Received;
};

/**
 * `TR003` to `TR005` are the ledger's own codes: not for this type, not in this order, not this
 * amount.
 */
export type Outcome = 'posted' | 'repeated' | 'insufficient_funds' | 'TR003' | 'TR004' | 'TR005';

/** `entries` is what the real ledger calls an account's version. */
type Pocket = { centavos: bigint; entries: number };

export type LedgerModel = {
  pockets: Map<string, Pocket>;
  /** Amounts of the postings so far, by transaction, posting and reference. */
  posted: Map<string, bigint>;
  /** The totals of each deposit, and how many postings it took. */
  received: Map<string, Received & { postings: number }>;
};

export const createModel = (): LedgerModel => ({ pockets: new Map(), posted: new Map(), received: new Map() });

export const isPart = (posting: Posting): posting is PartialPosting => PARTS.includes(posting);
export const isPartEnd = (posting: Posting): posting is PartEndPosting => PART_ENDS.includes(posting);

/** Posts, or says why not; only `posted` changes the model. */
export function postInModel(model: LedgerModel, request: Request): Outcome {
  const { transaction, posting } = request;
  const rule = RULES[posting];
  if (!rule.types.includes(transaction.type)) return 'TR003';
  const isPosted = (other: Posting) => model.posted.has(keyOf({ ...request, posting: other }));
  if (rule.after && !isPosted(rule.after)) return 'TR004';
  if (rule.never && isPosted(rule.never)) return 'TR004';
  if (posting === 'crypto_received') return receive(model, request);

  const before = model.posted.get(keyOf(request));
  if (isPart(posting)) {
    const { centavos } = request;
    if (centavos <= 0n || (before !== undefined && before !== centavos)) return 'TR005';
    if (before === undefined && posting !== 'suspense' && centavos > stillReturnable(model, transaction))
      return 'TR005';
  }
  if (before !== undefined) return 'repeated';

  const held = model.posted.get(keyOf({ ...request, posting: 'refund_requested' }));
  const centavos = isPartEnd(posting) ? (held ?? 0n) : request.centavos;
  if (!move(model, rule.moves(transaction, centavos))) return 'insufficient_funds';
  model.posted.set(keyOf(request), centavos);
  return 'posted';
}

/** Pending goes up and down, what is credited only up; each posting is counted. */
function receive(model: LedgerModel, { transaction, posting, received }: Request): Outcome {
  const before = model.received.get(transaction.id) ?? { pending: 0n, net: 0n, fee: 0n, postings: 0 };
  const [pending, net, fee] = [received.pending - before.pending, received.net - before.net, received.fee - before.fee];
  if (received.pending < 0n || net < 0n || fee < 0n) return 'TR005';
  if (pending === 0n && net === 0n && fee === 0n) return 'repeated';

  const postings = before.postings + 1;
  move(model, [
    [own(transaction, 'pending'), pending],
    [own(transaction, 'available'), net],
    [platform(transaction, 'fees'), fee],
    [platform(transaction, 'crypto_settlement'), -pending - net - fee],
  ]);
  model.received.set(transaction.id, { ...received, postings });
  model.posted.set(`${transaction.id} ${posting} ${postings}`, 0n);
  return 'posted';
}

type Move = [pocket: string, amount: bigint];

/** All of it, or nothing and false where an account's pocket would become negative. */
function move(model: LedgerModel, moves: Move[]): boolean {
  const real = moves.filter(([, amount]) => amount !== 0n);
  if (real.some(([name, amount]) => isAccountPocket(name) && pocketOf(model, name).centavos + amount < 0n))
    return false;
  for (const [name, amount] of real) {
    const { centavos, entries } = pocketOf(model, name);
    model.pockets.set(name, { centavos: centavos + amount, entries: entries + 1 });
  }
  return true;
}

export const keyOf = (request: { transaction: { id: string }; posting: Posting; reference: string }): string =>
  `${request.transaction.id} ${request.posting} ${isPart(request.posting) || isPartEnd(request.posting) ? request.reference : ''}`;

type Rule = {
  types: TransactionType[];
  /**
   * A posting that must have been made, or must not have been; of the same reference, where it has
   * one.
   */
  after?: Posting;
  never?: Posting;
  moves(transaction: TestTransaction, centavos: bigint): Move[];
};

const PARTS: readonly Posting[] = ['suspense', 'refund_requested', 'dispute'];
const PART_ENDS: readonly Posting[] = ['refund_completed', 'refund_failed'];
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
      ...(t.split ? [[`${t.split.account.id} available`, t.split.centavos] satisfies Move] : []),
    ],
  },
  suspense: {
    types: ['pix_in', 'crypto_in'],
    moves: (t, centavos) => [
      [platform(t, t.type === 'pix_in' ? 'pix_settlement' : 'crypto_settlement'), -centavos],
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
  /** Its amounts are differences to the totals so far: see receive. */
  crypto_received: { types: ['crypto_in'], moves: () => [] },
  refund_requested: {
    types: ['pix_in'],
    after: 'charge_paid',
    moves: (t, centavos) => [
      [own(t, 'available'), -centavos],
      [own(t, 'blocked'), centavos],
    ],
  },
  refund_completed: {
    types: ['pix_in'],
    after: 'refund_requested',
    never: 'refund_failed',
    moves: (t, centavos) => [
      [own(t, 'blocked'), -centavos],
      [platform(t, 'pix_settlement'), centavos],
    ],
  },
  refund_failed: {
    types: ['pix_in'],
    after: 'refund_requested',
    never: 'refund_completed',
    moves: (t, centavos) => [
      [own(t, 'blocked'), -centavos],
      [own(t, 'available'), centavos],
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

/**
 * What of a payment can still go back to its payer, in centavos: refunds and disputes together
 * return it once at most, and a refund that failed does not count.
 */
function stillReturnable(model: LedgerModel, transaction: TestTransaction): bigint {
  let left = transaction.amountCentavos;
  for (const [key, centavos] of model.posted) {
    const [id, posting] = key.split(' ');
    if (id !== transaction.id) continue;
    if (posting === 'refund_requested' || posting === 'dispute') left -= centavos;
    if (posting === 'refund_failed') left += centavos;
  }
  return left;
}

import { claimTasks } from '#db/tasks/tasks.ts';
import { findChangedTransactions } from '#db/transactions/find-changed-transactions.ts';
import { OVERVIEW_PERIODS } from '#domain/reports/overview-period.ts';
import { addDays, dayOf } from '#domain/reports/statement-period.ts';
import { firstUuidAt } from '#domain/values/uuid.ts';
import type { Deps } from '#services/deps.ts';
import { getOperatorOverview } from '#services/operators/get-operator-overview.ts';
import { getSystemState } from '#services/operators/get-system-state.ts';
import { listAllTransactions } from '#services/operators/list-all-transactions.ts';
import { listWaiting } from '#services/operators/list-waiting.ts';
import { openStatementFile } from '#services/reports/get-statement.ts';
import { openTransactionsFile } from '#services/reports/open-transactions-file.ts';
import type { panelCaller } from '../src/testing/panel-caller.ts';
import { customerOf } from './fill-account.ts';
import { COMMON_CENTAVOS, RARE_CENTAVOS } from './planned-transaction.ts';

type Panel = Awaited<ReturnType<typeof panelCaller>>;
type Row = { id: string; endToEndId: string; providerId: string; wallet: string; eventId: string; deliveryId: string };

const DAY_MS = 86_400_000;
const CHANGES_MAX = 50;
const TASKS_MAX = 64;
const EVERYTHING = { types: [], statuses: [], displayStatuses: [], from: null, to: null, paidFrom: null, paidTo: null };
/** Of every account, as operators list it. */
const ALL = {
  accountId: null,
  type: null,
  displayStatus: null,
  from: null,
  to: null,
  text: null,
  before: null,
  limit: 50,
};
const UNBOUNDED = { ...EVERYTHING, minCentavos: null, maxCentavos: null, text: null, reference: null, metadata: null };

/**
 * The calls that a filled account is measured with, by name: every list, search, filter, figure and
 * page of the panel and the API whose tables grow, with filters that find much, little and nothing.
 */
export async function growthCalls(
  deps: Deps,
  panel: Panel,
  accountId: string,
): Promise<Record<string, () => Promise<unknown>>> {
  const { pool } = deps.db;
  const now = deps.clock();
  const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const middle = await rowAt(deps, accountId, new Date(at(90)));
  const brl = (centavos: number) => String(centavos / 100);
  const list = (filter: Parameters<Panel['transactions']['list']>[0]) => () => panel.transactions.list(filter);
  const find = (text: string) => () => panel.search.find({ text });
  const { name, document } = customerOf(7);
  const [given = ''] = name.split(' ');
  const today = dayOf(now);
  const statement =
    (days: number, balance: 'available' | 'blocked' = 'available') =>
    () =>
      panel.statement.get({ balance, from: addDays(today, 1 - days), to: today });
  return {
    list: list({}),
    'list, from the middle': list({ cursor: middle.id }),
    'list, paid': list({ status: 'paid' }),
    'list, refunded': list({ status: 'refunded' }),
    'list, in review (none)': list({ status: 'review' }),
    'list, charges that failed (none)': list({ type: 'pix_in', status: 'failed' }),
    'list, shown as late (none)': list({ display_status: 'late' }),
    'list, shown as partially refunded': list({ display_status: 'partially_refunded' }),
    'list, crypto withdrawals': list({ type: 'crypto_out' }),
    'list, splits (none)': list({ type: 'split_in' }),
    'list, of a day': list({ from: at(90), to: at(89) }),
    'list, of a day, in review (none)': list({ from: at(90), to: at(89), status: 'review' }),
    'list, paid on a day': list({ paid_from: at(90), paid_to: at(89) }),
    'list, paid in a second (none)': list({ paid_from: at(90), paid_to: at(89.999999) }),
    'list, amount of many': list({ min_amount: '10', max_amount: '900' }),
    'list, amount of one': list({ min_amount: brl(RARE_CENTAVOS), max_amount: brl(RARE_CENTAVOS) }),
    'list, amount of none': list({ min_amount: '90000' }),
    'list, amount of many, in review (none)': list({ min_amount: '10', status: 'review' }),
    'list, text of many': list({ text: given }),
    'list, text of a customer': list({ text: name }),
    'list, text of an order': list({ text: 'pedido 4321' }),
    'list, text of none': list({ text: 'zzzzzz' }),
    'list, text of an end-to-end id': list({ text: middle.endToEndId }),
    'list, text of many, refunded': list({ text: given, status: 'refunded' }),
    'list, text of many, crypto withdrawals (none)': list({ text: given, type: 'crypto_out' }),
    'list, text of all, in review (none)': list({ text: 'pedido', status: 'review' }),
    'list, text of all, amount of none': list({ text: 'pedido', min_amount: '90000' }),
    'list, text of all, metadata of none': list({ text: 'pedido', metadata: 'loja=0' }),
    'list, reference of none': list({ reference: 'pedido-0' }),
    'list, metadata of none': list({ metadata: 'loja=0' }),
    'search, whole id': find(middle.id),
    'search, beginning of an id': find(middle.id.slice(0, 13)),
    'search, last six of an id': find(middle.id.slice(-6)),
    'search, last six of none': find('fedcba'),
    'search, end-to-end id': find(middle.endToEndId),
    'search, end-to-end id of none': find(`E${'0'.repeat(31)}`),
    "search, provider's id": find(middle.providerId),
    'search, wallet': find(middle.wallet),
    'search, document': find(document),
    'search, amount of many': find(brl(COMMON_CENTAVOS)),
    'search, amount of one': find(brl(RARE_CENTAVOS)),
    'search, amount of none': find('99998.76'),
    'search, name of many': find(given),
    'search, name of a customer': find(name),
    'search, word of none': find('zzzzzz'),
    ...Object.fromEntries(
      OVERVIEW_PERIODS.map((period) => [`overview, ${period}`, () => panel.overview.get({ period })]),
    ),
    'statement, 30 days': statement(30),
    'statement, 90 days': statement(90),
    'statement, 90 days, blocked': statement(90, 'blocked'),
    'statement, from the middle': async () => {
      const { next_cursor } = await panel.statement.get({
        balance: 'available',
        from: addDays(today, -90),
        to: addDays(today, -45),
      });
      return next_cursor;
    },
    customers: () => panel.customers.list({}),
    'customers, name of many': () => panel.customers.list({ text: given }),
    'customers, name of one': () => panel.customers.list({ text: name }),
    'customers, name of none': () => panel.customers.list({ text: 'zzzzzz' }),
    customer: () => panel.customers.get({ customer_id: middle.id }),
    'transactions of a customer': () => panel.customers.transactions({ customer_id: middle.id }),
    detail: () => panel.detail.get({ transaction_id: middle.id }),
    transaction: () => panel.transactions.get({ transactionId: middle.id }),
    status: () => panel.transactions.status({ transactionId: middle.id, type: 'pix_in' }),
    'payment page': () => panel.payment.get({ transactionId: middle.id }),
    'file of transactions, first piece': () => firstPiece(openTransactionsFile(deps, accountId, UNBOUNDED)),
    'file of transactions in review, first piece (none)': () =>
      firstPiece(openTransactionsFile(deps, accountId, { ...UNBOUNDED, statuses: ['review'] })),
    'file of a statement, first piece': () =>
      firstPiece(openStatementFile(deps, accountId, { balance: 'available', from: addDays(today, -90), to: today })),
    balance: () => panel.balance.get({}),
    limits: () => panel.account.limits({}),
    'first steps': () => panel.firstSteps.get(),
    events: () => panel.events.list({}),
    'events, failed': () => panel.events.list({ status: 'failed' }),
    'events of a transaction': () => panel.events.list({ transaction_id: middle.id }),
    webhooks: () => panel.webhooks.overview(),
    deliveries: () => panel.webhooks.deliveries({}),
    'deliveries, failed': () => panel.webhooks.deliveries({ status: 'failed' }),
    'deliveries, pending (none)': () => panel.webhooks.deliveries({ status: 'pending' }),
    'deliveries of a topic': () => panel.webhooks.deliveries({ topic: 'usdt' }),
    'deliveries, from the middle': () => panel.webhooks.deliveries({ cursor: middle.deliveryId }),
    delivery: () => panel.webhooks.delivery({ delivery_id: middle.deliveryId }),
    requests: () => panel.requests.list({}),
    'requests, 4xx (none)': () => panel.requests.list({ status: '4xx' }),
    'activity, money': () => panel.security.activity({ kind: 'money' }),
    'activity, security': () => panel.security.activity({}),
    disputes: () => panel.disputes.list({}),
    'payments without a charge': () => panel.unmatched.inbox(),
    'operator, list': () => listAllTransactions(deps, ALL),
    'operator, list, in review (none)': () => listAllTransactions(deps, { ...ALL, displayStatus: 'review' }),
    'operator, list, text of an end-to-end id': () => listAllTransactions(deps, { ...ALL, text: middle.endToEndId }),
    'operator, overview': () => getOperatorOverview(deps),
    'operator, state of the system': () => getSystemState(deps),
    'operator, what waits': () => listWaiting(deps),
    changes: () => findChangedTransactions(pool, [accountId], new Date(now.getTime() - 60_000), CHANGES_MAX),
    tasks: () => claimTasks(pool, { now, leaseMs: 1, limit: TASKS_MAX }),
  };
}

async function firstPiece(file: Promise<{ chunks(): AsyncGenerator<unknown> }>): Promise<unknown> {
  for await (const piece of (await file).chunks()) return piece;
}

/** The identifiers of a paid charge of about this time, and of an invoice beside it. */
async function rowAt({ db }: Deps, accountId: string, time: Date): Promise<Row> {
  const { rows } = await db.pool.query<Row>(
    `SELECT x.id, x.end_to_end_id AS "endToEndId", c.provider_id AS "providerId", c.wallet, e.id AS "eventId", d.id AS "deliveryId"
     FROM (SELECT * FROM transactions WHERE account_id = $1 AND type = 'pix_in' AND status = 'paid' AND id >= $2
         ORDER BY id LIMIT 1) AS x
       JOIN events e ON e.transaction_id = x.id JOIN deliveries d ON d.event_id = e.id
       CROSS JOIN (SELECT provider_id, wallet FROM transactions WHERE account_id = $1 AND type = 'crypto_in' AND id >= $2
         ORDER BY id LIMIT 1) AS c`,
    [accountId, firstUuidAt(time)],
  );
  const [row] = rows;
  if (!row) throw new Error('The account has no paid charge in the middle of its history.');
  return row;
}

import { leakIn, type RawAnswer } from '../attack/answers.ts';
import { cookieOf } from '../attack/authorisation/panel.ts';
import { MODES, type Mode, type Owned, openTenant } from '../attack/tenants.ts';
import { openBrowser, PASSWORD } from '../src/testing/panel-browser.ts';
import type { TestService } from '../src/testing/test-service.ts';

export type FuzzTarget = {
  url: string;
  /** Of the tenant whose requests these are: a key for each account, and a signed-in member. */
  keys: Record<Mode, string>;
  cookie: string;
  owned: Record<Mode, Owned>;
  /** Charges that can be cancelled, besides the one that is owned. */
  pendingCharges: Record<Mode, string[]>;
  /** What another merchant has, which is in no answer. */
  foreign: Record<Mode, Owned>;
  foreignCanaries: string[];
  /** Where webhooks may go. */
  receiverUrl: string;
};

/** Covers what is sent out in a long run, in reais; a charge can't be larger. */
const MONEY = 1_000_000;
const PENDING_CHARGES = 20;

/**
 * Two merchants with something of everything; the first has money, and is the one that asks.
 * `closing` takes what is to be undone, the last one first.
 */
export async function openFuzzTarget(service: TestService, closing: (() => unknown)[]): Promise<FuzzTarget> {
  const { deps } = service;
  const tenant = await openTenant({ closing }, service, 'quem-pede');
  const other = await openTenant({ closing }, service, 'outra');
  await deps.db.pool.query('UPDATE merchants SET can_create_accounts = true WHERE id = $1', [tenant.merchantId]);
  const keys = { live: await tenant.newKey('live'), test: await tenant.newKey('test') };
  const pendingCharges: Record<Mode, string[]> = { live: [], test: [] };
  const paidCharges = { live: '', test: '' };
  for (const mode of MODES) {
    const charge = async (amount: number) => {
      const { body } = await service.post('/payments/transactions', keys[mode], { amount });
      return (body.data as { transaction_id: string }).transaction_id;
    };
    const paid = await charge(MONEY);
    paidCharges[mode] = paid;
    await service.pay(paid);
    await service.until('the account has its money', async () => {
      const { body } = await service.get(`/payments/transactions/${paid}`, keys[mode]);
      return (body.data as { status: string }).status === 'paid' || null;
    });
    while (pendingCharges[mode].length < PENDING_CHARGES) pendingCharges[mode].push(await charge(12));
  }
  // The tenant's own session must last: what is ended is this one.
  const ended = openBrowser(service);
  await ended.signIn(tenant.email, PASSWORD);
  const { rows } = await deps.db.pool.query<{ id: string }>(
    'SELECT s.id FROM sessions s JOIN members m ON m.id = s.member_id WHERE m.email = $1 ORDER BY s.created_at DESC LIMIT 1',
    [tenant.email],
  );
  const session = rows[0]?.id ?? '';
  // The log of requests shows a tenant what they sent themselves.
  const sent = new Set(MODES.flatMap((mode) => namedIds(other.owned[mode])));
  return {
    url: service.url,
    keys,
    cookie: cookieOf(tenant.browser),
    owned: {
      live: { ...tenant.owned.live, session, paidCharge: paidCharges.live },
      test: { ...tenant.owned.test, session, paidCharge: paidCharges.test },
    },
    pendingCharges,
    foreign: other.owned,
    foreignCanaries: other.canaries.filter((text) => !sent.has(text)),
    receiverUrl: tenant.receiverUrl,
  };
}

/** Ids that requests name, of their own tenant's things and of another's. */
export const namedIds = ({
  paidCharge,
  pendingCharge,
  pixWithdrawal,
  invoice,
  event,
  endpoint,
  accountId,
}: Owned): string[] => [...[paidCharge, pendingCharge, pixWithdrawal, invoice], ...[event, endpoint, accountId]];

/** What the fuzzer asks of the service beside requests: from inside its process. */
export type FuzzSupervision = {
  /** The member has just confirmed who they are, and the simulators answer. */
  refresh(): Promise<void>;
  /** The lines of the log since the last time that say that something went wrong. */
  takeErrorLines(): Promise<string[]>;
  /** What the ledger's check finds. */
  checkLedger(): Promise<string[]>;
  /** Bytes in use after a collection; null where the process is shared with the fuzzer. */
  measureMemory(): Promise<Memory | null>;
};

/** In bytes: the heap and what buffers hold, after a collection; and what the system counts. */
export type Memory = { used: number; resident: number };

/** The first thing of another merchant's that an answer shows and the request did not say. */
export const foreignLeak = (target: FuzzTarget, answer: RawAnswer, request: string): string | null =>
  leakIn(answer, target.foreignCanaries, request);

import { createOperator } from '#services/operators/manage-operators.ts';
import { leakIn, type RawAnswer } from '../attack/answers.ts';
import { cookieOf } from '../attack/authorisation/panel.ts';
import { MODES, type Mode, type Owned, openTenant } from '../attack/tenants.ts';
import { operatorBrowser } from '../src/testing/operator-browser.ts';
import { openBrowser, PASSWORD } from '../src/testing/panel-browser.ts';
import type { TestService } from '../src/testing/test-service.ts';

export type FuzzTarget = {
  url: string;
  /**
   * The credentials of the tenant that sends the requests: a key for each account, and a signed-in
   * member.
   */
  keys: Record<Mode, string>;
  cookie: string;
  /** Of an operator who has signed in to the console. */
  operatorCookie: string;
  owned: Record<Mode, Owned>;
  /** Charges that can be cancelled, besides the one that is owned. */
  pendingCharges: Record<Mode, string[]>;
  /** What another merchant has, which no answer may have. */
  foreign: Record<Mode, Owned>;
  foreignCanaries: string[];
  /** Where webhooks may go. */
  receiverUrl: string;
};

/** Enough for what a long run sends out, in reais; a charge can't be larger. */
const MONEY = 1_000_000;
const PENDING_CHARGES = 20;

/**
 * Opens two merchants with something of every kind; the first has money, and sends the requests.
 * `closing` gets the steps that undo it, the last one first.
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
  // The tenant's own session must last: requests end this one.
  const ended = openBrowser(service);
  await ended.signIn(tenant.email, PASSWORD);
  const { rows } = await deps.db.pool.query<{ id: string }>(
    'SELECT s.id FROM sessions s JOIN members m ON m.id = s.member_id WHERE m.email = $1 ORDER BY s.created_at DESC LIMIT 1',
    [tenant.email],
  );
  const session = rows[0]?.id ?? '';
  const login = await createOperator(deps, { name: 'Ana', email: 'ana@trilho.example' });
  if (!login) throw new Error('The address has an operator already.');
  // The log of requests shows a tenant what they sent themselves.
  const sent = new Set(MODES.flatMap((mode) => namedIds(other.owned[mode])));
  return {
    url: service.url,
    keys,
    cookie: cookieOf(tenant.browser),
    operatorCookie: cookieOf(await operatorBrowser(service, login)),
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

/** The ids that requests name, of their own tenant and of another one. */
export const namedIds = ({
  paidCharge,
  pendingCharge,
  pixWithdrawal,
  invoice,
  event,
  endpoint,
  accountId,
}: Owned): string[] => [...[paidCharge, pendingCharge, pixWithdrawal, invoice], ...[event, endpoint, accountId]];

/** The fuzzer's calls to the service beside requests, from inside its process. */
export type FuzzSupervision = {
  /** Confirms the member and the operator, and resets the simulators so that they answer. */
  refresh(): Promise<void>;
  /** Undoes what an operator changes for every merchant. */
  reopen(): Promise<void>;
  /** The lines that were logged as errors since the last call. */
  takeErrorLines(): Promise<string[]>;
  /** The discrepancies that the ledger's check finds. */
  checkLedger(): Promise<string[]>;
  /** The memory after a collection; null where the process is shared with the fuzzer. */
  measureMemory(): Promise<Memory | null>;
};

/**
 * In bytes. `used`: the heap and the buffers after a collection; `resident`: what the system
 * counts.
 */
export type Memory = { used: number; resident: number };

/** The first text of another merchant that the answer has and the request did not; null: none. */
export const foreignLeak = (target: FuzzTarget, answer: RawAnswer, request: string): string | null =>
  leakIn(answer, target.foreignCanaries, request);

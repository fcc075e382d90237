import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Account, Installation } from './installation.ts';
import { isUnknown, type Journal, type RequestKind } from './journal.ts';

/** After this an answer is unknown: longer than the service waits for its database. */
export const ANSWER_WITHIN_MS = 15_000;
/**
 * How long a client keeps an idle connection: less than the 200 ms after which a stopping server
 * closes it. A client that waits longer will at times send on a connection that is just being
 * closed (RFC 9112 section 9.5).
 */
const IDLE_MAX_MS = 100;
/** More than any drill has clients: none waits for another one's connection. */
const CONNECTIONS_MAX = 1_024;
/** The pause between two tries of one request: impatient, as clients are, but no flood. */
const RETRY_AFTER_MS = 50;
/** The reais that each account begins with: more than the load uses. */
const FUNDS = 900_000;
/** From how many paid charges an account picks the one that it refunds. */
const REFUNDABLE_MAX = 200;

/** How many requests that clients gave up are decided at once. */
const DECIDED_TOGETHER = 4;

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** How many of a hundred requests are of each kind; every other charge is paid. */
export type Mix = readonly (readonly [RequestKind, number])[];

const MIX: Mix = [
  ['charge', 55],
  ['withdrawal', 20],
  ['refund', 10],
  ['invoice', 8],
  ['crypto_withdrawal', 7],
];

/** The request of each kind, without the body's amount. */
const PATHS: Record<Exclude<RequestKind, 'refund'>, { path: string; body: object }> = {
  charge: { path: '/payments/transactions', body: {} },
  withdrawal: {
    path: '/payments/transfers/pix',
    body: { pixKey: 'recebedor@example.com', pixKeyType: 'EMAIL' },
  },
  crypto_withdrawal: { path: '/payments/transfers/crypto', body: { wallet: WALLET } },
  invoice: { path: '/payments/deposits/crypto', body: {} },
};

/** One answer, for those who watch how requests fail. */
export type LoadAnswer = { status: number | null; hasRetryAfter: boolean; reason: string; ms: number };

export type Load = {
  /**
   * Starts so many clients that send requests side by side. Each pauses between two of them for
   * half to one and a half times `restMs`, 0 unless given.
   */
  start(clients: number, restMs?: number): void;
  /** Begins no more requests, and resolves when those in progress are decided. */
  finish(): Promise<void>;
  /**
   * Ends what `start` began without deciding what is undecided: `finish` does that later, for a few
   * at a time.
   */
  giveUp(): Promise<void>;
  /** Creates a charge, pays it and waits until it is credited, whatever fails meanwhile. */
  untilCredited(): Promise<void>;
  /** From now on requests are of these kinds. */
  setMix(mix: Mix): void;
  /** While it is true, payers pay charges with another amount than they were asked for. */
  payAnotherAmount(now: boolean): void;
  /** Sets the listener that gets every answer from now on; null removes it. */
  onAnswer(listener: ((answer: LoadAnswer) => void) | null): void;
  close(): Promise<void>;
};

/**
 * Merchants who create charges, withdraw, give back and invoice, each with an Idempotency-Key that
 * they repeat until they know the outcome; and payers who pay at the simulators.
 */
export async function openLoad(
  installation: Installation,
  options: {
    journal: Journal;
    random: () => number;
    /** The prefix of every Idempotency-Key. */
    name: string;
    /** A request that stays undecided for longer is a failure. */
    patienceMs: number;
  },
): Promise<Load> {
  const { url, sandboxUrl, controlToken, accounts } = installation;
  const { journal, random, name, patienceMs } = options;
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
    connect: { timeout: ANSWER_WITHIN_MS },
    keepAliveTimeout: IDLE_MAX_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
  });
  const refundable = new Map<Account, string[]>(accounts.map((account) => [account, []]));
  const clients: Promise<void>[] = [];
  const errors: Error[] = [];
  let keys = 0;
  let stopping = false;
  let givingUp = false;
  /** What clients gave up to ask for. */
  const undecided: (() => Promise<unknown>)[] = [];
  let paysAnotherAmount = false;
  let mix = MIX;
  let lastRejection = '';
  let listener: ((answer: LoadAnswer) => void) | null = null;

  /** One request; null: no answer. */
  async function send(account: Account, path: string, body: object | null, key?: string) {
    const at = performance.now();
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await request(url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          'x-api-key': account.apiKey,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        dispatcher: agent,
      });
      const text = await answer.text();
      const hasRetryAfter = headers['retry-after'] !== undefined;
      listener?.({ status: statusCode, hasRetryAfter, reason: text, ms: performance.now() - at });
      return { status: statusCode, text };
    } catch (error) {
      listener?.({ status: null, hasRetryAfter: false, reason: String(error), ms: performance.now() - at });
      return null;
    }
  }

  /**
   * Repeats a request with its key until its outcome is known. Returns the id of what it made, or
   * null where it was rejected.
   */
  async function decide(
    account: Account,
    kind: RequestKind,
    reais: number,
    chargeId?: string,
    key = `${name}-${++keys}`,
  ): Promise<string | null> {
    const { path, body } =
      kind === 'refund' ? { path: `/payments/transactions/${chargeId}/refund`, body: {} } : PATHS[kind];
    const deadline = performance.now() + patienceMs;
    for (;;) {
      journal.asked({ key, kind, accountId: account.id, centavos: reais * 100 });
      const answer = await send(account, path, { ...body, amount: reais }, key);
      const status = answer?.status ?? null;
      const id = answer && status !== null && status < 300 ? idOf(answer.text) : null;
      journal.answered({ key, status, id });
      if (id) return id;
      if (!isUnknown(status)) {
        lastRejection = `${status} ${answer?.text}`;
        return null;
      }
      if (givingUp) {
        undecided.push(() => decide(account, kind, reais, chargeId, key));
        return null;
      }
      if (performance.now() > deadline)
        throw new Error(`${key} (${kind}) was never decided: ${status} ${answer?.text}`);
      await sleep(RETRY_AFTER_MS * (0.5 + random()));
    }
  }

  /**
   * Pays a charge at the simulator; the provider is another company, which does not fail with the
   * service.
   */
  async function pay(transactionId: string, amount?: string): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        const answer = await request(`${sandboxUrl}/control/pay`, {
          method: 'POST',
          headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ txid: uuidToTxid(transactionId), ...(amount && { amount }) }),
          dispatcher: agent,
        });
        // If the simulator rejects it, the money stays with its payer.
        await answer.body.dump();
        return;
      } catch (error) {
        // A payer tries again; a paid charge is not paid twice.
        if (performance.now() > deadline) throw error;
        await sleep(RETRY_AFTER_MS);
      }
    }
  }

  async function isPaid(account: Account, id: string): Promise<boolean> {
    const answer = await send(account, `/payments/transactions/${id}/status?type=pix_in`, null);
    return answer?.status === 200 && /"status":"paid"/.test(answer.text);
  }

  /** Whole reais: without cents that the simulators take as a command. */
  const wholeReais = (min: number, max: number) => min + Math.floor(random() * (max - min));
  const anyAccount = () => accounts[Math.floor(random() * accounts.length)] as Account;

  async function act(): Promise<void> {
    const account = anyAccount();
    const kind = kindOf(mix, random());
    if (kind === 'charge') {
      const id = await decide(account, kind, wholeReais(1, 500));
      if (!id || random() < 0.5) return;
      if (paysAnotherAmount) return pay(id, '0.50');
      await pay(id);
      const list = refundable.get(account) ?? [];
      if (list.length < REFUNDABLE_MAX) list.push(id);
    } else if (kind === 'refund') {
      const id = refundable.get(account)?.shift();
      if (id) await decide(account, kind, 1, id);
    } else if (kind === 'invoice') {
      const id = await decide(account, kind, wholeReais(20, 300));
      if (id && random() < 0.5) await pay(id);
    } else {
      await decide(account, kind, wholeReais(kind === 'withdrawal' ? 1 : 20, 40));
    }
  }

  async function client(restMs: number): Promise<void> {
    while (!stopping) {
      await act();
      if (restMs > 0) await sleep(restMs * (0.5 + random()));
    }
  }

  for (const account of accounts) {
    const id = await decide(account, 'charge', FUNDS);
    if (!id) throw new Error(`The charge that funds an account was rejected: ${lastRejection}`);
    await pay(id);
    while (!(await isPaid(account, id))) await sleep(RETRY_AFTER_MS);
  }

  async function end(): Promise<void> {
    stopping = true;
    await Promise.all(clients);
    clients.length = 0;
    if (errors.length > 0) throw new AggregateError(errors, errors[0]?.message);
  }

  return {
    start(count, restMs = 0) {
      stopping = false;
      for (let number = 0; number < count; number++)
        clients.push(client(restMs).catch((error: Error) => void errors.push(error)));
    },
    async finish() {
      await end();
      while (undecided.length > 0)
        await Promise.all(undecided.splice(0, DECIDED_TOGETHER).map((decideLater) => decideLater()));
    },
    async giveUp() {
      givingUp = true;
      await end();
      givingUp = false;
    },
    async untilCredited() {
      const account = anyAccount();
      const deadline = performance.now() + patienceMs;
      let id: string | null = null;
      // A charge that its provider did not create is rejected: the merchant creates another one.
      while (!id) {
        id = await decide(account, 'charge', wholeReais(1, 500));
        if (id) break;
        if (performance.now() > deadline) throw new Error(`Every charge was rejected: ${lastRejection}`);
        await sleep(RETRY_AFTER_MS);
      }
      await pay(id);
      while (!(await isPaid(account, id))) {
        if (performance.now() > deadline) throw new Error(`The charge ${id} was paid and never credited.`);
        await sleep(RETRY_AFTER_MS);
      }
    },
    setMix(next) {
      mix = next;
    },
    payAnotherAmount(now) {
      paysAnotherAmount = now;
    },
    onAnswer(next) {
      listener = next;
    },
    close: () => agent.close(),
  };
}

function kindOf(mix: Mix, share: number): RequestKind {
  let left = share * 100;
  for (const [kind, weight] of mix) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'charge';
}

function idOf(text: string): string | null {
  const { data } = JSON.parse(text) as { data?: { refund_id?: string; transaction_id?: string } };
  return data?.refund_id ?? data?.transaction_id ?? null;
}

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestService } from '../../src/testing/test-service.ts';
import { transactionIdOf } from '../../src/testing/transaction-id-of.ts';
import { ask } from '../answers.ts';
import { PROXY_VARIABLES } from '../sign-in/visitors.ts';
import type { Subject } from '../subject.ts';
import type { Flood } from './flood.ts';

type Opened = Awaited<ReturnType<TestService['openAccount']>>;

/**
 * Requests that another merchant makes meanwhile; each has to be answered as if there were no
 * flood.
 */
const OTHERS_REQUESTS = 24;
/** How many clients flood at once. */
const CLIENTS = 24;
/** How many clients a flood has that runs in a process of its own. */
const CLIENTS_OUTSIDE = 60;
/**
 * Between two requests of a client in the process that serves, so that the clients leave it the
 * processor.
 */
const PAUSE_MS = 10;

const FLOOD_BEGINS_MS = 1_000;

/** The load of one tenant, or of anonymous clients, must not stop another tenant's work. */
export const denialOfService: Subject = {
  name: 'denial of service',
  async run(arena) {
    const service = await arena.start({ variables: { DEMO: 'true', ...PROXY_VARIABLES } });
    const victim = await service.openAccount();
    const flooder = await service.openAccount();
    await earn(service, flooder, 900);
    await earn(service, victim, 900);
    // Once without measuring: connections, caches and compiled code are then those of a running
    // service.
    await work(service, victim, arena.isLong);
    const quietMs = (await work(service, victim, arena.isLong)).medianMs;

    const floods: { name: string; flood: (until: AbortSignal) => Promise<void> }[] = [
      { name: 'anonymous batches of pages’ calls', flood: (until) => clients(until, () => anonymousBatch(service)) },
      { name: 'one merchant’s withdrawals', flood: (until) => clients(until, () => withdraw(service, flooder)) },
      { name: 'a lock on one merchant’s balance', flood: (until) => lockBalance(service, flooder, until) },
      {
        name: 'made-up API keys',
        flood: (until) =>
          clients(until, (index) =>
            ask(`${service.url}/payments/balance`, { headers: { 'x-api-key': `tr_test_${index}` } }),
          ),
      },
      {
        name: 'one merchant’s lists',
        flood: (until) => floodFromOutside(until, { ...target(service, flooder), kind: 'lists' }),
      },
      {
        name: 'sign-ins with wrong passwords, each from another address',
        flood: (until) => floodFromOutside(until, { ...target(service, flooder), kind: 'passwords' }),
      },
    ];
    // The short form has the first floods: those that a single process is the most likely to suffer
    // from.
    for (const { name, flood } of floods.slice(0, arena.times(3, floods.length))) {
      // ASVS 15.2.2
      const tally = arena.attack(`another merchant during ${name}`);
      for (let round = 0; round < arena.times(1, 5); round++) {
        const stop = new AbortController();
        const flooding = flood(stop.signal);
        // A flood in a process of its own starts later than it is asked to.
        if (arena.isLong) await sleep(FLOOD_BEGINS_MS);
        const { failed, medianMs } = await work(service, victim, arena.isLong);
        stop.abort();
        await flooding;
        for (const what of failed) tally(what, 'was not answered as usual');
        for (let done = failed.length; done < OTHERS_REQUESTS; done++) tally('a request', null);
        arena.note(
          `${name}: the other merchant's median is ${medianMs.toFixed(1)} ms, ${(medianMs / quietMs).toFixed(1)} times the quiet one`,
        );
      }
    }
  },
};

async function earn(service: TestService, account: Opened, reais: number): Promise<void> {
  const id = transactionIdOf(await service.post('/payments/transactions', account.apiKey, { amount: reais }));
  await service.pay(id);
  await service.until('the charge is paid', async () => {
    const { body } = await service.get(`/payments/transactions/${id}`, account.apiKey);
    return (body.data as { status: string }).status === 'paid' || null;
  });
}

/**
 * An honest merchant's requests, one after the other: reading, withdrawing and, in the long form,
 * charging.
 */
async function work(
  service: TestService,
  account: Opened,
  charges: boolean,
): Promise<{ failed: string[]; medianMs: number }> {
  const failed: string[] = [];
  const times: number[] = [];
  for (let number = 0; number < OTHERS_REQUESTS; number++) {
    const started = performance.now();
    const answer =
      number % 3 === 0
        ? await service.get('/payments/transactions?limit=5', account.apiKey)
        : number % 3 === 1
          ? await (charges
              ? service.post('/payments/transactions', account.apiKey, { amount: 1 })
              : service.get('/payments/balance', account.apiKey))
          : await withdraw(service, account);
    times.push(performance.now() - started);
    if (answer.status >= 300) failed.push(`request ${number}: ${answer.status} ${answer.text.slice(0, 120)}`);
  }
  return { failed, medianMs: times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0 };
}

const withdraw = (service: TestService, { apiKey }: Opened) =>
  service.post('/payments/transfers/pix', apiKey, { amount: 1, pixKey: 'a@example.com', pixKeyType: 'EMAIL' });

/** Clients that run until they are stopped. */
async function clients(until: AbortSignal, request: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      // The flood's own requests may be rejected or cut off: only the other merchant's count.
      while (!until.aborted) {
        await request(index).catch(() => {});
        await sleep(PAUSE_MS);
      }
    }),
  );
}

const BATCH = 120;

function anonymousBatch(service: TestService): Promise<unknown> {
  const input = Object.fromEntries(
    Array.from({ length: BATCH }, (_, index) => [index, { transactionId: crypto.randomUUID() }]),
  );
  const names = Array.from({ length: BATCH }, () => 'payment.get').join(',');
  return ask(`${service.url}/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`);
}

const target = ({ url }: TestService, { apiKey }: Opened) => ({ url, apiKey, clients: CLIENTS_OUTSIDE });

async function floodFromOutside(until: AbortSignal, flood: Flood): Promise<void> {
  const child = fork(join(import.meta.dirname, 'flood.ts'), [JSON.stringify(flood)]);
  await new Promise<void>((resolve) => {
    until.addEventListener('abort', () => resolve(), { once: true });
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.disconnect();
  await ended;
}

/** A lock holds a merchant's balance while the merchant keeps requesting withdrawals. */
async function lockBalance(service: TestService, { accountId, ...rest }: Opened, until: AbortSignal): Promise<void> {
  const holder = new pg.Client({ connectionString: service.ownerUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM ledger_accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
    const flooding = clients(until, () => withdraw(service, { accountId, ...rest }));
    await new Promise<void>((resolve) => until.addEventListener('abort', () => resolve(), { once: true }));
    await holder.query('ROLLBACK');
    await flooding;
  } finally {
    await holder.end();
  }
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/**
 * Key rotation under traffic: two processes, requests without a pause, and a clock that is moved.
 */

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-20T12:34:56.789Z');
/**
 * How many answers of each process are awaited before and after each step: enough that every
 * client had some.
 */
const STEP_ANSWERS = 60;

let now = NOW;
let first: TestService;
let second: TestService;

beforeAll(async () => {
  // The traffic exceeds the default rate limit of a key.
  const variables = { RATE_LIMIT_PER_KEY: '100000' };
  first = await startTestService({ clock: () => new Date(now), variables });
  second = await startTestService({ clock: () => new Date(now), variables, beside: first });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** Clients that send to both processes with `current.key` without a pause, and keep the answers. */
function traffic(key: string) {
  const current = { key };
  const answers: { key: string; process: number; status: number; code: unknown }[] = [];
  let stopped = false;
  const client = async (process: number) => {
    const service = [first, second][process] as TestService;
    for (let sent = 0; !stopped; sent++) {
      const { key: used } = current;
      const { status, body } =
        sent % 4 === 0
          ? await service.post('/payments/transactions', used, { amount: 1 })
          : await service.get('/payments/balance', used);
      answers.push({ key: used, process, status, code: body.code });
    }
  };
  const clients = [0, 1, 0, 1].map(client);
  return {
    answers,
    use: (next: string) => {
      current.key = next;
    },
    /** Waits until so many more answers with this key came from each process. */
    async goesOnWith(used: string) {
      const counts = () => [0, 1].map((n) => answers.filter((one) => one.key === used && one.process === n).length);
      const before = counts();
      await first.until(
        'responses continue',
        async () => counts().every((n, i) => n >= (before[i] ?? 0) + STEP_ANSWERS) || null,
      );
    },
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

// ASVS 13.3.4
test('a key is rotated without a rejected request, in two processes; after the overlap the old one is rejected in both', async () => {
  const { accountId } = await first.openAccount();
  const panel = await panelCaller(first.deps, accountId);
  const old = await panel.keys.create({
    name: 'ERP',
    permissions: ['charges:write', 'balance:read'],
    allowed_ips: ['127.0.0.1'],
    expires_at: null,
  });
  const requests = traffic(old.api_key);
  await requests.goesOnWith(old.api_key);
  const fresh = await panel.keys.rotate({ key_id: old.key.key_id, overlap_hours: 24 });
  await requests.goesOnWith(old.api_key);
  requests.use(fresh.api_key);
  await requests.goesOnWith(fresh.api_key);
  // The last instant of the overlap, long after every cached key has expired.
  now = NOW + 24 * HOUR_MS - 1;
  requests.use(old.api_key);
  await requests.goesOnWith(old.api_key);
  requests.use(fresh.api_key);
  await requests.goesOnWith(fresh.api_key);
  now = NOW + 24 * HOUR_MS;
  await requests.goesOnWith(fresh.api_key);
  await requests.stop();

  // On a busy machine the sandbox may create a charge too late, for whichever key.
  const isRejected = ({ status, code }: (typeof requests.answers)[number]) =>
    status !== 200 && code !== 'charge_not_created';
  expect(requests.answers.filter(isRejected)).toEqual([]);
  for (const process of [first, second]) {
    const rejected = await process.get('/payments/balance', old.api_key);
    expect([rejected.status, rejected.body.error]).toEqual([401, 'API key inválida']);
    expect((await process.get('/payments/balance', fresh.api_key)).status).toBe(200);
  }
});

test('a process that has cached the old key does not serve it past an overlap that another process set', async () => {
  now = NOW;
  const { accountId } = await first.openAccount();
  const old = await (await panelCaller(first.deps, accountId)).keys.create({
    name: 'x',
    permissions: ['balance:read'],
    allowed_ips: [],
    expires_at: null,
  });
  const status = async () => (await second.get('/payments/balance', old.api_key)).status;
  expect(await status()).toBe(200);
  const panel = await panelCaller(first.deps, accountId);
  await panel.keys.rotate({ key_id: old.key.key_id, overlap_hours: 0 });
  await second.until('the old key is out', async () => (await status()) === 401 || null);
});

import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LiveMessage } from '#contract/transactions/live-input.ts';
import { findDemoLogin } from '#demo/seed-demo.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/** Live updates across two processes of one installation. */

let trilho: TestService;
let beside: TestService;
beforeAll(async () => {
  trilho = await startTestService();
  beside = await startTestService({ beside: trilho, variables: { ROLE: 'web', SANDBOX_URL: `${trilho.url}/sandbox` } });
});
afterAll(async () => {
  await beside.stop();
  await trilho.stop();
});

type Seen = { position: string; message: LiveMessage };
const open: AbortController[] = [];
afterEach(() => {
  for (const controller of open.splice(0)) controller.abort();
});

/** Listens at a process, as a page of this account would. */
async function listen(
  at: TestService,
  accountId: string,
  options: { memberId?: string; lastEventId?: string; shown?: string; stillSignedIn?: () => Promise<boolean> } = {},
) {
  const { lastEventId, memberId, shown = accountId, stillSignedIn } = options;
  const controller = new AbortController();
  open.push(controller);
  const panel = await panelCaller(
    at.deps,
    accountId,
    memberId ? { memberId } : {},
    stillSignedIn ? { stillSignedIn } : {},
    controller.signal,
  );
  const stream = await panel.live.transactions({ lastEventId: lastEventId ?? null, account: shown });
  const seen: Seen[] = [];
  let end: unknown;
  const ended = (async () => {
    for await (const event of stream) {
      // Without the wire in between `tracked` is a tuple, whatever its type says.
      const [position, message] = event as unknown as [string, LiveMessage];
      seen.push({ position, message });
    }
  })().catch((error: unknown) => {
    end = error;
  });
  const received = () =>
    seen.flatMap(({ message }) =>
      message.kind === 'transaction' ? [`${message.transaction.transaction_id} ${message.transaction.status}`] : [],
    );
  return {
    seen,
    received,
    receives: (what: string) =>
      trilho.until(`the stream sends "${what}"`, async () => (received().includes(what) ? true : null)),
    close: () => controller.abort(),
    async end() {
      await ended;
      return end;
    },
  };
}

async function account(at: TestService = trilho) {
  const { apiKey, accountId } = await trilho.openAccount();
  return {
    accountId,
    async charge(amount = 10) {
      return transactionIdOf(await at.post('/payments/transactions', apiKey, { amount, description: 'Pedido 42' }));
    },
  };
}

test('what the first process creates and changes is seen at the second', async () => {
  const { accountId, charge } = await account();
  const page = await listen(beside, accountId);
  const id = await charge();
  await page.receives(`${id} pending`);
  await trilho.pay(id);
  await page.receives(`${id} paid`);
  // An event may come twice.
  expect([...new Set(page.received())]).toEqual([`${id} pending`, `${id} paid`]);
  // Its texts are stored sealed, and sent readable.
  expect(page.seen[0]?.message).toMatchObject({ transaction: { description: 'Pedido 42' } });
});

test('what the second process creates and changes is seen at the first', async () => {
  const { accountId, charge } = await account(beside);
  const page = await listen(trilho, accountId);
  await page.receives(`${await charge()} pending`);
});

test('no account sees another’s transactions', async () => {
  const mine = await account();
  const theirs = await account();
  const page = await listen(beside, mine.accountId);
  const foreign = await theirs.charge();
  const own = await mine.charge();
  const theirPage = await listen(beside, theirs.accountId);
  await page.receives(`${own} pending`);
  await theirPage.receives(`${foreign} pending`);
  expect(page.received().join()).not.toContain(foreign);
  expect(theirPage.received().join()).not.toContain(own);
  // A page of the one, whose browser acts for the other since: it would show the rows of both.
  const otherPage = await listen(beside, mine.accountId, { shown: theirs.accountId });
  expect(await otherPage.end()).toMatchObject({ code: 'CONFLICT', message: 'other_account' });
});

test('a page that comes back at another process misses nothing of what happened while it was away', async () => {
  const { accountId, charge } = await account();
  const first = await listen(beside, accountId);
  const before = await charge();
  await first.receives(`${before} pending`);
  first.close();
  await first.end();
  const away = [await charge(), await charge()];
  await trilho.pay(before);
  await trilho.until('it is paid', async () => {
    const panel = await panelCaller(trilho.deps, accountId);
    return (await panel.transactions.get({ transactionId: before })).data.status === 'paid' ? true : null;
  });
  const again = await listen(trilho, accountId, { lastEventId: first.seen.at(-1)?.position ?? '' });
  for (const id of away) await again.receives(`${id} pending`);
  await again.receives(`${before} paid`);
});

test('what was written long ago is reported when the page has been away since before, and not to a new page', async () => {
  const { accountId, charge } = await account();
  const id = await charge();
  await trilho.deps.db.pool.query(
    `UPDATE transactions SET created_at = created_at - interval '10 minutes', updated_at = updated_at - interval '10 minutes' WHERE id = $1`,
    [id],
  );
  const minutesAgo = (minutes: number) => String(Date.now() - minutes * 60_000);
  const back = await listen(beside, accountId, { lastEventId: minutesAgo(11) });
  await back.receives(`${id} pending`);
  const fresh = await listen(beside, accountId);
  const later = await charge();
  await fresh.receives(`${later} pending`);
  expect(fresh.received().join()).not.toContain(id);
});

test('a change is reported although it was committed after a later one', async () => {
  const { accountId, charge } = await account();
  const slow = await charge();
  const quick = await charge();
  const page = await listen(beside, accountId);
  await page.receives(`${quick} pending`);
  const client = await trilho.deps.db.pool.connect();
  const change = (db: Pick<pg.ClientBase, 'query'>, id: string) =>
    db.query(`UPDATE transactions SET updated_at = $2 WHERE id = $1`, [id, new Date()]);
  await client.query('BEGIN');
  await change(client, slow);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await change(trilho.deps.db.pool, quick);
  const times = (id: string) => page.received().filter((text) => text.startsWith(id)).length;
  await trilho.until('the later one is reported', async () => (times(quick) === 2 ? true : null));
  expect(times(slow)).toBe(1);
  await client.query('COMMIT');
  client.release();
  await trilho.until('the earlier one is reported', async () => (times(slow) === 2 ? true : null));
});

test('more changes than a page can show are reported as one request to read the list again', async () => {
  const { accountId, charge } = await account();
  const id = await charge();
  const page = await listen(beside, accountId);
  await page.receives(`${id} pending`);
  await trilho.deps.db.pool.query(
    `INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, created_at, updated_at)
     SELECT uuidv7(), $1, 'pix_in', 'pending', 100, 0, 100, 'sandbox', $2, $2 FROM generate_series(1, 300)`,
    [accountId, new Date()],
  );
  await trilho.until('the page is asked to read the list again', async () =>
    page.seen.some(({ message }) => message.kind === 'resync') ? true : null,
  );
  expect(page.received()).toHaveLength(1);
});

test('a stream ends within seconds when its member is no longer signed in', async () => {
  const { accountId, charge } = await account();
  let signedIn = true;
  const page = await listen(beside, accountId, { stillSignedIn: async () => signedIn });
  await page.receives(`${await charge()} pending`);
  signedIn = false;
  expect(await page.end()).toMatchObject({ code: 'UNAUTHORIZED', message: 'not_signed_in' });
});

test('the oldest stream of a member ends when they open too many', async () => {
  const { accountId, charge } = await account();
  const memberId = '01a1fdab-37e2-736a-adcd-30f787d92221';
  const pages = [];
  for (let n = 0; n < 9; n++) pages.push(await listen(beside, accountId, { memberId }));
  expect(await pages[0]?.end()).toMatchObject({ code: 'CONFLICT' });
  const id = await charge();
  for (const page of pages.slice(1)) await page.receives(`${id} pending`);
});

/** The stream of the demo's member over HTTP, as a browser reads it. */
async function browser(at: TestService) {
  const login = await findDemoLogin(at.deps);
  const signedIn = await fetch(`${at.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: at.url },
    body: JSON.stringify({ email: login?.email, password: login?.password }),
  });
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  const response = await fetch(`${at.url}/api/trpc/test/live.transactions?input=%7B%7D`, { headers: { cookie } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const read = (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  })();
  const signOut = () =>
    fetch(`${at.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie, origin: at.url, 'content-type': 'application/json' },
      body: '{}',
    });
  return {
    login,
    signOut,
    text: () => text,
    /**
     * Resolves when the server has ended the stream in order; rejects when the connection was cut.
     */
    ended: () => read,
    says: (what: string) => at.until(`the stream says ${what}`, async () => (text.includes(what) ? true : null)),
  };
}

test('a browser gets changes over SSE, and none after it has signed out', async () => {
  const page = await browser(trilho);
  await page.says('event: connected');
  const answer = await trilho.post('/payments/transactions', page.login?.api_key, { amount: 10 });
  const id = transactionIdOf(answer);
  await page.says(id);
  expect(page.text()).toMatch(/\nid: \d{13}\n/);
  expect((await page.signOut()).status).toBe(200);
  await page.ended();
  expect(page.text()).toContain('event: serialized-error');
  expect(page.text()).toContain('not_signed_in');
});

test('a visitor without a session gets no changes', async () => {
  const response = await fetch(`${trilho.url}/api/trpc/test/live.transactions?input=%7B%7D`);
  expect(await response.text()).toContain('not_signed_in');
});

test('a process that stops ends its streams in order instead of cutting them, and without saying that they are over', async () => {
  const stopping = await startTestService({ beside: trilho, variables: { ROLE: 'web' } });
  const page = await browser(stopping);
  await page.says('event: connected');
  const stopped = stopping.stop();
  await page.ended();
  await stopped;
  // Either of them would keep the browser from reconnecting.
  expect(page.text()).not.toMatch(/event: (return|serialized-error)/);
});

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFailedTasks } from '#db/tasks/failed-tasks.ts';
import { recordAttempt } from '#db/webhooks/deliveries.ts';
import { resendFailed } from '#db/webhooks/resends.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { type Call, errorOf, startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { failingEndpoints } from './failing-endpoints.ts';

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

test('a delivery is shown with the exact bytes and headers that its receiver got, and never with the secret', async () => {
  const server = await setup.receiver(500, '<b>out of order</b>');
  const one = await setup.merchant(server.url);
  const id = await setup.paidCharge(one);
  const { delivery_id } = await setup.settled(one, 'pending', 1, id);
  const shown = await one.panel.delivery({ delivery_id });
  const [call] = server.calls;
  expect(shown).toMatchObject({ body: call?.body, type: 'pix_in.paid', transaction_id: id, topic: 'deposit' });
  expect(shown.tries).toEqual([
    {
      number: 1,
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
      status_code: 500,
      error: null,
      answer: '<b>out of order</b>',
      headers: expect.any(Object),
    },
  ]);
  expect(call?.headers).toMatchObject(shown.tries[0]?.headers ?? { none: true });
  expect(Object.keys(shown.tries[0]?.headers ?? {})).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  // After a rotation an earlier signature can't be computed for certain, so it is null.
  await one.panel.rotateSecret();
  setup.retryIsDue();
  await setup.settled(one, 'pending', 2, id);
  const later = await one.panel.delivery({ delivery_id });
  expect(later.tries.map(({ headers }) => headers['webhook-signature'])).toEqual([
    null,
    server.calls[1]?.headers['webhook-signature'],
  ]);
  expect(JSON.stringify(later)).not.toContain(one.secretKey.slice('whsec_'.length));

  // A second ends while an attempt begins: what is shown is what was signed.
  const from = setup.trilho.deps.clock().getTime();
  let seconds = 0;
  const clock = () => new Date(from + 1_000 * seconds++);
  const task = { kind: 'deliver_webhook' as const, subjectId: delivery_id, attempts: 3, leaseUntil: clock() };
  await deliverWebhook({ ...setup.trilho.deps, clock }, task);
  const { tries } = await one.panel.delivery({ delivery_id });
  expect(server.calls[2]?.headers).toMatchObject(tries[2]?.headers ?? { none: true });
});

test('a delivery whose attempt was recorded is no failed task any more', async () => {
  const server = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const id = await setup.paidCharge(one);
  const { delivery_id } = await setup.settled(one, 'pending', 1, id);
  const { pool } = setup.trilho.deps.db;
  // As an attempt leaves it that could not be made or recorded here.
  await pool.query(`UPDATE tasks SET last_error = 'internal' WHERE subject_id = $1`, [delivery_id]);
  setup.retryIsDue();
  await setup.settled(one, 'pending', 2, id);
  const failed = await listFailedTasks(pool, { kind: 'deliver_webhook', before: null, limit: 100 });
  expect(failed.map(({ subjectId }) => subjectId)).not.toContain(delivery_id);
});

test('attempts that are recorded together leave each delivery as its own outcome has it', async () => {
  const server = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const { pool } = setup.trilho.deps.db;
  const startedAt = setup.trilho.deps.clock();
  const retryAt = new Date(startedAt.getTime() + 3_600_000);
  const results = [{ status: 'delivered' }, { status: 'held' }, { status: 'failed' }, { retryAt }] as const;
  const ids: string[] = [];
  for (const _ of results) {
    const { delivery_id } = await setup.settled(one, 'pending', 1, await setup.paidCharge(one));
    ids.push(delivery_id);
  }
  const read = async (id: string | undefined) => {
    const { rows } = await pool.query(
      `SELECT status, finished_at IS NOT NULL AS "isFinished",
         (SELECT array_agg(number::text || ':' || status_code ORDER BY number) FROM attempts WHERE delivery_id = d.id) AS tried,
         (SELECT due_at FROM tasks WHERE subject_id = d.id) AS "dueAt"
       FROM deliveries d WHERE id = $1`,
      [id],
    );
    return rows[0] as { dueAt: Date | null };
  };
  const tried = await Promise.all(
    results.map(async (result, at) => {
      const leaseUntil = (await read(ids[at])).dueAt as Date;
      const task = { kind: 'deliver_webhook' as const, subjectId: ids[at] as string, attempts: 2, leaseUntil };
      const attempt = {
        url: server.url,
        startedAt,
        durationMs: 5,
        statusCode: 201 + at,
        error: null,
        responseBody: null,
      };
      return { task, attempt, result };
    }),
  );
  await Promise.all(tried.map((each) => recordAttempt(pool, each)));
  const common = { isFinished: true, dueAt: null };
  expect(await Promise.all(ids.map(read))).toEqual([
    { ...common, status: 'delivered', tried: ['1:500', '2:201'] },
    { ...common, status: 'held', isFinished: false, tried: ['1:500', '2:202'] },
    { ...common, status: 'failed', tried: ['1:500', '2:203'] },
    { status: 'pending', isFinished: false, tried: ['1:500', '2:204'], dueAt: retryAt },
  ]);

  // Of a claim that is over the attempts are recorded, and the task stays as its new owner has it.
  const [lost] = tried.slice(-1);
  if (!lost) throw new Error('nothing was tried');
  for (const result of [{ retryAt: startedAt }, { status: 'delivered' }] as const)
    await recordAttempt(pool, { ...lost, result });
  const all = ['1:500', '2:204', '3:204', '4:204'];
  expect(await read(ids.at(-1))).toEqual({ ...common, status: 'delivered', tried: all, dueAt: retryAt });
});

test('the events of a contested payment are among those of deposits', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const { chargeId } = await disputedCharge(setup.trilho, one.apiKey, 10);
  const types = async (filter: Parameters<typeof one.panel.deliveries>[0]) =>
    (await one.panel.deliveries({ transaction_id: chargeId, ...filter })).deliveries.map(({ type }) => type).sort();
  expect(await types({})).toEqual(['dispute.opened', 'pix_in.paid']);
  expect(await types({ topic: 'deposit' })).toEqual(['dispute.opened', 'pix_in.paid']);
  expect(await types({ topic: 'withdrawal' })).toEqual([]);
});

test('the log of deliveries has the newest event first, page by page, and can be filtered', async () => {
  const server = await setup.receiver();
  const own = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await setup.paidCharge(one, n === 4 ? { callbackUrl: own.url } : {}));
  await setup.settled(one, 'pending', 1, ids[0]);
  for (const id of ids.slice(1)) await setup.settled(one, 'delivered', 1, id);
  await one.panel.sendTest({ topic: 'usdt' });
  await setup.settled(one, 'delivered', 1);

  const seen: (string | null)[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await one.panel.deliveries({ limit: 2, ...(cursor && { cursor }) });
    seen.push(...page.deliveries.map(({ transaction_id }) => transaction_id));
    cursor = page.next_cursor;
  }
  expect(new Set(seen).size).toBe(6);
  expect([...seen].sort()).toEqual([null, ...ids].sort());
  expect(seen[0]).toBeNull();

  const found = async (filter: Parameters<typeof one.panel.deliveries>[0]) =>
    (await one.panel.deliveries(filter)).deliveries.map(({ transaction_id }) => transaction_id);
  expect(await found({ status: 'pending', topic: 'deposit' })).toEqual([ids[0]]);
  expect((await found({ status: 'delivered', topic: 'deposit' })).sort()).toEqual(ids.slice(1).sort());
  expect(await found({ topic: 'usdt' })).toEqual([null]);
  expect(await found({ topic: 'withdrawal' })).toEqual([]);
  expect(await found({ transaction_id: ids[2] as string })).toEqual([ids[2]]);
  expect(await found({ transaction_id: 'nothing' })).toEqual([]);
  const { deliveries } = await one.panel.deliveries({ status: 'pending' });
  expect(deliveries[0]).toMatchObject({ topic: null, url: own.url, attempts: 1, next_try_at: expect.any(String) });
});

test('another account’s deliveries are not found, like those that do not exist', async () => {
  const server = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const other = await setup.merchant(server.url);
  const { delivery_id } = await setup.settled(one, 'pending', 1, await setup.paidCharge(one));
  for (const id of [delivery_id, '01a1f8f4-91c0-7d55-a1b2-c3d4e5f60718', 'nothing']) {
    expect(await errorOf(other.panel.delivery({ delivery_id: id }))).toMatchObject({ code: 'not_found' });
    expect(await errorOf(other.panel.resend({ delivery_id: id }))).toMatchObject({ code: 'not_found' });
  }
  expect(await other.panel.deliveries({})).toEqual({ deliveries: [], next_cursor: null });
  expect(await other.panel.resendFailed({})).toEqual({ resent: 0, more: false });
  expect(await failingEndpoints(setup.trilho.deps, other.accountId)).toEqual([]);
  expect(await other.panel.overview()).toMatchObject({ failed: 0, endpoints: [{ failing_since: null }, {}, {}] });
  // Its own account finds it.
  expect(await one.panel.delivery({ delivery_id })).toMatchObject({ delivery_id });
});

test('a delivered event is sent again with the same id and bytes, and one that waits is tried at once', async () => {
  const server = await setup.receiver(200);
  const one = await setup.merchant(server.url);
  const id = await setup.paidCharge(one);
  const done = await setup.settled(one, 'delivered', 1, id);
  expect(await one.panel.resend(done)).toEqual({ outcome: 'due' });
  await setup.settled(one, 'delivered', 2, id);
  expect(server.calls[1]?.body).toBe(server.calls[0]?.body);
  expect(server.calls[1]?.headers['webhook-id']).toBe(server.calls[0]?.headers['webhook-id']);

  server.answer.status = 500;
  const late = await setup.paidCharge(one);
  await setup.settled(one, 'pending', 1, late);
  setup.retryIsDue();
  const waiting = await setup.settled(one, 'pending', 2, late);
  server.answer.status = 200;
  expect(await one.panel.resend(waiting)).toEqual({ outcome: 'due' });
  await setup.settled(one, 'delivered', 3, late);
  expect(server.calls).toHaveLength(5);
});

test('an event that is being sent is not sent a second time by a resend', async () => {
  const one = await setup.merchant('https://shop.example/hook');
  const id = await setup.paidCharge(one);
  const delivery = await setup.trilho.until(
    'it waits',
    async () => (await one.panel.deliveries({ transaction_id: id })).deliveries[0],
  );
  const inHand = new Date(setup.trilho.deps.clock().getTime() + 20_000);
  await setup.trilho.deps.db.pool.query(`UPDATE deliveries SET status = 'pending', finished_at = NULL WHERE id = $1`, [
    delivery.delivery_id,
  ]);
  await setup.trilho.deps.db.pool.query(
    `INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', $1, $2)
     ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = $2`,
    [delivery.delivery_id, inHand],
  );
  expect(await one.panel.resend(delivery)).toEqual({ outcome: 'under_way' });
  const { rows } = await setup.trilho.deps.db.pool.query('SELECT due_at FROM tasks WHERE subject_id = $1', [
    delivery.delivery_id,
  ]);
  expect(rows).toEqual([{ due_at: inHand }]);
});

test('failed deliveries are sent again, at most as many as a call allows, and only those of the named topic', async () => {
  const server = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) ids.push(await setup.paidCharge(one));
  for (const id of ids) await setup.settled(one, 'pending', 1, id);
  await setup.trilho.deps.db.pool.query(
    `WITH given_up AS (
        UPDATE deliveries d SET status = 'failed', finished_at = d.created_at FROM events e
        WHERE e.id = d.event_id AND e.account_id = $1 RETURNING d.id)
     DELETE FROM tasks USING given_up WHERE subject_id = given_up.id`,
    [one.accountId],
  );
  server.answer.status = 200;
  expect((await one.panel.overview()).failed).toBe(2);
  expect(await one.panel.resendFailed({ topic: 'usdt' })).toEqual({ resent: 0, more: false });
  const { accountId } = one;
  const wish = { accountId, topic: null, since: new Date(0), limit: 1, now: setup.trilho.deps.clock() };
  expect(await resendFailed(setup.trilho.deps.db.pool, wish)).toEqual({ resent: 1, more: true });
  await setup.settled(one, 'delivered', 2, ids[0]);
  expect(await one.panel.resendFailed({ topic: 'deposit' })).toEqual({ resent: 1, more: false });
  await setup.settled(one, 'delivered', 2, ids[1]);
});

test('a failing webhook says since when and how many events wait, until they arrive', async () => {
  const server = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  expect(await failingEndpoints(setup.trilho.deps, one.accountId)).toEqual([]);
  const first = await setup.paidCharge(one);
  await setup.settled(one, 'pending', 1, first);
  setup.retryIsDue();
  await setup.settled(one, 'pending', 2, first);
  const second = await setup.paidCharge(one);
  await setup.settled(one, 'pending', 1, second);
  const [failing, ...others] = await failingEndpoints(setup.trilho.deps, one.accountId);
  expect(others).toEqual([]);
  const [delivery] = (await one.panel.deliveries({ transaction_id: first })).deliveries;
  const { tries } = await one.panel.delivery({ delivery_id: delivery?.delivery_id ?? '' });
  expect(failing).toMatchObject({ topic: 'deposit', url: server.url, waiting: 2, disabledReason: null });
  expect(failing?.failingSince.toISOString()).toBe(tries[0]?.started_at);

  server.answer.status = 200;
  expect(await one.panel.resendFailed({})).toEqual({ resent: 2, more: false });
  await setup.settled(one, 'delivered', 2, second);
  await setup.settled(one, 'delivered', 3, first);
  expect(await failingEndpoints(setup.trilho.deps, one.accountId)).toEqual([]);
});

test('a test event is sent like all others, signed and in the same envelope, but is tried only once', async () => {
  const server = await setup.receiver();
  setup.backToNow();
  const one = await setup.merchant(server.url);
  const called = async () =>
    (await one.panel.overview()).endpoints.filter((endpoint) => endpoint.called).map(({ topic }) => topic);
  expect(await called()).toEqual([]);
  const { delivery_id } = await one.panel.sendTest({ topic: 'withdrawal' });
  const sent = await setup.settled(one, 'delivered', 1);
  // The panel says how an endpoint does only once it was called.
  expect(await called()).toEqual(['withdrawal']);
  expect(sent).toMatchObject({ delivery_id, type: 'webhook.test', transaction_id: null, topic: 'withdrawal' });
  const { body, headers } = server.calls[0] as Call;
  expect(new Webhook(one.secretKey).verify(body, headers as Record<string, string>)).toEqual({
    id: sent.event_id,
    type: 'webhook.test',
    timestamp: sent.created_at,
    livemode: false,
    data: { topic: 'withdrawal', endpoint_id: null, message: expect.any(String) },
  });
  server.answer.status = 500;
  await one.panel.sendTest({ topic: 'withdrawal' });
  expect(await setup.settled(one, 'failed', 1)).toMatchObject({
    next_try_at: null,
    last_attempt: { status_code: 500 },
  });
  expect(await failingEndpoints(setup.trilho.deps, one.accountId)).toEqual([]);
  await one.panel.setEndpoint({ topic: 'withdrawal', url: server.url });
  expect(await called()).toEqual(['withdrawal']);
  await one.panel.setEndpoint({ topic: 'withdrawal', url: `${server.url}/other` });
  expect(await called()).toEqual([]);
  await one.panel.setEndpoint({ topic: 'withdrawal', url: server.url });
  expect(await errorOf((await setup.merchant()).panel.sendTest({ topic: 'usdt' }))).toMatchObject({
    code: 'invalid_state',
  });
  for (let n = 2; n < 20; n++) await one.panel.sendTest({ topic: 'withdrawal' });
  expect(await errorOf(one.panel.sendTest({ topic: 'withdrawal' }))).toMatchObject({ code: 'too_many_attempts' });
});

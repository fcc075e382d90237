import { afterAll, beforeAll, expect, test } from 'vitest';
import { scheduleTask } from '#db/tasks/tasks.ts';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';

/** The events of a period, sent again over REST. */

const DAY_MS = 86_400_000;

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

type Receiver = Awaited<ReturnType<WebhookMerchants['receiver']>>;
type Keyed = { apiKey: string };

const replay = ({ apiKey }: Keyed, body: object) => setup.trilho.post('/events/replay/start', apiKey, body);
const sending = async (by: Keyed, body: object) =>
  ((await replay(by, body)).body.data as { sending: number } | undefined)?.sending;
const instant = () => setup.trilho.deps.clock();
const idsOf = ({ calls }: Receiver) => calls.map(({ headers }) => headers['webhook-id']);
const marks = async (accountId: string) =>
  (
    await setup.trilho.deps.db.pool.query<{ status: string }>(
      `SELECT d.status FROM deliveries d JOIN events e ON e.id = d.event_id
       WHERE e.account_id = $1 AND d.replay_subject_id IS NOT NULL`,
      [accountId],
    )
  ).rows;

/** Creates charges that are paid and reported, one after the other; returns their ids. */
async function reported(one: Awaited<ReturnType<WebhookMerchants['merchant']>>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push(await setup.paidCharge(one));
    await setup.settled(one, 'delivered', 1, ids.at(-1));
  }
  return ids;
}

test('the events of a period are sent again in their order, with the same ids and bytes', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  await reported(one, 1);
  const since = instant();
  await reported(one, 6);
  const until = instant();
  await reported(one, 1);
  const before = [...server.calls];
  const period = { since: since.toISOString(), until: until.toISOString() };
  expect(await sending(one, period)).toBe(6);
  await setup.called(server, before.length + 6);
  await setup.trilho.until('none waits', async () => (await marks(one.accountId)).length === 0 || null);
  const again = server.calls.slice(before.length);
  expect(again.map(({ headers }) => headers['webhook-id'])).toEqual(
    before.slice(1, 7).map(({ headers }) => headers['webhook-id']),
  );
  expect(again.map(({ body }) => body)).toEqual(before.slice(1, 7).map(({ body }) => body));
  const entries = (await setup.auditOf(one.accountId)).filter(({ action }) => action === 'webhooks.replayed');
  expect(entries[0]).toMatchObject({ details: { ...period, count: 6, key_id: expect.any(String) } });
});

test('an event that is being sent when a replay comes to it is not sent beside that', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const since = instant().toISOString();
  await reported(one, 3);
  const [first, second, third] = idsOf(server);
  const noneIsMarked = () =>
    setup.trilho.until('none waits', async () => (await marks(one.accountId)).length === 0 || null);
  const acts = [
    // While the first one is sent, the second one is asked for by itself, and waits for its answer.
    async () => {
      await setup.trilho.post(`/events/${second}/resend`, one.apiKey, {});
      await setup.called(server, 5);
    },
    noneIsMarked,
  ];
  server.answer.before = async () => acts.shift()?.();
  expect(await sending(one, { since })).toBe(3);
  await setup.called(server, 6);
  await noneIsMarked();
  await setup.settled(one, 'delivered', 2);
  expect(idsOf(server).slice(3)).toEqual([first, second, third]);
});

test('a replay of some types and statuses leaves the others where they are', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const since = instant().toISOString();
  await reported(one, 2);
  expect(await sending(one, { since, type: ['pix_in.expired', 'pix_out.paid'] })).toBe(0);
  expect(await sending(one, { since, status: ['failed', 'held'] })).toBe(0);
  expect(await sending(one, { since, type: ['pix_in.paid'], status: ['delivered'] })).toBe(2);
  await setup.called(server, 4);
});

test('the first event that a webhook does not accept ends its replay, and those after it stay as they were', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const since = instant().toISOString();
  await reported(one, 3);
  const [first] = idsOf(server);
  server.answer.status = 500;
  expect(await sending(one, { since })).toBe(3);
  await setup.called(server, 4);
  await setup.trilho.until('none waits', async () => (await marks(one.accountId)).length === 0 || null);
  expect(idsOf(server).slice(3)).toEqual([first]);
  const { body } = await setup.trilho.get('/events', one.apiKey);
  const events = body.data as { transaction_id: string; deliveries: { status: string }[] }[];
  expect(events.map(({ deliveries }) => deliveries[0]?.status)).toEqual(['delivered', 'delivered', 'pending']);

  // Its receiver had accepted it before: nothing is held once the webhook takes nothing more.
  await one.panel.removeEndpoint({ topic: 'deposit' });
  setup.retryIsDue();
  const delivery = await setup.settled(one, 'delivered', 2, events[2]?.transaction_id);
  expect(delivery.finished_at).not.toBeNull();
  setup.backToNow();
});

test('what went to charges’ own URLs is sent again too, also after one that was not accepted', async () => {
  const away = await setup.receiver();
  const server = await setup.receiver();
  const one = await setup.merchant();
  const since = instant().toISOString();
  for (const callbackUrl of [away.url, server.url]) {
    await setup.settled(one, 'delivered', 1, await setup.paidCharge(one, { callbackUrl }));
  }
  away.answer.status = 500;
  expect(await sending(one, { since })).toBe(2);
  await setup.called(server, 2);
  // The one that was not accepted goes on by its own schedule.
  expect(idsOf(away).toSpliced(0, 1)).toEqual([idsOf(away)[0]]);
});

test('a webhook that is disabled gets nothing again, nor does another account’s', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  const other = await setup.merchant(server.url);
  const since = instant().toISOString();
  await reported(one, 1);
  expect(await sending(other, { since })).toBe(0);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  expect(await sending(one, { since })).toBe(0);
  expect(server.calls).toHaveLength(1);
  // The planted failure: with its URL again it is sent.
  await one.panel.setEndpoint({ topic: 'deposit', url: server.url });
  expect(await sending(one, { since })).toBe(1);
  await setup.called(server, 2);
});

test('a replay ends with a webhook that is disabled, and no later replay sends what was left of it', async () => {
  const server = await setup.receiver();
  const one = await setup.merchant(server.url);
  await reported(one, 2);
  await one.panel.removeEndpoint({ topic: 'deposit' });
  // As a replay leaves it that was asked for before, and has not run.
  const { pool } = setup.trilho.deps.db;
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE deliveries d SET replay_subject_id = d.endpoint_id FROM events e
     WHERE e.id = d.event_id AND e.account_id = $1 RETURNING d.endpoint_id AS id`,
    [one.accountId],
  );
  const task = { kind: 'send_replayed' as const, subjectId: rows[0]?.id ?? '', dueAt: instant() };
  await scheduleTask(pool, task);
  await setup.trilho.until('it has ended', async () => {
    const left = await pool.query('SELECT FROM tasks WHERE kind = $1 AND subject_id = $2', [task.kind, task.subjectId]);
    return left.rowCount === 0 || null;
  });
  expect(await marks(one.accountId)).toEqual([]);
});

test('a long period is searched in bounded parts, and the cursor leads on', async () => {
  const one = await setup.merchant('https://loja.example.com/webhooks');
  await setup.trilho.deps.db.pool.query(
    `WITH made AS (
        INSERT INTO events (id, account_id, type, body, created_at)
        SELECT uuidv7(make_interval(secs => -n)), $1, 'pix_in.paid', '', now() - make_interval(secs => n)
        FROM generate_series(1, 5003) n RETURNING id, created_at)
      INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at)
      SELECT gen_random_uuid(), made.id, n.id, n.url, 'delivered', made.created_at
      FROM made, endpoints n WHERE n.account_id = $1 AND n.topic = 'deposit'`,
    [one.accountId],
  );
  const filter = { since: new Date(instant().getTime() - DAY_MS).toISOString(), status: ['failed'] };
  const first = (await replay(one, filter)).body;
  expect(first).toMatchObject({ data: { sending: 0 }, next_cursor: expect.stringMatching(/^evt_/) });
  const rest = await replay(one, { ...filter, cursor: first.next_cursor });
  expect(rest.body).toMatchObject({ data: { sending: 0 }, next_cursor: null });
});

test.each([
  [{}, 'since', 'Deve ser uma data ISO 8601, ex.: 2026-11-20T00:00:00Z.'],
  [{ since: new Date(Date.now() - 31 * DAY_MS).toISOString() }, 'since', 'Deve ser dos últimos 30 dias.'],
  [{ since: new Date().toISOString(), until: '2026-01-01' }, 'until', 'Deve ser depois de since.'],
  [
    { since: new Date().toISOString(), status: ['pending'] },
    'status.0',
    expect.stringMatching(/^Envie um ou mais de: /),
  ],
  [{ since: new Date().toISOString(), type: 'pix_in.paid' }, 'type', expect.stringMatching(/^Envie um ou mais de: /)],
  [{ since: new Date().toISOString(), cursor: 'x' }, 'cursor', 'Deve ser o next_cursor da página anterior.'],
])('a replay of %j is rejected: %s: %s', async (body, field, message) => {
  const answer = await replay(await setup.merchant(), body);
  expect([answer.status, answer.body]).toMatchObject([400, { details: [{ field, message }] }]);
});

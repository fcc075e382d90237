import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { disableEndpoint } from '#db/webhooks/endpoints.ts';
import { nextDigest } from '#domain/notices/digest-time.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { mailsTo } from '#testing/mails.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { cancelPlannedTerms, changeTerms } from '../accounts/change-terms.ts';
import { scheduleGoneCheck } from '../webhooks/check-endpoint-health.ts';

const HOUR_MS = 3_600_000;

let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => trilho.stop());

const query = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await trilho.deps.db.pool.query(sql, values)).rows as T[];

/** A merchant with two members: one of them reads English. */
async function merchant(mode: 'live' | 'test' = 'live') {
  const opened = await trilho.openAccount({ mode, webhookUrl: 'https://shop.invalid/hook?token=secret' });
  const members = await Promise.all(
    (['pt-BR', 'en'] as const).map(async (language) => {
      const memberId = uuidv7(trilho.deps.clock());
      const email = `${memberId}@example.com`;
      await addMember(trilho.deps.db.pool, { id: memberId, merchantId: opened.merchantId, email, language });
      const panel = await panelCaller(trilho.deps, opened.accountId, { memberId, email });
      return { email, panel, mails: () => mailsTo(trilho, email) };
    }),
  );
  const [maria, mary] = members;
  if (!maria || !mary) throw new Error('no members');
  return { ...opened, maria, mary };
}

const arrived = (what: { mails(): string[] }, number: number) =>
  trilho.until(`${number} mails`, async () => (what.mails().length >= number ? what.mails() : null));

/** How many tasks of a kind are left, whenever they are due. */
const tasksLeft = async (kind: string, subjectId: string) =>
  (await query('SELECT FROM tasks WHERE kind = $1 AND subject_id = $2', kind, subjectId)).length;
const gone = (kind: string, subjectId: string) =>
  trilho.until(`no ${kind} is left`, async () => ((await tasksLeft(kind, subjectId)) === 0 ? true : null));

async function failedWithdrawal({ apiKey }: { apiKey: string }): Promise<string> {
  await makePaidCharge(trilho, apiKey, { amount: 100 });
  await trilho.setSwitch('pix.payout', 'refused');
  const body = { amount: 60, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
  const answer = await trilho.post('/payments/transfers/pix', apiKey, body);
  const id = transactionIdOf(answer);
  await trilho.until('it has failed', async () =>
    (await trilho.get(`/payments/transactions/${id}`, apiKey)).text.includes('"failed"') ? true : null,
  );
  await trilho.setSwitch('pix.payout', 'done');
  aheadMs += 10_000;
  return id;
}

test('every member is notified of a failed withdrawal once, in their language', async () => {
  const one = await merchant();
  const id = await failedWithdrawal(one);
  const [portuguese] = await arrived(one.maria, 1);
  const [english] = await arrived(one.mary, 1);
  expect(portuguese).toMatch(/Subject: Saque de R\$.60,00 falhou/);
  expect(portuguese).toContain(`/live/transacoes/${id}`);
  expect(english).toMatch(/Subject: Withdrawal of R\$.?60\.00 failed/);
  await gone('notify_withdrawal_failed', id);
  expect([one.maria.mails().length, one.mary.mails().length]).toEqual([1, 1]);
});

test('members are notified of a contested payment at once, at half of the time and before its end, until it is answered', async () => {
  const one = await merchant();
  const { disputeId } = await disputedCharge(trilho, one.apiKey, 40);
  // Their webhook fails, too, and causes a mail of its own.
  const aboutCase = { mails: () => one.mary.mails().filter((text) => text.includes('Subject: Dispute')) };
  const [mail] = await arrived(one.maria, 1);
  expect(mail).toMatch(/Subject: Contesta.*R\$.40,00/s);
  expect(mail).toContain(`/live/disputas/${disputeId}`);
  aheadMs += 25 * HOUR_MS;
  expect((await arrived(aboutCase, 2)).join()).toContain('has no answer yet');
  aheadMs += 18 * HOUR_MS;
  await arrived(aboutCase, 3);
  await one.maria.panel.disputes.answer({ disputeId, answer: 'contest' });
  aheadMs += 5 * HOUR_MS;
  await gone('notify_dispute', disputeId);
  expect(await tasksLeft('dispute_reminder', disputeId)).toBe(0);
  expect(aboutCase.mails()).toHaveLength(3);

  const play = await merchant('test');
  const { disputeId: ofPlay } = await disputedCharge(trilho, play.apiKey, 40);
  await gone('notify_dispute', ofPlay);
  expect(play.maria.mails()).toEqual([]);
});

test('a member who has turned a notification off gets no mail, and neither do the members of a test account', async () => {
  const one = await merchant();
  await one.maria.panel.preferences.setNotification({ notification: 'withdrawal_failed', wanted: false });
  await failedWithdrawal(one);
  await arrived(one.mary, 1);
  expect(one.maria.mails()).toEqual([]);
  const play = await merchant('test');
  const id = await failedWithdrawal(play);
  expect(await tasksLeft('notify_withdrawal_failed', id)).toBe(0);
});

async function failingEndpoint() {
  const one = await merchant();
  const [endpoint] = await query<{ id: string; url: string }>(
    `SELECT id, url FROM endpoints WHERE account_id = $1 AND topic = 'deposit'`,
    one.accountId,
  );
  const charge = await trilho.post('/payments/transactions', one.apiKey, { amount: 10 });
  await trilho.pay(transactionIdOf(charge));
  const { id = '', url = '' } = endpoint ?? {};
  await trilho.until('an attempt failed', async () =>
    (await tasksLeft('check_endpoint_health', id)) === 1 ? true : null,
  );
  return { ...one, endpointId: id, url };
}

/** Everything is delivered, and the next check of the endpoint has found that. */
async function worksAgain(endpointId: string): Promise<void> {
  await query(
    `UPDATE deliveries SET status = 'delivered', finished_at = $2 WHERE endpoint_id = $1`,
    endpointId,
    trilho.deps.clock(),
  );
  await trilho.until('its checks end', async () => {
    const [check] = await query<{ at: Date }>(
      `SELECT due_at AS at FROM tasks WHERE kind = 'check_endpoint_health' AND subject_id = $1`,
      endpointId,
    );
    // An attempt under way schedules another one. One that is claimed is due within minutes.
    if (check && check.at.getTime() - trilho.deps.clock().getTime() > HOUR_MS / 2) aheadMs += HOUR_MS + 1_000;
    return check ? null : true;
  });
}

test('members are notified once of a webhook that fails for an hour, however long it lasts, and its checks end once it works', async () => {
  const { maria, endpointId } = await failingEndpoint();
  expect(maria.mails()).toEqual([]);
  // As a worker leaves it that dies before it has notified anybody.
  await query(`UPDATE tasks SET attempts = 1 WHERE kind = 'check_endpoint_health' AND subject_id = $1`, endpointId);
  aheadMs += HOUR_MS + 1_000;
  const [mail] = await arrived(maria, 1);
  expect(mail).toContain('shop.invalid');
  expect(mail).not.toContain('secret');
  for (let hour = 0; hour < 3; hour++) {
    const due = async () =>
      (await query<{ at: Date }>(`SELECT due_at AS at FROM tasks WHERE subject_id = $1`, endpointId))[0]?.at;
    const before = await due();
    aheadMs += HOUR_MS + 1_000;
    await trilho.until('it was checked', async () => ((await due())?.getTime() !== before?.getTime() ? true : null));
  }
  expect(maria.mails()).toHaveLength(1);
  await worksAgain(endpointId);
  expect(maria.mails()).toHaveLength(1);
});

const dueCheck = async (endpointId: string) =>
  (
    await query<{ at: Date }>(
      `SELECT due_at AS at FROM tasks WHERE kind = 'check_endpoint_health' AND subject_id = $1`,
      endpointId,
    )
  )[0]?.at.getTime();
/** The next check of an endpoint is made. */
async function checkedAgain(endpointId: string): Promise<void> {
  const before = await dueCheck(endpointId);
  aheadMs += HOUR_MS + 1_000;
  await trilho.until('it was checked', async () => ((await dueCheck(endpointId)) !== before ? true : null));
}

test('a webhook to which nothing got through for five days is disabled, of which members are notified, and loses no event', async () => {
  const { maria, apiKey, endpointId } = await failingEndpoint();
  await checkedAgain(endpointId);
  await arrived(maria, 1);
  const shown = async () => (await maria.panel.webhooks.overview()).endpoints[0];

  const [delivery] = await query<{ id: string }>('SELECT id FROM deliveries WHERE endpoint_id = $1', endpointId);
  const attempts = async () => (await query('SELECT FROM attempts WHERE delivery_id = $1', delivery?.id)).length;
  const attemptFails = async () => {
    const before = await attempts();
    await query(`INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', $1, now())`, delivery?.id);
    await trilho.until('another attempt failed', async () => ((await attempts()) > before ? true : null));
  };
  const checkedWithoutAttempt = async (afterHours: number) => {
    const due = `DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id = $1 RETURNING kind`;
    expect(await query(due, delivery?.id)).toHaveLength(1);
    aheadMs += afterHours * HOUR_MS;
    await checkedAgain(endpointId);
    expect([await shown(), maria.mails().length]).toMatchObject([{ disabled_at: null, disabled_reason: null }, 1]);
  };
  // An attempt before the five days are over says nothing of what they end with: the installation
  // was stopped then.
  await checkedWithoutAttempt(5 * 24 - 4);
  await attemptFails();
  await checkedWithoutAttempt(2);

  // One that fails now does.
  await attemptFails();
  aheadMs += HOUR_MS + 1_000;
  const mail = (await arrived(maria, 2)).at(-1);
  expect(mail).toMatch(/cinco dias nenhum evento chega a shop\.invalid/);
  // An attempt that was under way meanwhile has its event held when the next one is due.
  await trilho.until('its event is held', async () => {
    if ((await shown())?.held === 1) return true;
    aheadMs += HOUR_MS / 6;
    return null;
  });
  expect(await shown()).toMatchObject({ disabled_reason: 'failing', held: 1, waiting: 0 });
  expect((await maria.panel.overview.get({ period: 'today' })).attention.webhooks).toMatchObject([
    { disabled_reason: 'failing' },
  ]);
  await gone('check_endpoint_health', endpointId);
  const charge = await trilho.post('/payments/transactions', apiKey, { amount: 10 });
  await trilho.pay(transactionIdOf(charge));
  await trilho.until('a new event is held, too', async () => ((await shown())?.held === 2 ? true : null));

  // The five days begin again when it is enabled.
  await maria.panel.webhooks.enableEndpoint({ topic: 'deposit' });
  await maria.panel.events.sendHeld({ topic: 'deposit' });
  await trilho.until('an attempt failed', async () => ((await dueCheck(endpointId)) === undefined ? null : true));
  await checkedAgain(endpointId);
  expect(await shown()).toMatchObject({ disabled_at: null, disabled_reason: null });
});

test('a webhook that works again within the hour causes no message', async () => {
  const { maria, endpointId } = await failingEndpoint();
  await worksAgain(endpointId);
  expect(maria.mails()).toEqual([]);
});

test('a webhook that arrived once and is being sent again does not count as failing', async () => {
  const { maria, endpointId } = await failingEndpoint();
  const own = 'SELECT id FROM deliveries WHERE endpoint_id = $1';
  await query(`DELETE FROM tasks WHERE kind = 'deliver_webhook' AND subject_id IN (${own})`, endpointId);
  await query(`UPDATE attempts SET status_code = 200 WHERE delivery_id IN (${own})`, endpointId);
  await query(`UPDATE deliveries SET status = 'pending' WHERE endpoint_id = $1`, endpointId);
  aheadMs += HOUR_MS + 1_000;
  await gone('check_endpoint_health', endpointId);
  expect(maria.mails()).toEqual([]);
});

test('members are notified at once, and once, of a webhook that its receiver has disabled', async () => {
  const { maria, endpointId: id, url } = await failingEndpoint();
  for (let times = 0; times < 2; times++) {
    await scheduleGoneCheck(trilho.deps, { id, url });
    expect(await disableEndpoint(trilho.deps.db.pool, { id, url, now: trilho.deps.clock() })).toBe(true);
  }
  aheadMs += 10_000;
  const [mail] = await arrived(maria, 1);
  expect(mail).toContain('410');
  await gone('check_endpoint_health', id);
  await scheduleGoneCheck(trilho.deps, { id, url });
  expect(await tasksLeft('check_endpoint_health', id)).toBe(0);
  expect(maria.mails()).toHaveLength(1);
});

test('every member of a live account is notified of changes of its terms, and in the next digest of a cancelled one', async () => {
  const { accountId, maria, mary } = await merchant();
  const operator = { ...trilho.deps, operator: 'ana' };
  const change = (effectiveAt: Date | null) =>
    changeTerms(operator, { accountId, terms: { fees: {}, limits: {}, spreadBps: 10 }, effectiveAt, reason: null });
  const changeId = await change(new Date(trilho.deps.clock().getTime() + 24 * HOUR_MS));
  await cancelPlannedTerms(operator, { accountId, changeId });
  await change(null);
  const subjects = (mails: string[]) => mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]).sort();
  expect(new Set(subjects(await arrived(maria, 2))).size).toBe(2);
  await arrived(mary, 2);
  const clock = trilho.deps.clock();
  aheadMs += nextDigest(clock).getTime() - clock.getTime() + 60_000;
  await arrived(maria, 3);
  const mails = await arrived(mary, 3);
  expect(mails.join()).toContain('A change of limits or fees was cancelled');
  expect(subjects(mails)).toEqual([
    'A summary of your notices',
    'Limits or fees of your account have changed',
    'Limits or fees of your account will change',
  ]);
  const test = await merchant('test');
  await changeTerms(operator, {
    ...{ accountId: test.accountId, terms: { fees: {}, limits: {}, spreadBps: 10 } },
    ...{ effectiveAt: null, reason: null },
  });
  // Those of the live account. Others may get mails meanwhile: their webhooks fail, too.
  const written = await query("SELECT FROM mails WHERE template IN ('terms_changed', 'terms_planned')");
  expect(written).toHaveLength(4);
});

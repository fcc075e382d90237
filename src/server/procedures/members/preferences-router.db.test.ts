import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { OPTIONAL_NOTICES } from '#domain/notices/notice-kinds.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

async function member() {
  const { merchantId, accountId, apiKey } = await trilho.openAccount({ currency: 'USDT_TRX' });
  const memberId = uuidv7(new Date());
  await addMember(trilho.deps.db.pool, { id: memberId, merchantId, email: `${memberId}@example.com` });
  const panel = () => panelCaller(trilho.deps, accountId, { memberId });
  return { panel, accountId, apiKey };
}

test('the default currency changes as the operator would change it: REST knows at once, and it is noted', async () => {
  const { panel, accountId, apiKey } = await member();
  expect(await (await panel()).preferences.get()).toMatchObject({
    currency: 'USDT_TRX',
    currencies: expect.any(Array),
  });
  await trilho.get('/account', apiKey);
  await (await panel()).preferences.setCurrency({ currency: 'USDT_BSC' });
  expect((await (await panel()).preferences.get()).currency).toBe('USDT_BSC');
  await trilho.until('REST knows', async () =>
    (await trilho.get('/payments/currencies', apiKey)).text.includes(
      '"currency":"USDT_BSC","name":"Tether (BNB Smart Chain)"',
    )
      ? true
      : null,
  );
  expect((await trilho.get('/account', apiKey)).body.data).toMatchObject({ currency: 'USDT_BSC' });
  await (await panel()).preferences.setCurrency({ currency: null });
  expect((await trilho.get('/account', apiKey)).body.data).toMatchObject({ currency: null });
  const { rows } = await trilho.deps.db.pool.query(
    'SELECT action, details FROM audit_records WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  expect(rows).toEqual([
    { action: 'account.currency_set', details: { from: 'USDT_TRX', to: 'USDT_BSC' } },
    { action: 'account.currency_set', details: { from: 'USDT_BSC', to: null } },
  ]);
});

test('a currency that is chosen while the operator changes the account leaves the rest, and the audit has what it replaced', async () => {
  const { panel, accountId } = await member();
  const { preferences } = await panel();
  const { pool } = trilho.deps.db;
  const operator = await pool.connect();
  try {
    await operator.query('BEGIN');
    await operator.query("UPDATE accounts SET inactive_rails = '{pix_out}', currency = 'BTC' WHERE id = $1", [
      accountId,
    ]);
    const chosen = preferences.setCurrency({ currency: 'USDT_BSC' });
    await trilho.until('it waits for the row', async () => {
      const { rows } = await pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 0 ? true : null;
    });
    await operator.query('COMMIT');
    await chosen;
  } finally {
    operator.release();
  }
  const { rows } = await pool.query('SELECT currency, inactive_rails::text AS rails FROM accounts WHERE id = $1', [
    accountId,
  ]);
  expect(rows).toEqual([{ currency: 'USDT_BSC', rails: '{pix_out}' }]);
  const audited = await pool.query('SELECT details FROM audit_records WHERE account_id = $1', [accountId]);
  expect(audited.rows).toEqual([{ details: { from: 'BTC', to: 'USDT_BSC' } }]);
});

test.each(['XYZ', 'usdt_bsc', '', '__proto__'])('%j is rejected as a currency', async (currency) => {
  const { panel } = await member();
  await expect((await panel()).preferences.setCurrency({ currency })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await (await panel()).preferences.get()).currency).toBe('USDT_TRX');
});

test('language and theme are chosen one by one, and given back to the browser and the system', async () => {
  const { panel } = await member();
  const look = async () => {
    const { language, theme } = await (await panel()).preferences.get();
    return [language, theme];
  };
  expect(await look()).toEqual([null, null]);
  await (await panel()).preferences.setLook({ language: 'en' });
  await (await panel()).preferences.setLook({ theme: 'dark' });
  expect(await look()).toEqual(['en', 'dark']);
  await (await panel()).preferences.setLook({ language: null });
  expect(await look()).toEqual([null, 'dark']);
});

test('every message is wanted until the member says no; two pages that change different ones both count', async () => {
  const { panel } = await member();
  const wanted = async () => (await (await panel()).preferences.get()).notifications;
  expect(await wanted()).toEqual(Object.fromEntries(OPTIONAL_NOTICES.map((name) => [name, true])));
  const { preferences } = await panel();
  await Promise.all([
    preferences.setNotification({ notification: 'webhook_failing', wanted: false }),
    preferences.setNotification({ notification: 'withdrawal_failed', wanted: false }),
  ]);
  expect(await wanted()).toMatchObject({
    verification_decided: true,
    withdrawal_failed: false,
    webhook_failing: false,
  });
  await preferences.setNotification({ notification: 'withdrawal_failed', wanted: true });
  expect((await wanted()).withdrawal_failed).toBe(true);
});

test('one member’s choices are not another’s', async () => {
  const [mine, other] = [await member(), await member()];
  await (await mine.panel()).preferences.setLook({ theme: 'dark', language: 'en' });
  expect(await (await other.panel()).preferences.get()).toMatchObject({ theme: null, language: null });
});

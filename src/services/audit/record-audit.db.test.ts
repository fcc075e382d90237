import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { openAccount } from '../accounts/open-account.ts';
import { resumeAccount, suspendAccount } from '../accounts/suspend-account.ts';
import { createApiKey, revokeApiKey } from '../api-keys/manage-api-keys.ts';
import { inviteMember } from '../members/invite-member.ts';

let trilho: TestService;
let account: Awaited<ReturnType<TestService['openAccount']>>;

beforeAll(async () => {
  trilho = await startTestService();
  account = await trilho.openAccount({ canCreateAccounts: true });
});
afterAll(() => trilho.stop());

/** The audit records of the account's merchant, oldest first. */
async function audit(accountId = account.accountId): Promise<Record<string, unknown>[]> {
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT action, member_id AS member, ip_address AS address, user_agent AS agent, details FROM audit_records
     WHERE merchant_id = (SELECT merchant_id FROM accounts WHERE id = $1) ORDER BY id`,
    [accountId],
  );
  return rows;
}

const paidCharge = () => makePaidCharge(trilho, account.apiKey, { amount: 50 });

const AGENT = 'loja/1.0';
const AMOUNTS: Record<string, object> = { 'withdrawal.requested': { amount: 1 }, 'refund.requested': { amount: 2 } };
const asShop = (path: string, body: unknown) => trilho.post(path, account.apiKey, body, { 'user-agent': AGENT });

test('what a key does with money is recorded with the key, the address and the user agent; a charge is not', async () => {
  const paid = await paidCharge();
  const open = transactionIdOf(await trilho.post('/payments/transactions', account.apiKey, { amount: 10 }));
  expect(await audit()).toEqual([]);

  const entries: [string, Awaited<ReturnType<typeof asShop>>][] = [
    [
      'withdrawal.requested',
      await asShop('/payments/transfers/pix', { amount: 1, pixKey: 'a@b.co', pixKeyType: 'EMAIL' }),
    ],
    ['refund.requested', await asShop(`/payments/transactions/${paid}/refund`, { amount: 2 })],
    ['charge.cancelled', await asShop(`/payments/transactions/${open}/cancel`, {})],
    [
      'account.opened',
      await asShop('/accounts', {
        name: 'Outra',
        email: 'outra@example.com',
        document: '52998224725',
        documentType: 'cpf',
      }),
    ],
  ];
  expect(entries.map(([action, { status }]) => [action, status < 300])).toEqual(
    entries.map(([action]) => [action, true]),
  );
  const noted = (await audit()).filter(({ agent }) => agent === AGENT);
  expect(noted).toEqual(
    entries.map(([action]) => ({
      action,
      member: null,
      address: '127.0.0.1',
      agent: AGENT,
      details: { subject: expect.any(String), key_id: expect.any(String), ...AMOUNTS[action] },
    })),
  );
  expect(JSON.stringify(noted)).not.toContain(account.apiKey);
});

test('members see who sent what, page by page, and withdrawals do not hide what was done to keys and logins', async () => {
  const paid = await paidCharge();
  await asShop(`/payments/transactions/${paid}/refund`, { amount: 2 });
  const { security, keys } = await panelCaller(trilho.deps, account.accountId);
  const { key } = await keys.create({
    name: 'Folha',
    permissions: ['withdrawals:write'],
    allowed_ips: [],
    expires_at: null,
  });
  for (let n = 0; n < 3; n++)
    await asShop('/payments/transfers/pix', { amount: 1, pixKey: 'a@b.co', pixKeyType: 'EMAIL' });
  const money = (await security.activity({ kind: 'money' })).entries;
  expect(money.length).toBeGreaterThanOrEqual(4);
  expect(money[0]).toEqual({
    id: expect.any(String),
    action: 'withdrawal.requested',
    by: 'key',
    name: 'Primeira chave',
    ip_address: '127.0.0.1',
    amount: 1,
    transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    changes: [],
    at: expect.any(String),
  });
  expect(money.find(({ action }) => action === 'refund.requested')).toMatchObject({ by: 'key', amount: 2 });

  const ids: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof security.activity>> = await security.activity({
      kind: 'money',
      cursor,
      limit: 2,
    });
    expect(page.entries.length).toBeLessThanOrEqual(2);
    ids.push(...page.entries.map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  expect(ids).toEqual(money.map(({ id }) => id));

  const { entries } = await security.activity({});
  expect(entries[0]).toMatchObject({ action: 'api_key.created', by: 'you', amount: null, transaction_id: null });
  expect(entries.map(({ action }) => action)).not.toContain('withdrawal.requested');
  expect(key.name).toBe('Folha');

  const other = await trilho.openAccount();
  const { security: theirs } = await panelCaller(trilho.deps, other.accountId);
  for (const kind of ['security', 'money'] as const) expect((await theirs.activity({ kind })).entries).toEqual([]);
});

test('what the operator changes at the command line is recorded with their user name on the machine', async () => {
  const env = {
    ...process.env,
    DATABASE_URL: trilho.databaseUrl,
    MASTER_KEYS: trilho.masterKeys,
    TRILHO_HOME: trilho.home,
    DEMO: 'true',
  };
  const args = ['account', 'set', account.accountId, '--limit', 'daily_limit_out_pix=50.00', '--kyc', 'approved'];
  await promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], { env });
  expect((await audit()).at(-1)).toEqual({
    action: 'account.set',
    member: null,
    address: null,
    agent: null,
    details: {
      kyc: 'approved',
      'limit daily_limit_out_pix_before': 'default',
      'limit daily_limit_out_pix': '5000',
      operator: userInfo().username,
    },
  });
});

test('what the operator does to accounts, keys and members is recorded with their name, and with nothing secret or personal', async () => {
  const deps = { ...trilho.deps, operator: 'ana' };
  const terms = { kycStatus: 'approved', mode: 'test', currency: null, canCreateAccounts: false } as const;
  const shop = {
    name: 'Loja Nova',
    email: 'loja.nova@example.com',
    document: '52998224725',
    documentType: 'cpf',
  } as const;
  const limits = [{ name: 'daily_limit_out_pix', centavos: 5000n }];
  const opened = await openAccount(deps, { ...shop, ...terms, fees: [], limits, webhookUrl: null });
  const { accountId, merchantId } = opened;
  const key = await createApiKey(deps, { accountId, name: 'Caixa' });
  await revokeApiKey(deps, key?.keyId ?? '');
  await inviteMember(deps, {
    merchantId,
    email: 'nova.pessoa@example.com',
    role: 'owner',
    language: 'pt-BR',
    by: null,
  });
  await suspendAccount(deps, { accountId, reason: 'Suspeita de fraude' });
  await resumeAccount(deps, accountId);

  const noted = await audit(accountId);
  expect(noted.map(({ action, details }) => [action, (details as { operator?: string }).operator])).toEqual(
    [
      'account.opened',
      'api_key.created',
      'api_key.revoked',
      'member.invited',
      'account.suspended',
      'account.resumed',
    ].map((action) => [action, 'ana']),
  );
  const text = JSON.stringify(noted);
  for (const hidden of [opened.apiKey, opened.secretKey, key?.apiKey, shop.document, shop.email, 'nova.pessoa'])
    expect(text).not.toContain(hidden);
});

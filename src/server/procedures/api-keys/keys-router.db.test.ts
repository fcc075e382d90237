import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { searchAudit } from '#db/audit/search-audit.ts';
import { ALL_PERMISSIONS, DEFAULT_PERMISSIONS, FIRST_KEY_PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { createApiKey, revokeApiKey } from '#services/api-keys/manage-api-keys.ts';
import type { Confirmations } from '#services/sign-in/confirmations.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** The panel's API keys: made, rotated and revoked by a member, and what REST does with them. */

const HOUR_MS = 3_600_000;
/** The longest that a key may work. */
const TEN_YEARS_MS = 3_650 * 24 * HOUR_MS;
const NOW = Date.parse('2026-11-20T12:34:56.789Z');
const DEFAULTS = { permissions: [...DEFAULT_PERMISSIONS], allowed_ips: [] as string[], expires_at: null };

let now = NOW;
let trilho: TestService;
let account: { accountId: string; merchantId: string; apiKey: string };
let panel: Awaited<ReturnType<typeof panelCaller>>;

beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(now) });
});
afterAll(() => trilho.stop());
beforeEach(async () => {
  now = NOW;
  account = await trilho.openAccount();
  panel = await panelCaller(trilho.deps, account.accountId);
});

const statusOf = async (apiKey: string, path = '/payments/balance') => (await trilho.get(path, apiKey)).status;
const after = (ms: number) => new Date(NOW + ms).toISOString();
/** The search for what was done to keys and settings. */
const ofSecurity = () => {
  const all = { who: null, actions: null, from: null, until: null, before: null, limit: 100 };
  return { merchantId: account.merchantId, kind: 'security' as const, ...all };
};
/** What the audit says, oldest first, without who and where from. */
const audited = async () => {
  const { entries: records } = await searchAudit(trilho.deps.db.pool, ofSecurity());
  return records.reverse().map(({ action, details }) => ({ action, ...(details as Record<string, unknown>) }));
};
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing was wrong',
    (error: { cause?: { code?: string }; code: string }) => error.cause?.code ?? error.code,
  );

test('a new key is shown once, works at once, and has the permissions that were chosen and no others', async () => {
  const { key, api_key: apiKey } = await panel.keys.create({
    name: '  Loja virtual ',
    ...DEFAULTS,
    allowed_ips: ['127.0.0.1/8', '::ffff:127.0.0.2', '127.0.0.2', '2001:DB8::1'],
    expires_at: after(TEN_YEARS_MS),
  });
  expect(apiKey).toMatch(/^tr_test_/);
  expect(key).toEqual({
    key_id: expect.any(String),
    name: 'Loja virtual',
    prefix: apiKey.slice(0, 12),
    last_four: apiKey.slice(-4),
    permissions: ['charges:write', 'transactions:read', 'balance:read'],
    allowed_ips: ['127.0.0.0/8', '127.0.0.2', '2001:db8::1'],
    call_cap: null,
    day_cap: null,
    state: 'active',
    created_at: after(0),
    last_used_at: null,
    expires_at: after(TEN_YEARS_MS),
    revoked_at: null,
  });
  expect(await statusOf(apiKey)).toBe(200);
  const withdrawal = { amount: 1, pixKey: '52998224725', pixKeyType: 'CPF' };
  expect((await trilho.post('/payments/transfers/pix', apiKey, withdrawal)).status).toBe(403);
  const { keys } = await panel.keys.list();
  expect(keys.find(({ key_id }) => key_id === key.key_id)).toEqual({ ...key, last_used_at: after(0) });
  expect(JSON.stringify(keys)).not.toContain(apiKey.slice(12, -4));
});

test('a key may send money only when that permission was chosen', async () => {
  const { api_key: apiKey } = await panel.keys.create({
    name: 'Repasses',
    ...DEFAULTS,
    permissions: ['withdrawals:write'],
  });
  const withdrawal = { amount: 1, pixKey: '52998224725', pixKeyType: 'CPF' };
  expect((await trilho.post('/payments/transfers/pix', apiKey, withdrawal)).body.error).toBe('Saldo insuficiente');
  expect(DEFAULT_PERMISSIONS).not.toContain('withdrawals:write');
});

test('the key of an assistant has nothing that sends money by itself or opens accounts, and no other key has its permission', async () => {
  for (const other of ['refunds:write', 'withdrawals:write', 'accounts:write'] as const) {
    const made = panel.keys.create({ name: 'Assistente', ...DEFAULTS, permissions: ['mcp:use', other] });
    await expect(made).rejects.toThrow('not_for_assistant');
  }
  const { key } = await panel.keys.create({
    name: 'Assistente',
    ...DEFAULTS,
    permissions: ['mcp:use', 'balance:read'],
  });
  expect(key.permissions).toEqual(['balance:read', 'mcp:use']);
  const { keys } = await panel.keys.list();
  expect(keys.filter(({ permissions }) => permissions.includes('mcp:use'))).toHaveLength(1);
});

test('keys that work come first, each with its state; the first key manages no endpoints of webhooks, and does all else', async () => {
  const { key: revoked } = await panel.keys.create({ name: 'a', ...DEFAULTS });
  await panel.keys.revoke({ key_id: revoked.key_id });
  await panel.keys.create({ name: 'b', ...DEFAULTS, expires_at: after(HOUR_MS) });
  const { key: turned } = await panel.keys.create({ name: 'c', ...DEFAULTS });
  await panel.keys.rotate({ key_id: turned.key_id, overlap_hours: 2 });
  const states = async () => (await panel.keys.list()).keys.map(({ name, state }) => `${name} ${state}`).sort();
  expect(await states()).toEqual(['Primeira chave active', 'a revoked', 'b active', 'c active', 'c retiring']);
  expect((await panel.keys.list()).keys.at(-1)).toMatchObject({ name: 'a', state: 'revoked' });
  now = NOW + 2 * HOUR_MS;
  expect(await states()).toEqual(['Primeira chave active', 'a revoked', 'b expired', 'c active', 'c replaced']);
  const { keys } = await panel.keys.list();
  expect(keys.slice(0, 2).map(({ state }) => state)).toEqual(['active', 'active']);
  expect(keys.find(({ name }) => name === 'Primeira chave')).toMatchObject({
    permissions: FIRST_KEY_PERMISSIONS,
    last_four: account.apiKey.slice(-4),
  });
});

test('opening accounts is offered only where the operator allows it', async () => {
  expect((await panel.keys.list()).grantable).toEqual(ALL_PERMISSIONS.filter((one) => one !== 'accounts:write'));
  const reseller = await trilho.openAccount({ canCreateAccounts: true });
  const { grantable } = await (await panelCaller(trilho.deps, reseller.accountId)).keys.list();
  expect(grantable).toEqual(ALL_PERMISSIONS);
});

test('a rotated key has a replacement of the same name, permissions, addresses and lifetime; it ends at the chosen time', async () => {
  const lifetime = 30 * 24 * HOUR_MS;
  const old = await panel.keys.create({
    name: 'ERP',
    permissions: ['balance:read', 'refunds:write'],
    allowed_ips: ['127.0.0.1'],
    expires_at: after(lifetime),
  });
  now = NOW + 24 * HOUR_MS;
  const { key, api_key: apiKey, replaced } = await panel.keys.rotate({ key_id: old.key.key_id, overlap_hours: 168 });
  expect(key).toMatchObject({
    name: 'ERP',
    permissions: ['refunds:write', 'balance:read'],
    allowed_ips: ['127.0.0.1'],
    state: 'active',
    expires_at: after(24 * HOUR_MS + lifetime),
    prefix: apiKey.slice(0, 12),
  });
  expect(replaced).toMatchObject({
    key_id: old.key.key_id,
    state: 'retiring',
    expires_at: after(24 * HOUR_MS + 168 * HOUR_MS),
  });
  for (const key of [old.api_key, apiKey]) expect(await statusOf(key)).toBe(200);
  now += 168 * HOUR_MS;
  expect([await statusOf(old.api_key), await statusOf(apiKey)]).toEqual([401, 200]);
});

test('a key that expires before the overlap is over is not made to live longer', async () => {
  const old = await panel.keys.create({ name: 'x', ...DEFAULTS, expires_at: after(HOUR_MS) });
  const { replaced } = await panel.keys.rotate({ key_id: old.key.key_id, overlap_hours: 48 });
  expect(replaced.expires_at).toBe(after(HOUR_MS));
});

test('without overlap the old key ends with the rotation', async () => {
  const old = await panel.keys.create({ name: 'x', ...DEFAULTS });
  expect(await statusOf(old.api_key)).toBe(200);
  const { replaced, api_key: apiKey } = await panel.keys.rotate({ key_id: old.key.key_id, overlap_hours: 0 });
  expect(replaced.state).toBe('replaced');
  await trilho.until('the old key is out', async () => (await statusOf(old.api_key)) === 401 || null);
  expect(await statusOf(apiKey)).toBe(200);
});

test('a key has one replacement, however often and at once it is rotated', async () => {
  const { key } = await panel.keys.create({ name: 'x', ...DEFAULTS });
  const tries = Array.from({ length: 4 }, () => panel.keys.rotate({ key_id: key.key_id, overlap_hours: 24 }));
  const outcomes = await Promise.all(tries.map((one) => reasonOf(one)));
  expect(outcomes.sort()).toEqual(['invalid_state', 'invalid_state', 'invalid_state', 'nothing was wrong']);
  expect((await panel.keys.list()).keys.filter(({ name }) => name === 'x')).toHaveLength(2);
});

test('an expired or revoked key is not rotated', async () => {
  const expired = await panel.keys.create({ name: 'x', ...DEFAULTS, expires_at: after(HOUR_MS) });
  const revoked = await panel.keys.create({ name: 'y', ...DEFAULTS });
  await panel.keys.revoke({ key_id: revoked.key.key_id });
  now = NOW + HOUR_MS;
  for (const { key } of [expired, revoked])
    expect(await reasonOf(panel.keys.rotate({ key_id: key.key_id, overlap_hours: 1 }))).toBe('invalid_state');
});

test('a revoked key is rejected at once, and revoking it again changes nothing', async () => {
  const { key, api_key: apiKey } = await panel.keys.create({ name: 'x', ...DEFAULTS });
  expect(await statusOf(apiKey)).toBe(200);
  const revoked = await panel.keys.revoke({ key_id: key.key_id });
  expect(revoked).toMatchObject({ state: 'revoked', revoked_at: after(0) });
  await trilho.until('it is out', async () => (await statusOf(apiKey)) === 401 || null);
  now = NOW + HOUR_MS;
  expect(await panel.keys.revoke({ key_id: key.key_id })).toEqual(revoked);
  expect((await audited()).filter(({ action }) => action === 'api_key.revoked')).toHaveLength(1);
});

test('another merchant’s key is answered as one that does not exist, and stays as it is', async () => {
  const other = await panelCaller(trilho.deps, (await trilho.openAccount()).accountId);
  const { key, api_key: apiKey } = await other.keys.create({ name: 'deles', ...DEFAULTS });
  for (const key_id of [key.key_id, uuidv7(new Date(NOW))]) {
    expect(await reasonOf(panel.keys.revoke({ key_id }))).toBe('not_found');
    expect(await reasonOf(panel.keys.rotate({ key_id, overlap_hours: 1 }))).toBe('not_found');
  }
  expect((await panel.keys.list()).keys.map(({ name }) => name)).toEqual(['Primeira chave']);
  expect((await other.keys.list()).keys).toContainEqual(key);
  expect(await statusOf(apiKey)).toBe(200);
});

test.each([
  ['no name', { name: '  ' }],
  ['a name that is too long', { name: 'x'.repeat(61) }],
  ['no permission', { permissions: [] }],
  ['an unknown permission', { permissions: ['everything'] }],
  ['a name for an address', { allowed_ips: ['example.com'] }],
  ['everybody as a range', { allowed_ips: ['0.0.0.0/0'] }],
  ['too many addresses', { allowed_ips: Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`) }],
  ['a day for an instant', { expires_at: '2027-01-01' }],
])('a new key with %s is rejected', async (_, change) => {
  const input = { name: 'x', ...DEFAULTS, ...change } as Parameters<typeof panel.keys.create>[0];
  expect(await reasonOf(panel.keys.create(input))).toBe('BAD_REQUEST');
});

test.each([
  ['now', 0],
  ['in the past', -1],
  ['after ten years', TEN_YEARS_MS + 1],
])('a key that expires %s is rejected', async (_, ms) => {
  const rejected = await panel.keys.create({ name: 'x', ...DEFAULTS, expires_at: after(ms) }).catch((error) => error);
  expect(rejected.cause).toMatchObject({ code: 'invalid_input', details: [{ field: 'expires_at' }] });
});

test.each([-1, 169, 1.5])('an overlap of %d hours is rejected', async (overlap_hours) => {
  const { key } = await panel.keys.create({ name: 'x', ...DEFAULTS });
  expect(await reasonOf(panel.keys.rotate({ key_id: key.key_id, overlap_hours }))).toBe('BAD_REQUEST');
});

test('an account has a limited number of working keys, and room again when one ends', async () => {
  const first = await panel.keys.create({ name: 'x', ...DEFAULTS });
  for (let i = 2; i < 50; i++) await createApiKey(trilho.deps, { accountId: account.accountId, name: `chave ${i}` });
  expect(await reasonOf(panel.keys.create({ name: 'one too many', ...DEFAULTS }))).toBe('invalid_state');
  expect(await reasonOf(panel.keys.rotate({ key_id: first.key.key_id, overlap_hours: 1 }))).toBe('invalid_state');
  // A replacement without overlap is not one more.
  const { key } = await panel.keys.rotate({ key_id: first.key.key_id, overlap_hours: 0 });
  await panel.keys.revoke({ key_id: key.key_id });
  expect(await reasonOf(panel.keys.create({ name: 'room', ...DEFAULTS }))).toBe('nothing was wrong');
});

test('the audit says who made, rotated and revoked which key, and holds no key', async () => {
  const old = await panel.keys.create({ name: 'ERP', ...DEFAULTS, allowed_ips: ['127.0.0.1'] });
  const { key, api_key: apiKey } = await panel.keys.rotate({ key_id: old.key.key_id, overlap_hours: 1 });
  await panel.keys.revoke({ key_id: old.key.key_id });
  const byOperator = await createApiKey(trilho.deps, { accountId: account.accountId, name: 'operador' });
  await revokeApiKey(trilho.deps, byOperator?.keyId ?? '');
  const params = { name: 'ERP', permissions: 'charges:write transactions:read balance:read', allowed_ips: '127.0.0.1' };
  expect(await audited()).toEqual([
    { action: 'api_key.created', key_id: old.key.key_id, prefix: old.key.prefix, expires_at: null, ...params },
    {
      action: 'api_key.rotated',
      key_id: key.key_id,
      prefix: key.prefix,
      expires_at: null,
      replaced_key_id: old.key.key_id,
      replaced_works_until: after(HOUR_MS),
      ...params,
    },
    { action: 'api_key.revoked', key_id: old.key.key_id, name: 'ERP' },
    {
      action: 'api_key.created',
      key_id: byOperator?.keyId,
      name: 'operador',
      prefix: byOperator?.apiKey.slice(0, 12),
      permissions: FIRST_KEY_PERMISSIONS.join(' '),
      allowed_ips: '',
      expires_at: null,
    },
    { action: 'api_key.revoked', key_id: byOperator?.keyId, name: 'operador' },
  ]);
  const { entries: records } = await searchAudit(trilho.deps.db.pool, ofSecurity());
  expect(records.map(({ memberId }) => memberId !== null)).toEqual([false, false, true, true, true]);
  for (const secret of [old.api_key, apiKey]) expect(JSON.stringify(await audited())).not.toContain(secret.slice(12));
});

test('creating and rotating a key ask for a fresh second factor, without which nothing happens; revoking does not', async () => {
  const { key } = await panel.keys.create({ name: 'x', ...DEFAULTS });
  const asked: string[] = [];
  const confirmations: Confirmations = {
    async require(_member, action) {
      asked.push(action);
      throw new DomainError('confirmation_required');
    },
  };
  const { keys: unconfirmed } = await panelCaller(trilho.deps, account.accountId, {}, { confirmations });
  expect(await reasonOf(unconfirmed.create({ name: 'y', ...DEFAULTS }))).toBe('confirmation_required');
  expect(await reasonOf(unconfirmed.rotate({ key_id: key.key_id, overlap_hours: 0 }))).toBe('confirmation_required');
  expect(asked).toEqual(['setting', 'setting']);
  const { keys } = await unconfirmed.list();
  expect(keys.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(['Primeira chave active', 'x active']);
  expect((await unconfirmed.revoke({ key_id: key.key_id })).state).toBe('revoked');
});

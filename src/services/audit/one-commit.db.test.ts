import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { setAccount } from '../accounts/set-account.ts';
import { suspendAccount } from '../accounts/suspend-account.ts';
import { createApiKey, revokeApiKey } from '../api-keys/manage-api-keys.ts';

let trilho: TestService;
let accountId: string;
let panel: Awaited<ReturnType<typeof panelCaller>>;
let keyId: string;
let payeeId: string;

beforeAll(async () => {
  trilho = await startTestService();
  ({ accountId } = await trilho.openAccount());
  panel = await panelCaller(trilho.deps, accountId);
  keyId = (await createApiKey(trilho.deps, { accountId, name: 'Caixa' }))?.keyId ?? '';
  await panel.addressBook.addPixKey({ label: 'Maria', pixKey: 'maria@example.com', pixKeyType: 'EMAIL' });
  payeeId = (await panel.payees.list({})).data[0]?.payee_id ?? '';
  await panel.webhooks.setEndpoint({ topic: 'deposit', url: 'https://93.184.215.14/hook' });
  await panel.webhooks.setEndpoint({ topic: 'usdt', url: 'https://93.184.215.14/hook' });
  await trilho.asOwner(`UPDATE endpoints SET disabled_at = now() WHERE topic = 'usdt'`);
});
afterAll(() => trilho.stop());

/** Everything that these acts change. */
async function state(): Promise<unknown> {
  const { pool } = trilho.deps.db;
  const { rows } = await pool.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(k) - 'last_used_at' ORDER BY k.id) FROM api_keys k) AS keys,
      (SELECT jsonb_agg(to_jsonb(e) ORDER BY e.id) FROM endpoints e) AS endpoints,
      (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM accounts a) AS accounts,
      (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.account_id, l.name) FROM account_limits l) AS limits,
      (SELECT jsonb_agg(to_jsonb(t)) FROM withdrawal_thresholds t) AS thresholds,
      (SELECT jsonb_agg(to_jsonb(p)) FROM payees p) AS payees,
      (SELECT count(*)::int FROM audit_records) AS noted`,
  );
  return rows[0];
}

const NO_CHANGE = {
  merchant: {},
  account: {},
  fees: [],
  limits: [],
  rails: [],
  webhookUrl: undefined,
  credentials: [],
};
const limit = (centavos: bigint) => ({
  ...{ accountId, ...NO_CHANGE },
  limits: [{ name: 'daily_limit_out_pix' as const, centavos }],
});
const operator = () => ({ ...trilho.deps, operator: 'ana' });
const key = { name: 'Folha', permissions: ['balance:read' as const], allowed_ips: [], expires_at: null };

const ACTS: [what: string, act: () => Promise<unknown>][] = [
  ['a member makes a key', () => panel.keys.create(key)],
  ['a member replaces a key', () => panel.keys.rotate({ key_id: keyId, overlap_hours: 1 })],
  ['a member revokes a key', () => panel.keys.revoke({ key_id: keyId })],
  ['the operator makes a key', () => createApiKey(operator(), { accountId, name: 'Outra' })],
  ['the operator revokes a key', () => revokeApiKey(operator(), keyId)],
  ['a URL is set', () => panel.webhooks.setEndpoint({ topic: 'deposit', url: 'https://93.184.215.14/other' })],
  ['a URL is taken away', () => panel.webhooks.removeEndpoint({ topic: 'deposit' })],
  ['a URL is called again', () => panel.webhooks.enableEndpoint({ topic: 'usdt' })],
  ['the secret is replaced', () => panel.webhooks.rotateSecret()],
  ['a threshold is set', () => panel.thresholds.set({ kind: 'approval', amount: 5 })],
  [
    'a payee is added',
    () => panel.addressBook.addPixKey({ label: 'Ana', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' }),
  ],
  ['a payee is removed', () => panel.addressBook.remove({ payee_id: payeeId })],
  ['the wait of a payee is ended', () => panel.addressBook.endWait({ payee_id: payeeId })],
  ['a limit is set', () => setAccount(operator(), limit(5_000n))],
  ['an account is suspended', () => suspendAccount(operator(), { accountId, reason: 'Fraude' })],
];

test.each(ACTS)('an act that can’t be noted is not done: %s', async (_, act) => {
  const before = await state();
  await trilho.asOwner('ALTER TABLE audit_records ADD CONSTRAINT no_more CHECK (false) NOT VALID');
  try {
    await expect(act()).rejects.toThrow();
  } finally {
    await trilho.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_more');
  }
  expect(await state()).toEqual(before);
});

test('a limit is noted with the one before it', async () => {
  await setAccount(operator(), limit(5_000n));
  await setAccount(operator(), limit(8_000n));
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT details FROM audit_records WHERE action = 'account.set' ORDER BY id DESC LIMIT 1`,
  );
  const name = 'limit daily_limit_out_pix';
  expect(rows[0].details).toEqual({ [`${name}_before`]: '5000', [name]: '8000', operator: 'ana' });
});

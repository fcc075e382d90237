import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { openBrowser, openMember, PASSWORD, type PanelBrowser } from '#testing/panel-browser.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { pdfFile } from '#testing/uploaded-files.ts';
import { setAccount } from '../accounts/set-account.ts';
import { resumeAccount, suspendAccount } from '../accounts/suspend-account.ts';
import { createApiKey, revokeApiKey } from '../api-keys/manage-api-keys.ts';
import { addKycDocument, removeKycDocument } from '../kyc/manage-kyc-documents.ts';
import { inviteMember } from '../members/invite-member.ts';
import { createOperator, disableOperator, resetOperator } from '../operators/manage-operators.ts';

let trilho: TestService;
let accountId: string;
let merchantId: string;
let apiKey: string;
let browser: PanelBrowser;
let panel: Awaited<ReturnType<typeof panelCaller>>;
/** A merchant whose verification is still to be handed in. */
let unverified: { who: Parameters<typeof addKycDocument>[1]; panel: typeof panel };
/** What the acts are about. */
const made: Record<string, string> = {};

const EMAIL = 'dona@example.com';
const BIA = 'bia@trilho.example';
const PIX = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
const AT = { ipAddress: '127.0.0.1', userAgent: 'vitest' };

beforeAll(async () => {
  trilho = await startTestService({ variables: { RATE_LIMIT_ANONYMOUS: '10000000' } });
  ({ accountId, merchantId, apiKey } = await trilho.openAccount({ canCreateAccounts: true }));
  await openMember(trilho, EMAIL, { merchantId });
  const { prisma } = trilho.deps.db;
  const { id: memberId } = await prisma.member.findUniqueOrThrow({ where: { email: EMAIL } });
  await prisma.session.deleteMany({ where: { memberId } });
  panel = await panelCaller(trilho.deps, accountId, { memberId });
  unverified = await openUnverified();
  made.key = (await createApiKey(trilho.deps, { accountId, name: 'Caixa' }))?.keyId ?? '';
  await panel.addressBook.addPixKey({ label: 'Maria', ...PIX, pixKeyType: 'EMAIL' });
  made.payee = (await panel.payees.list({})).data[0]?.payee_id ?? '';
  for (const topic of ['deposit', 'usdt'] as const)
    await panel.webhooks.setEndpoint({ topic, url: 'https://93.184.215.14/hook' });
  await trilho.asOwner(`UPDATE endpoints SET disabled_at = now() WHERE topic = 'usdt'`);
  made.paid = await charge(50);
  made.open = await charge(10);
  await trilho.pay(made.paid);
  await trilho.until('the charge is paid', async () => {
    const { body } = await trilho.get(`/payments/transactions/${made.paid}/status?type=pix_in`, apiKey);
    return (body.data as { status: string }).status === 'paid' || null;
  });
});
afterAll(() => trilho.stop());

async function openUnverified(): Promise<typeof unverified> {
  const opened = await trilho.openAccount({ kycStatus: 'pending', mode: 'live' });
  const memberId = uuidv7(new Date());
  await addMember(trilho.deps.db.pool, { id: memberId, merchantId: opened.merchantId, email: 'nova@example.com' });
  const member = { memberId, merchantId: opened.merchantId } as Parameters<typeof addKycDocument>[1]['member'];
  return {
    who: { member, origin: AT },
    panel: await panelCaller(trilho.deps, opened.accountId, { memberId }),
  };
}

/** What REST answers, where it does it. */
async function ask(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await trilho.post(path, apiKey, body);
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body.data as Record<string, unknown>;
}
const charge = async (amount: number) => String((await ask('/payments/transactions', { amount })).transaction_id);
const withdraw = (amount: number, more = {}) => ask('/payments/transfers/pix', { ...PIX, amount, ...more });

/** Everything that these acts change; of money what no worker changes meanwhile. */
async function state(): Promise<unknown> {
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(k) - 'last_used_at' ORDER BY k.id) FROM api_keys k) AS keys,
      (SELECT jsonb_agg(to_jsonb(e) - 'called_at' ORDER BY e.id) FROM endpoints e WHERE e.url <> '') AS endpoints,
      (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM accounts a) AS accounts,
      (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.account_id, l.name) FROM account_limits l) AS limits,
      (SELECT jsonb_agg(to_jsonb(t)) FROM withdrawal_thresholds t) AS thresholds,
      (SELECT jsonb_agg(to_jsonb(p)) FROM payees p) AS payees,
      (SELECT jsonb_agg(to_jsonb(b)) FROM payout_batches b) AS batches,
      (SELECT jsonb_agg(to_jsonb(w)) FROM withdrawal_approvals w) AS approvals,
      (SELECT jsonb_agg(jsonb_build_array(i.id, i.role)) FROM invitations i) AS invitations,
      (SELECT jsonb_agg(s.id ORDER BY s.id) FROM sessions s) AS sessions,
      (SELECT jsonb_agg(l.password ORDER BY l.id) FROM logins l) AS passwords,
      (SELECT jsonb_agg(jsonb_build_array(d.id, d.submission_id)) FROM kyc_documents d) AS documents,
      (SELECT jsonb_agg(jsonb_build_array(t.id, t.status = 'cancelled') ORDER BY t.id) FROM transactions t) AS transactions,
      (SELECT jsonb_agg(r.id ORDER BY r.id) FROM refunds r) AS refunds,
      (SELECT jsonb_agg(to_jsonb(o)) FROM operators o) AS operators,
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
const shop = { name: 'Outra', email: 'outra@example.com', document: '52998224725', documentType: 'cpf' };
const invited = () => ({ merchantId, email: 'nova.pessoa@example.com', role: 'viewer' as const });

async function signIn(): Promise<void> {
  const { status } = await openBrowser(trilho).signIn(EMAIL, PASSWORD);
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
}
async function endFirstSession(): Promise<void> {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>('SELECT id FROM sessions ORDER BY id LIMIT 1');
  await panel.security.endSession({ id: rows[0]?.id ?? '' });
}
async function withdrawInvitation(): Promise<void> {
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>('SELECT id FROM invitations LIMIT 1');
  await panel.people.withdraw({ id: rows[0]?.id ?? '' });
}

/** In an order in which each can be done. */
const ACTS: [action: string, what: string, act: () => Promise<unknown>][] = [
  ['session.started', 'a member signs in', signIn],
  ['session.started', 'a member signs in elsewhere', signIn],
  ['session.ended', 'a session is ended', endFirstSession],
  ['session.others_ended', 'the other sessions are ended', () => panel.security.endOtherSessions()],
  [
    'member.invited',
    'somebody is invited',
    () => inviteMember(trilho.deps, { ...invited(), language: 'en', by: null }),
  ],
  ['member.invitation_withdrawn', 'an invitation is withdrawn', withdrawInvitation],
  [
    'sign_in.change_begun',
    'a member changes their password',
    async () => {
      const passwords = { currentPassword: PASSWORD, newPassword: 'outra frase bem diferente daquela' };
      const { status, text } = await browser.post('/api/auth/change-password', passwords);
      if (status !== 200) throw new Error(`The new password was answered ${status}: ${text}`);
    },
  ],
  ['withdrawal.requested', 'a key asks for a PIX', () => withdraw(1)],
  [
    'withdrawal.requested',
    'a key schedules a PIX',
    async () => {
      const scheduled = { scheduledFor: new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10) };
      made.scheduled = String((await withdraw(1, scheduled)).transaction_id);
    },
  ],
  [
    'withdrawal.cancelled',
    'a schedule is cancelled',
    () => ask(`/payments/transfers/pix/${made.scheduled}/cancel`, {}),
  ],
  [
    'refund.requested',
    'a key asks for a refund',
    () => ask(`/payments/transactions/${made.paid}/refund`, { amount: 2 }),
  ],
  ['account.opened', 'a key opens an account', () => ask('/accounts', shop)],
  ['approval_threshold.set', 'a threshold is set', () => panel.thresholds.set({ kind: 'approval', amount: 5 })],
  [
    'withdrawal.batch_made',
    'a batch is made',
    async () => {
      const file = 'valor;chave;tipo_chave;descricao\n7,00;maria@example.com;EMAIL;';
      made.batch = (await panel.batches.make({ file })).batch_id;
    },
  ],
  ['withdrawal.batch_declined', 'a batch is declined', () => panel.batches.decline({ batch_id: made.batch ?? '' })],
  [
    'withdrawal.approved',
    'a second person approves a PIX',
    async () => {
      await panel.approvals.approve({ transaction_id: made.first ?? '' });
    },
  ],
  [
    'withdrawal.declined',
    'a second person declines a PIX',
    async () => {
      await panel.approvals.decline({ transaction_id: made.second ?? '', reason: 'Não conheço' });
    },
  ],
  ['api_key.created', 'a member makes a key', () => panel.keys.create(key)],
  ['api_key.rotated', 'a member replaces a key', () => panel.keys.rotate({ key_id: made.key ?? '', overlap_hours: 1 })],
  ['api_key.revoked', 'a member revokes a key', () => panel.keys.revoke({ key_id: made.key ?? '' })],
  [
    'api_key.created',
    'the operator makes a key',
    async () => {
      made.other = (await createApiKey(operator(), { accountId, name: 'Outra' }))?.keyId ?? '';
    },
  ],
  ['api_key.revoked', 'the operator revokes a key', () => revokeApiKey(operator(), made.other ?? '')],
  [
    'webhook_endpoint.set',
    'a URL is set',
    () => panel.webhooks.setEndpoint({ topic: 'deposit', url: 'https://93.184.215.14/other' }),
  ],
  ['webhook_endpoint.removed', 'a URL is taken away', () => panel.webhooks.removeEndpoint({ topic: 'deposit' })],
  ['webhook_endpoint.enabled', 'a URL is called again', () => panel.webhooks.enableEndpoint({ topic: 'usdt' })],
  ['webhook_endpoint.set', 'URLs are set to the built-in receiver', () => panel.webhooks.setTestReceiver()],
  ['webhook_secret.rotated', 'the secret is replaced', () => panel.webhooks.rotateSecret()],
  [
    'payee.added',
    'a payee is added',
    () => panel.addressBook.addPixKey({ label: 'Ana', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' }),
  ],
  ['payee.wait_ended', 'the wait of a payee is ended', () => panel.addressBook.endWait({ payee_id: made.payee ?? '' })],
  ['payee.removed', 'a payee is removed', () => panel.addressBook.remove({ payee_id: made.payee ?? '' })],
  ['account.currency_set', 'a currency is chosen', () => panel.preferences.setCurrency({ currency: 'USDT_BSC' })],
  [
    'kyc.document_added',
    'a document is handed in',
    async () => {
      const file = { kind: REQUIRED_DOCUMENTS.person[0], name: 'rg.pdf', bytes: pdfFile() };
      made.document = (await addKycDocument(trilho.deps, unverified.who, file)).id;
    },
  ],
  [
    'kyc.document_removed',
    'a document is taken back',
    () => removeKycDocument(trilho.deps, unverified.who, made.document ?? ''),
  ],
  ['operator.created', 'an operator is made', () => createOperator(operator(), { name: 'Bia', email: BIA })],
  ['operator.reset', 'an operator gets a new login', () => resetOperator(operator(), BIA)],
  ['operator.disabled', 'an operator is disabled', () => disableOperator(operator(), BIA)],
  ['account.set', 'a limit is set', () => setAccount(operator(), limit(5_000n))],
  ['account.suspended', 'an account is suspended', () => suspendAccount(operator(), { accountId, reason: 'Fraude' })],
  ['account.resumed', 'an account is resumed', () => resumeAccount(operator(), accountId)],
];

test.each(ACTS)('an act that can’t be noted as %s is not done, and one that can is: %s', async (action, _, act) => {
  // What has to be there first is made, as in withdrawals that wait.
  if (action === 'withdrawal.approved') made.first = String((await withdraw(6)).transaction_id);
  if (action === 'withdrawal.declined') made.second = String((await withdraw(6)).transaction_id);
  if (action === 'sign_in.change_begun') {
    browser = openBrowser(trilho);
    await browser.signIn(EMAIL, PASSWORD);
  }
  const before = await state();
  await trilho.asOwner(`ALTER TABLE audit_records ADD CONSTRAINT no_more CHECK (action <> '${action}') NOT VALID`);
  try {
    await expect(act()).rejects.toThrow();
  } finally {
    await trilho.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_more');
  }
  expect(await state()).toEqual(before);
  const { rows: last } = await trilho.deps.db.pool.query<{ id: bigint }>('SELECT max(id) AS id FROM audit_records');
  await act();
  const { rows } = await trilho.deps.db.pool.query<{ action: string }>(
    'SELECT action FROM audit_records WHERE id > $1 AND action = $2',
    [last[0]?.id, action],
  );
  expect(rows).not.toEqual([]);
});

test('a charge whose cancellation can’t be noted is not closed, and one that can is', async () => {
  const cancel = () => ask(`/payments/transactions/${made.open}/cancel`, {});
  const status = async () => {
    const { body } = await trilho.get(`/payments/transactions/${made.open}/status?type=pix_in`, apiKey);
    return (body.data as { status: string }).status;
  };
  await trilho.asOwner(
    `ALTER TABLE audit_records ADD CONSTRAINT no_more CHECK (action <> 'charge.cancelled') NOT VALID`,
  );
  try {
    await expect(cancel()).rejects.toThrow('500');
  } finally {
    await trilho.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_more');
  }
  await cancel();
  expect(await status()).toBe('cancelled');
  const { rows } = await trilho.deps.db.pool.query(`SELECT FROM audit_records WHERE action = 'charge.cancelled'`);
  expect(rows).toHaveLength(1);
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

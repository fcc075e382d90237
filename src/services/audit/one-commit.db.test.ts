import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { payCharge } from '#testing/paid-charge.ts';
import { openBrowser, openMember, PASSWORD, type PanelBrowser } from '#testing/panel-browser.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { pdfFile } from '#testing/uploaded-files.ts';
import { createApiKey } from '../api-keys/manage-api-keys.ts';
import { addDisputeFile } from '../disputes/manage-dispute-files.ts';
import { addKycDocument, removeKycDocument } from '../kyc/manage-kyc-documents.ts';
import { typedPerson } from '../kyc/testing/person-form.ts';
import { inviteMember } from '../members/invite-member.ts';
import { resetMember } from '../members/reset-member.ts';
import { signOutMember } from '../members/sign-out-member.ts';
import { expectOneCommit, whileNothingIsNoted } from './testing/expect-one-commit.ts';

let trilho: TestService;
let accountId: string;
let merchantId: string;
let apiKey: string;
let browser: PanelBrowser;
let panel: Awaited<ReturnType<typeof panelCaller>>;
/** A merchant whose verification is not submitted yet. */
let unverified: { who: Parameters<typeof addKycDocument>[1]; panel: typeof panel };
/** Makes one delivery a failed one, without a task, so that no worker retries it. */
const FAILED_DELIVERY = `WITH failed AS (
     UPDATE deliveries SET status = 'failed' WHERE id = (
       SELECT d.id FROM deliveries d JOIN endpoints n ON n.id = d.endpoint_id WHERE n.topic = 'withdrawal' LIMIT 1)
     RETURNING id)
   DELETE FROM tasks t USING failed WHERE t.kind = 'deliver_webhook' AND t.subject_id = failed.id`;
/** The ids of the objects that the acts are about. */
const made: Record<string, string> = {};

const EMAIL = 'dona@example.com';
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
  made.unpaid = await charge(11, { customerDocument: '52998224725', customerDocumentType: 'cpf' });
  await payCharge(trilho, apiKey, made.paid);
});
afterAll(() => trilho.stop());

/** Adds a second member to the merchant; returns their id. */
async function addColleague(): Promise<string> {
  const id = uuidv7(new Date());
  await addMember(trilho.deps.db.pool, { id, merchantId, email: 'colega@example.com', role: 'finance' });
  return id;
}

/** Makes a batch by another member, which waits for the owner; returns its id. */
async function batchOfAnother(): Promise<string> {
  const memberId = uuidv7(new Date());
  await addMember(trilho.deps.db.pool, { id: memberId, merchantId, email: `${memberId}@example.com`, role: 'finance' });
  const theirs = await panelCaller(trilho.deps, accountId, { memberId, role: 'finance' });
  return (await theirs.batches.make({ file: fileOf('6,50') })).batch_id;
}

/** Uploads the documents that a person's verification requires. */
async function addDocuments(): Promise<void> {
  for (const kind of REQUIRED_DOCUMENTS.person) {
    await addKycDocument(trilho.deps, unverified.who, { kind, name: `${kind}.pdf`, bytes: pdfFile() });
  }
}

/** Opens a dispute and adds a file to it. */
async function addEvidence(): Promise<void> {
  made.dispute = (await disputedCharge(trilho, apiKey, 20)).disputeId;
  const member = { memberId: uuidv7(new Date()), merchantId } as Parameters<typeof addDisputeFile>[1]['member'];
  const who = { accountId, mode: 'test' as const, member, origin: AT };
  const file = { disputeId: made.dispute, name: 'nota.pdf', bytes: pdfFile() };
  made.file = (await addDisputeFile(trilho.deps, who, file)).id;
}

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

/** Calls the REST API; throws for an error. */
async function ask(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await trilho.post(path, apiKey, body);
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body.data as Record<string, unknown>;
}
const charge = async (amount: number, more = {}) =>
  String((await ask('/payments/transactions', { amount, ...more })).transaction_id);
const withdraw = (amount: number, more = {}) => ask('/payments/transfers/pix', { ...PIX, amount, ...more });

const fileOf = (reais: string) => `valor;chave;tipo_chave;descricao\n${reais};maria@example.com;EMAIL;`;
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

/** The acts, in an order in which each is possible. */
const ACTS: [action: string, what: string, act: () => Promise<unknown>, notifies?: true][] = [
  ['session.started', 'a member signs in', signIn],
  ['session.started', 'a member signs in elsewhere', signIn],
  ['session.ended', 'a session is ended', endFirstSession],
  ['session.others_ended', 'the other sessions are ended', () => panel.security.endOtherSessions()],
  ['session.started', 'a member signs in again', signIn],
  ['session.all_ended', 'the operator signs a member out', () => signOutMember(trilho.deps, EMAIL)],
  [
    'member.invited',
    'somebody is invited',
    () => inviteMember(trilho.deps, { ...invited(), language: 'en', by: null }),
  ],
  [
    'member.role_changed',
    'a member gets another role',
    () => panel.people.setRole({ id: made.colleague ?? '', role: 'support' }),
    true,
  ],
  [
    'member.reset',
    'the operator takes a second factor away',
    () => resetMember(trilho.deps, { email: 'colega@example.com', reason: 'Videochamada' }),
    true,
  ],
  ['member.removed', 'a member is removed', () => panel.people.remove({ id: made.colleague ?? '' }), true],
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
  [
    'customer.erased',
    'a customer’s data are erased',
    () => panel.customers.erase({ customer_id: made.unpaid ?? '', reason: 'Protocolo 1' }),
  ],
  ['account.opened', 'a key opens an account', () => ask('/accounts', shop)],
  ['approval_threshold.set', 'a threshold is set', () => panel.thresholds.set({ kind: 'approval', amount: 5 }), true],
  [
    'withdrawal.batch_made',
    'a batch is made',
    async () => {
      made.batch = (await panel.batches.make({ file: fileOf('7,00') })).batch_id;
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
  ['api_key.created', 'a member makes a key', () => panel.keys.create(key), true],
  [
    'api_key.rotated',
    'a member replaces a key',
    () => panel.keys.rotate({ key_id: made.key ?? '', overlap_hours: 1 }),
    true,
  ],
  ['api_key.revoked', 'a member revokes a key', () => panel.keys.revoke({ key_id: made.key ?? '' })],
  [
    'webhook_endpoint.set',
    'a URL is set',
    () => panel.webhooks.setEndpoint({ topic: 'deposit', url: 'https://93.184.215.14/other' }),
    true,
  ],
  ['webhook_endpoint.removed', 'a URL is taken away', () => panel.webhooks.removeEndpoint({ topic: 'deposit' }), true],
  ['webhook_endpoint.enabled', 'a URL is called again', () => panel.webhooks.enableEndpoint({ topic: 'usdt' }), true],
  ['webhook_endpoint.set', 'URLs are set to the built-in receiver', () => panel.webhooks.setTestReceiver()],
  ['webhook_secret.rotated', 'the secret is replaced', () => panel.webhooks.rotateSecret(), true],
  ['webhook_secret.overlap_ended', 'the secret before is ended', () => panel.webhooks.endSecretOverlap()],
  [
    'webhook_endpoint.created',
    'an endpoint is made',
    async () => {
      made.endpoint = (await panel.endpoints.create({ url: 'https://93.184.215.14/erp' })).data.endpoint_id;
    },
    true,
  ],
  [
    'webhook_endpoint.changed',
    'an endpoint is changed',
    () => panel.endpoints.change({ endpointId: made.endpoint ?? '', url: 'https://93.184.215.15/erp', enabled: false }),
    true,
  ],
  [
    'webhook_secret.rotated',
    'the secret of an endpoint is replaced',
    () => panel.endpoints.rotateSecret({ endpointId: made.endpoint ?? '' }),
    true,
  ],
  [
    'webhook_endpoint.removed',
    'an endpoint is removed',
    () => panel.endpoints.remove({ endpointId: made.endpoint ?? '' }),
    true,
  ],
  ['webhooks.resent', 'what failed is sent again', () => panel.webhooks.resendFailed({})],
  [
    'dispute.file_removed',
    'a file of a case is taken back',
    () => panel.disputeCase.removeFile({ dispute_id: made.dispute ?? '', file_id: made.file ?? '' }),
  ],
  [
    'dispute.answered',
    'a case is answered',
    () => panel.disputes.answer({ disputeId: made.dispute ?? '', answer: 'agree' }),
  ],
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
  ['kyc.submitted', 'a verification is handed in', () => unverified.panel.kyc.submit(typedPerson)],
  // Last, because a worker then creates the batch's withdrawals.
  [
    'withdrawal.batch_approved',
    'a second person approves a batch',
    async () => {
      await panel.batches.approve({ batch_id: made.theirBatch ?? '' });
    },
  ],
];

test.each(ACTS)(
  'an act whose audit record %s, or a notice of it, can’t be written is not done, else it is: %s',
  async (action, _, act, notifies) => {
    // Some acts need an object that exists first, such as a withdrawal that waits.
    if (action === 'withdrawal.approved') made.first = String((await withdraw(6)).transaction_id);
    if (action === 'member.reset')
      await trilho.asOwner("UPDATE members SET two_factor_enabled = true WHERE email = 'colega@example.com'");
    if (action === 'withdrawal.batch_approved') made.theirBatch = await batchOfAnother();
    if (action === 'member.role_changed') made.colleague = await addColleague();
    if (action === 'kyc.submitted') await addDocuments();
    if (action === 'dispute.file_removed') await addEvidence();
    if (action === 'webhooks.resent') await trilho.asOwner(FAILED_DELIVERY);
    if (action === 'withdrawal.declined') made.second = String((await withdraw(6)).transaction_id);
    if (action === 'sign_in.change_begun') {
      browser = openBrowser(trilho);
      await browser.signIn(EMAIL, PASSWORD);
    }
    await expectOneCommit(trilho, action, act, notifies);
  },
);

test('a charge whose cancellation can’t be recorded in the audit is not closed, and is once it can', async () => {
  const cancel = () => ask(`/payments/transactions/${made.open}/cancel`, {});
  const status = async () => {
    const { body } = await trilho.get(`/payments/transactions/${made.open}/status?type=pix_in`, apiKey);
    return (body.data as { status: string }).status;
  };
  await whileNothingIsNoted(trilho, 'charge.cancelled', () => expect(cancel()).rejects.toThrow('500'));
  await cancel();
  expect(await status()).toBe('cancelled');
  const { rows } = await trilho.deps.db.pool.query(`SELECT FROM audit_records WHERE action = 'charge.cancelled'`);
  expect(rows).toHaveLength(1);
});

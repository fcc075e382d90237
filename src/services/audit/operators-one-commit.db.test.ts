import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { putReconciledDays } from '#testing/put-reconciled-days.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { pdfFile } from '#testing/uploaded-files.ts';
import { cancelPlannedTerms, changeTerms } from '../accounts/change-terms.ts';
import { setAccount } from '../accounts/set-account.ts';
import { resumeAccount, suspendAccount } from '../accounts/suspend-account.ts';
import { createApiKey, revokeApiKey } from '../api-keys/manage-api-keys.ts';
import { receiveCallback } from '../callbacks/receive-callback.ts';
import { retryCallback } from '../callbacks/retry-callback.ts';
import { endDispute, enterDispute, giveAnswer } from '../disputes/manage-disputes.ts';
import { noteForwardedAnswer } from '../disputes/note-forwarded-answer.ts';
import { approveVerification, findVerification, rejectVerification } from '../kyc/decide-verification.ts';
import { addKycDocument } from '../kyc/manage-kyc-documents.ts';
import { typedPerson } from '../kyc/testing/person-form.ts';
import { changeRole, removePerson } from '../members/manage-members.ts';
import { setSignUpPolicy } from '../members/sign-up-policy.ts';
import { createOperator, disableOperator, resetOperator } from '../operators/manage-operators.ts';
import { switchRail } from '../rails/switch-rail.ts';
import { acknowledgeDifference } from '../reconciliation/acknowledge-difference.ts';
import { listReconciliation } from '../reconciliation/list-reconciliation.ts';
import { byOperator } from '../unmatched/by-operator.ts';
import { expectOneCommit } from './testing/expect-one-commit.ts';

let trilho: TestService;
let accountId: string;
let merchantId: string;
let apiKey: string;
/** A live account, whose members are notified of its terms. */
let liveId: string;
/** The ids of the objects that the acts are about. */
const made: Record<string, string> = {};

const BIA = 'bia@trilho.example';
const NO_CHANGE = {
  ...{ merchant: {}, account: {}, fees: [], limits: [], rails: [] },
  ...{ webhookUrl: undefined, credentials: [] },
};
beforeAll(async () => {
  trilho = await startTestService();
  ({ accountId, merchantId, apiKey } = await trilho.openAccount());
  const live = await trilho.openAccount({ mode: 'live' });
  liveId = live.accountId;
  for (const id of [merchantId, live.merchantId])
    await addMember(trilho.deps.db.pool, { id: uuidv7(new Date()), merchantId: id, email: `${id}@example.com` });
});
afterAll(() => trilho.stop());

const origin = { ipAddress: '203.0.113.9', userAgent: 'console' };
const operator = () => ({ ...trilho.deps, operator: 'ana', origin });
const by = byOperator('ana');
const limit = (centavos: bigint) => ({
  ...{ accountId: liveId, ...NO_CHANGE },
  limits: [{ name: 'daily_limit_out_pix' as const, centavos }],
});
const terms = { fees: {}, limits: {}, spreadBps: 50 };
const person = () => ({ merchantId, memberId: made.member ?? '', by: null });

/** Opens a merchant and submits their verification; returns its id. */
async function handInVerification(): Promise<string> {
  const opened = await trilho.openAccount({ kycStatus: 'pending', mode: 'live' });
  const memberId = uuidv7(new Date());
  await addMember(trilho.deps.db.pool, {
    id: memberId,
    merchantId: opened.merchantId,
    email: `${memberId}@example.com`,
  });
  const panel = await panelCaller(trilho.deps, opened.accountId, { memberId });
  const member = { memberId, merchantId: opened.merchantId } as Parameters<typeof addKycDocument>[1]['member'];
  const who = { member, origin: { ipAddress: null, userAgent: null } };
  for (const kind of REQUIRED_DOCUMENTS.person) {
    await addKycDocument(trilho.deps, who, { kind, name: `${kind}.pdf`, bytes: pdfFile() });
  }
  await panel.kyc.submit(typedPerson);
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    'SELECT id FROM kyc_submissions WHERE merchant_id = $1',
    [opened.merchantId],
  );
  return rows[0]?.id ?? '';
}

async function verification() {
  const found = await findVerification(operator(), made.verification ?? '');
  if (!found) throw new Error('There is no such verification.');
  return found;
}

/** The acts, in an order in which each is possible; `prepare` makes what an act needs. */
const ACTS: {
  action: string;
  what: string;
  act: () => Promise<unknown>;
  prepare?: () => Promise<unknown>;
  notifies?: true;
}[] = [
  {
    action: 'api_key.created',
    what: 'an API key is made',
    notifies: true,
    act: async () => {
      made.key = (await createApiKey(operator(), { accountId, name: 'Outra' }))?.keyId ?? '';
    },
  },
  { action: 'api_key.revoked', what: 'an API key is revoked', act: () => revokeApiKey(operator(), made.key ?? '') },
  {
    action: 'operator.created',
    what: 'an operator is made',
    act: () => createOperator(operator(), { name: 'Bia', email: BIA }),
  },
  { action: 'operator.reset', what: 'an operator gets a new login', act: () => resetOperator(operator(), BIA) },
  { action: 'operator.disabled', what: 'an operator is disabled', act: () => disableOperator(operator(), BIA) },
  { action: 'account.set', what: 'a limit is set', notifies: true, act: () => setAccount(operator(), limit(5_000n)) },
  {
    action: 'account.suspended',
    what: 'an account is suspended',
    notifies: true,
    act: () => suspendAccount(operator(), { accountId, reason: 'Fraude' }),
  },
  {
    action: 'account.resumed',
    what: 'an account is resumed',
    notifies: true,
    act: () => resumeAccount(operator(), accountId),
  },
  {
    action: 'account.terms_set',
    what: 'terms are changed',
    notifies: true,
    act: () => changeTerms(operator(), { accountId: liveId, terms, effectiveAt: null, reason: 'Combinado' }),
  },
  {
    action: 'account.terms_planned',
    what: 'terms are changed later',
    notifies: true,
    act: async () => {
      const effectiveAt = new Date(Date.now() + 7 * 86_400_000);
      const later = { ...terms, spreadBps: 60 };
      made.plan = await changeTerms(operator(), { accountId: liveId, terms: later, effectiveAt, reason: null });
    },
  },
  {
    action: 'account.terms_cancelled',
    what: 'a planned change is cancelled',
    notifies: true,
    act: () => cancelPlannedTerms(operator(), { accountId: liveId, changeId: made.plan ?? '' }),
  },
  {
    action: 'member.role_changed',
    what: 'a member gets another role',
    notifies: true,
    prepare: async () => {
      made.member = uuidv7(new Date());
      await addMember(trilho.deps.db.pool, {
        ...{ id: made.member, merchantId, email: 'colega@example.com', role: 'finance' },
      });
    },
    act: () => changeRole(operator(), { ...person(), role: 'support' }),
  },
  {
    action: 'member.removed',
    what: 'a member is removed',
    notifies: true,
    act: () => removePerson(operator(), person()),
  },
  {
    action: 'rail.closed',
    what: 'a rail is turned off',
    act: () => switchRail(operator(), { rail: 'crypto_out', reason: 'Manutenção' }),
  },
  {
    action: 'rail.opened',
    what: 'a rail is turned on',
    act: () => switchRail(operator(), { rail: 'crypto_out', reason: null }),
  },
  {
    action: 'reconciliation.acknowledged',
    what: 'what differs of a day is acknowledged',
    prepare: () => putReconciledDays(trilho, { accountId, days: 3 }),
    act: async () => {
      const [day] = await listReconciliation(operator(), { accountId, isOpen: true });
      if (!day?.differences) throw new Error('No day differs.');
      await acknowledgeDifference(operator(), { day, differences: day.differences, reason: 'Tarifa' });
    },
  },
  {
    action: 'installation.sign_up_set',
    what: 'sign-ups are ended',
    act: () => setSignUpPolicy(operator(), 'invited'),
  },
  {
    action: 'kyc.rejected',
    what: 'a verification is rejected',
    prepare: async () => {
      made.verification = await handInVerification();
    },
    act: async () => rejectVerification(operator(), await verification(), 'A foto está escura.'),
  },
  {
    action: 'kyc.approved',
    what: 'a verification is approved',
    prepare: async () => {
      made.verification = await handInVerification();
    },
    act: async () => approveVerification(operator(), await verification()),
  },
  {
    action: 'dispute.opened',
    what: 'a case is entered',
    prepare: async () => {
      made.charge = await makePaidCharge(trilho, apiKey, { amount: 30 });
    },
    act: () =>
      enterDispute(trilho.deps, {
        ...{ chargeId: made.charge ?? '', reason: 'fraud', centavos: null, answerBy: null, by },
      }),
  },
  {
    action: 'dispute.answered',
    what: 'a case is answered',
    prepare: async () => {
      made.dispute = (await disputedCharge(trilho, apiKey, 20)).disputeId;
    },
    act: () =>
      giveAnswer(trilho.deps, {
        id: made.dispute ?? '',
        accountId: null,
        answer: 'contest',
        text: 'Foi entregue.',
        by,
      }),
  },
  {
    action: 'dispute.answer_sent',
    what: 'an answer was brought to the PSP',
    act: () => noteForwardedAnswer(trilho.deps, { id: made.dispute ?? '', by }),
  },
  {
    action: 'dispute.closed',
    what: 'a case is ended',
    act: () => endDispute(trilho.deps, { id: made.dispute ?? '', to: 'won', by }),
  },
  {
    action: 'callback.retried',
    what: 'a callback is processed again',
    prepare: async () => {
      await receiveCallback(trilho.deps, { rail: 'desligado', body: '{}' });
      made.callback = await trilho.until('the callback is processed', async () => {
        const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
          `SELECT id FROM inbound_callbacks WHERE rail = 'desligado' AND processed_at IS NOT NULL`,
        );
        return rows[0]?.id ?? null;
      });
    },
    act: () => retryCallback(operator(), made.callback ?? ''),
  },
];

test.each(ACTS)(
  'an operator’s act whose audit record $action, or a notice of it, can’t be written is not done, else it is: $what',
  async ({ action, act, prepare, notifies }) => {
    await prepare?.();
    await expectOneCommit(trilho, action, act, notifies);
  },
);

test('what is done in the console is recorded with the address and the browser that it came from', async () => {
  const { rows } = await trilho.deps.db.pool.query<{ action: string }>(
    `SELECT DISTINCT action FROM audit_records WHERE details ->> 'operator' = 'ana'
       AND (ip_address, user_agent) IS NOT DISTINCT FROM ($1::text, $2::text)`,
    [origin.ipAddress, origin.userAgent],
  );
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['account.suspended', 'account.resumed', 'kyc.approved', 'kyc.rejected', 'rail.closed']),
  );
});

test('a new limit is recorded in the audit with the one before it', async () => {
  await setAccount(operator(), limit(5_000n));
  await setAccount(operator(), limit(8_000n));
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT details FROM audit_records WHERE action = 'account.set' ORDER BY id DESC LIMIT 1`,
  );
  const name = 'limit daily_limit_out_pix';
  expect(rows[0].details).toEqual({ [`${name}_before`]: '5000', [name]: '8000', operator: 'ana' });
});

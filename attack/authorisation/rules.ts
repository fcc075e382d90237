import { PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { typedPerson } from '#services/kyc/testing/person-form.ts';
import type { Owned } from '../tenants.ts';

/**
 * Who may call a procedure, repeated here, so that the suite does not rely on what the procedure
 * says itself (ASVS 8.1.1).
 */
export type Rule = {
  /**
   * A permission: a key that has it, or a member; `key`: any key, or a member; `member`: members
   * only, no key.
   */
  who: 'anyone' | 'key' | 'member' | Permission;
  /** The confirmation that a member who has not just confirmed is asked for, at least. */
  confirm?: 'recent' | 'each';
  /**
   * It is served also while the account is suspended: it is about the member, or takes a right
   * away.
   */
  whileSuspended?: true;
  /** A valid input, which names these ids. */
  input: (owned: Owned) => object;
  /**
   * The input names something: anyone but its owner gets the answer of something that does not
   * exist.
   */
  names?: true;
};

const nothing = () => ({});
const DAYS = { from: '2020-01-01', to: '2020-01-31' };
const WITHDRAWAL = { amount: 11, pixKey: 'recebedor@example.com', pixKeyType: 'EMAIL' };
const BATCH = 'valor;chave;tipo_chave;descricao\n11,00;recebedor@example.com;EMAIL;';
/** In the form of a link's token, but not issued. */
const NO_TOKEN = 'x'.repeat(43);

/** By the procedure's name in the routers. A procedure without a row fails the suite. */
export const RULES: Record<string, Rule> = {
  'payment.get': { who: 'anyone', input: ({ pendingCharge }) => ({ transactionId: pendingCharge }) },
  'payment.follow': { who: 'anyone', input: ({ pendingCharge }) => ({ transactionId: pendingCharge }) },
  'session.signUp': { who: 'anyone', input: nothing },
  'session.signUpLink': { who: 'anyone', input: () => ({ token: NO_TOKEN }) },
  'session.invitationLink': { who: 'anyone', input: () => ({ token: NO_TOKEN }) },
  'session.resetLink': { who: 'anyone', input: () => ({ token: NO_TOKEN }) },
  'session.me': { who: 'member', input: nothing },
  'session.confirm': { who: 'member', whileSuspended: true, input: () => ({ password: 'não é a senha' }) },
  'security.get': { who: 'member', input: nothing },
  'security.activity': { who: 'member', input: () => ({ kind: 'money' }) },
  'security.endSession': {
    who: 'member',
    whileSuspended: true,
    input: ({ session }) => ({ id: session }),
    names: true,
  },
  'security.endOtherSessions': { who: 'member', whileSuspended: true, input: nothing },
  'people.list': { who: 'member', input: nothing },
  'people.invite': {
    who: 'member',
    confirm: 'recent',
    // The inviter sees the address that they invited: another tenant's address would count as a
    // leak.
    input: ({ email }) => ({ email: `mais.${email.replace('@', '.em.')}@example.com`, role: 'viewer' }),
  },
  'people.withdraw': {
    who: 'member',
    whileSuspended: true,
    input: ({ invitation }) => ({ id: invitation }),
    names: true,
  },
  'people.setRole': {
    who: 'member',
    confirm: 'recent',
    input: ({ member }) => ({ id: member, role: 'viewer' }),
    names: true,
  },
  'people.remove': {
    who: 'member',
    confirm: 'recent',
    whileSuspended: true,
    input: ({ member }) => ({ id: member }),
    names: true,
  },
  'session.merchants': { who: 'member', input: nothing },
  'session.chooseMerchant': {
    who: 'member',
    whileSuspended: true,
    input: ({ merchant }) => ({ id: merchant }),
    names: true,
  },
  'firstSteps.get': { who: 'member', input: nothing },
  'live.transactions': { who: 'member', input: nothing },
  'notices.list': { who: 'member', input: () => ({ language: 'en' }) },
  // An id that is not the member's own marks nothing.
  'notices.read': { who: 'member', whileSuspended: true, input: () => ({ id: crypto.randomUUID() }) },
  'notices.readAll': { who: 'member', whileSuspended: true, input: () => ({ until: '2026-01-01T00:00:00.000Z' }) },
  'search.find': { who: 'member', input: ({ paidCharge }) => ({ text: paidCharge }) },
  'detail.get': { who: 'member', input: ({ paidCharge }) => ({ transaction_id: paidCharge }), names: true },
  'overview.get': { who: 'member', input: () => ({ period: '7d' }) },
  'statement.get': { who: 'member', input: () => ({ balance: 'available', ...DAYS }) },
  'proof.get': { who: 'member', input: nothing },
  'reconciliation.list': { who: 'member', input: nothing },
  // Days of an account's own credentials, which the merchants of the suite do not have.
  'reconciliation.get': { who: 'member', input: () => ({ day_id: '01900000-0000-7000-8000-000000000000' }) },
  'charges.create': { who: 'charges:write', input: () => ({ amount: 13 }) },
  'deposits.crypto': { who: 'charges:write', input: () => ({ amount: 150, currency: 'BTC' }) },
  'withdrawals.pix': { who: 'withdrawals:write', confirm: 'each', input: () => WITHDRAWAL },
  'withdrawals.cancelPix': {
    who: 'withdrawals:write',
    input: ({ scheduledWithdrawal }) => ({ transactionId: scheduledWithdrawal }),
    names: true,
  },
  'withdrawals.crypto': {
    who: 'withdrawals:write',
    confirm: 'each',
    input: () => ({ amount: 60, currency: 'ETH', wallet: '0x52908400098527886E0F7030069857D2E4169EE7' }),
  },
  'transactions.status': {
    who: 'transactions:read',
    input: ({ paidCharge }) => ({ transactionId: paidCharge, type: 'pix_in' }),
    names: true,
  },
  'customers.list': { who: 'member', input: nothing },
  'customers.get': { who: 'member', input: ({ paidCharge }) => ({ customer_id: paidCharge }), names: true },
  'customers.transactions': { who: 'member', input: ({ paidCharge }) => ({ customer_id: paidCharge }), names: true },
  'customers.export': {
    who: 'member',
    confirm: 'recent',
    input: ({ paidCharge }) => ({ customer_id: paidCharge }),
    names: true,
  },
  'customers.erasure': { who: 'member', input: ({ paidCharge }) => ({ customer_id: paidCharge }), names: true },
  'customers.erase': {
    who: 'member',
    confirm: 'each',
    input: ({ paidCharge }) => ({ customer_id: paidCharge, reason: 'Protocolo 1' }),
    names: true,
  },
  'transactions.list': { who: 'transactions:read', input: nothing },
  'transactions.get': {
    who: 'transactions:read',
    input: ({ paidCharge }) => ({ transactionId: paidCharge }),
    names: true,
  },
  'transactions.refund': {
    who: 'refunds:write',
    confirm: 'each',
    input: ({ paidCharge }) => ({ transactionId: paidCharge, amount: 1 }),
    names: true,
  },
  'transactions.cancel': {
    who: 'charges:write',
    input: ({ pendingCharge }) => ({ transactionId: pendingCharge }),
    names: true,
  },
  'disputes.list': { who: 'transactions:read', input: nothing },
  'disputes.get': { who: 'transactions:read', input: ({ dispute }) => ({ disputeId: dispute }), names: true },
  'disputes.answer': {
    who: 'refunds:write',
    input: ({ dispute }) => ({ disputeId: dispute, answer: 'contest', text: 'Entregue.' }),
    names: true,
  },
  'disputeCase.removeFile': {
    who: 'member',
    input: ({ dispute }) => ({ dispute_id: dispute, file_id: dispute }),
    names: true,
  },
  'unmatched.inbox': { who: 'member', input: nothing },
  'unmatched.assignable': { who: 'member', input: ({ unmatched }) => ({ payment_id: unmatched }), names: true },
  'unmatched.preview': { who: 'member', input: ({ unmatched }) => ({ payment_id: unmatched }), names: true },
  'unmatched.assign': {
    who: 'member',
    input: ({ unmatched, pendingCharge }) => ({ payment_id: unmatched, charge_id: pendingCharge, net: 7, reason: 'x' }),
    names: true,
  },
  'unmatched.deposit': {
    who: 'member',
    input: ({ unmatched }) => ({ payment_id: unmatched, net: 7, reason: 'x' }),
    names: true,
  },
  'unmatched.returnToPayer': {
    who: 'member',
    confirm: 'each',
    input: ({ unmatched }) => ({ payment_id: unmatched, amount: 7, reason: 'x' }),
    names: true,
  },
  'unmatched.charge': {
    who: 'member',
    input: ({ foreignPayout }) => ({ payout_id: foreignPayout, amount: 7, reason: 'x' }),
    names: true,
  },
  'disputeCase.get': { who: 'member', input: ({ dispute }) => ({ dispute_id: dispute }), names: true },
  'balance.get': { who: 'balance:read', input: nothing },
  'balance.statement': { who: 'balance:read', input: () => ({ ...DAYS }) },
  'currencies.list': { who: 'key', input: nothing },
  'currencies.quote': { who: 'key', input: () => ({ currency: 'BTC' }) },
  'account.create': {
    who: 'accounts:write',
    confirm: 'recent',
    input: ({ email }) => ({
      name: 'Cliente',
      email: `cliente.${email}`,
      document: '12345678909',
      documentType: 'cpf',
    }),
  },
  'account.get': { who: 'key', input: nothing },
  'account.limits': { who: 'key', input: nothing },
  'events.list': { who: 'transactions:read', input: ({ paidCharge }) => ({ transaction_id: paidCharge }) },
  'events.get': { who: 'transactions:read', input: ({ event }) => ({ eventId: event }), names: true },
  'events.resend': { who: 'charges:write', input: ({ event }) => ({ eventId: event }), names: true },
  'events.sendHeld': { who: 'charges:write', input: () => ({ topic: 'usdt' }) },
  'testClock.get': { who: 'transactions:read', input: nothing },
  'testClock.advance': { who: 'charges:write', input: () => ({ by: '1s' }) },
  'events.replay': { who: 'charges:write', input: () => ({ since: new Date().toISOString() }) },
  'endpoints.list': { who: 'webhooks:write', input: nothing },
  'endpoints.create': {
    who: 'webhooks:write',
    confirm: 'recent',
    input: () => ({ url: 'https://93.184.215.14/other', enabled: false }),
  },
  'endpoints.get': { who: 'webhooks:write', input: ({ endpoint }) => ({ endpointId: endpoint }), names: true },
  'endpoints.change': {
    who: 'webhooks:write',
    confirm: 'recent',
    input: ({ endpoint }) => ({ endpointId: endpoint, url: 'https://93.184.215.14/other' }),
    names: true,
  },
  'endpoints.rotateSecret': {
    who: 'webhooks:write',
    confirm: 'recent',
    input: ({ endpoint }) => ({ endpointId: endpoint }),
    names: true,
  },
  'endpoints.test': { who: 'webhooks:write', input: ({ endpoint }) => ({ endpointId: endpoint }), names: true },
  'endpoints.remove': {
    who: 'webhooks:write',
    confirm: 'recent',
    input: ({ endpoint }) => ({ endpointId: endpoint }),
    names: true,
  },
  'keys.list': { who: 'member', input: nothing },
  'keys.create': {
    who: 'member',
    confirm: 'recent',
    input: () => ({ name: 'outra', permissions: [...PERMISSIONS], allowed_ips: [], expires_at: null }),
  },
  'keys.rotate': {
    who: 'member',
    confirm: 'recent',
    input: ({ key }) => ({ key_id: key, overlap_hours: 0 }),
    names: true,
  },
  'keys.revoke': { who: 'member', whileSuspended: true, input: ({ key }) => ({ key_id: key }), names: true },
  'withdrawalPreview.get': { who: 'member', input: () => ({ kind: 'pix', amount: 11 }) },
  'withdrawalPreview.lastReceiver': {
    who: 'member',
    input: () => ({ pixKey: 'maria@example.com', pixKeyType: 'EMAIL' }),
  },
  'approvals.approve': {
    who: 'member',
    confirm: 'each',
    input: ({ waitingWithdrawal }) => ({ transaction_id: waitingWithdrawal }),
    names: true,
  },
  'approvals.decline': {
    who: 'member',
    input: ({ waitingWithdrawal }) => ({ transaction_id: waitingWithdrawal, reason: 'Não pedimos.' }),
    names: true,
  },
  'batches.list': { who: 'member', input: nothing },
  'batches.get': { who: 'member', input: ({ batch }) => ({ batch_id: batch }), names: true },
  'batches.preview': { who: 'member', input: () => ({ file: BATCH }) },
  'batches.make': { who: 'member', confirm: 'each', input: () => ({ file: BATCH }) },
  'batches.approve': { who: 'member', confirm: 'each', input: ({ batch }) => ({ batch_id: batch }), names: true },
  'batches.decline': { who: 'member', input: ({ batch }) => ({ batch_id: batch }), names: true },
  'payees.list': { who: 'withdrawals:write', input: nothing },
  'addressBook.addPixKey': {
    who: 'member',
    confirm: 'recent',
    input: () => ({ label: 'Recebedor', pixKey: 'recebedor@example.com', pixKeyType: 'EMAIL' }),
  },
  'addressBook.addWallet': {
    who: 'member',
    confirm: 'recent',
    input: () => ({ label: 'Carteira', network: 'bitcoin', wallet: 'x', memo: 'x' }),
  },
  'addressBook.remove': {
    who: 'member',
    whileSuspended: true,
    input: ({ payee }) => ({ payee_id: payee }),
    names: true,
  },
  'addressBook.endWait': { who: 'member', input: ({ payee }) => ({ payee_id: payee }), names: true },
  'thresholds.get': { who: 'member', input: () => ({ kind: 'approval' }) },
  'thresholds.set': { who: 'member', confirm: 'recent', input: () => ({ kind: 'payees', amount: 900_000 }) },
  'thresholds.approve': { who: 'member', confirm: 'recent', input: () => ({ kind: 'approval', amount: 1 }) },
  'webhooks.overview': { who: 'member', input: nothing },
  'webhooks.setEndpoint': {
    who: 'member',
    confirm: 'recent',
    input: () => ({ topic: 'usdt', url: 'https://192.0.2.1/hook' }),
  },
  'webhooks.removeEndpoint': { who: 'member', confirm: 'recent', input: () => ({ topic: 'usdt' }) },
  'webhooks.enableEndpoint': { who: 'member', confirm: 'recent', input: () => ({ topic: 'usdt' }) },
  'webhooks.revealSecret': { who: 'member', confirm: 'recent', input: nothing },
  'webhooks.rotateSecret': { who: 'member', confirm: 'recent', input: nothing },
  'webhooks.endSecretOverlap': { who: 'member', confirm: 'recent', input: nothing },
  'webhooks.setTestReceiver': { who: 'member', input: nothing },
  'webhooks.received': { who: 'member', input: nothing },
  'webhooks.deliveries': { who: 'member', input: ({ paidCharge }) => ({ transaction_id: paidCharge }) },
  'webhooks.delivery': { who: 'member', input: ({ delivery }) => ({ delivery_id: delivery }), names: true },
  'webhooks.resend': { who: 'member', input: ({ delivery }) => ({ delivery_id: delivery }), names: true },
  'webhooks.resendFailed': { who: 'member', input: nothing },
  'webhooks.sendTest': { who: 'member', input: () => ({ topic: 'usdt' }) },
  'kyc.get': { who: 'member', input: nothing },
  'kyc.removeDocument': {
    who: 'member',
    whileSuspended: true,
    input: ({ document }) => ({ document_id: document }),
    names: true,
  },
  'kyc.submit': { who: 'member', whileSuspended: true, input: () => typedPerson },
  'sandbox.state': { who: 'member', input: nothing },
  'sandbox.subjects': { who: 'member', input: nothing },
  'sandbox.subject': { who: 'member', input: ({ pendingCharge }) => ({ transaction_id: pendingCharge }), names: true },
  'sandbox.command': {
    who: 'member',
    input: ({ pendingCharge }) => ({ transaction_id: pendingCharge, command: 'pay' }),
    names: true,
  },
  'sandbox.setSwitch': { who: 'member', input: () => ({ name: 'pix.callback', value: 'now' }) },
  'requests.list': { who: 'member', input: nothing },
  'requests.get': { who: 'member', input: ({ request }) => ({ id: request }), names: true },
  'providers.get': { who: 'member', input: nothing },
  'providers.check': { who: 'member', input: () => ({ kind: 'api_pix' }) },
  'providers.connect': {
    who: 'member',
    confirm: 'recent',
    input: () => ({ kind: 'plisio', provider: 'plisio', api_key: 'x' }),
  },
  'providers.disconnect': { who: 'member', confirm: 'recent', input: () => ({ kind: 'api_pix' }) },
  'terms.get': { who: 'member', input: nothing },
  'preferences.get': { who: 'member', input: nothing },
  'preferences.setCurrency': { who: 'member', input: () => ({ currency: 'BTC' }) },
  'preferences.setLook': { who: 'member', whileSuspended: true, input: () => ({ theme: 'dark' }) },
  'preferences.setNotification': {
    who: 'member',
    whileSuspended: true,
    input: () => ({ notification: 'withdrawal_failed', wanted: true }),
  },
};

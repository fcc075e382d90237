import { expect, test } from 'vitest';
import { panelRouter } from './panel-router.ts';
import type { ProcedureMeta } from './procedure.ts';

type Procedures = Record<string, { _def: { type: string; meta?: ProcedureMeta } }>;

/**
 * Everything that a page can change, and what is asked for it: `each` sends money, `recent` makes
 * or shows what protects it, `none` does neither. A paused member gets none of the first two.
 * `suspended`: also while the account is.
 */
const DECISIONS: Record<string, 'each' | 'recent' | 'recent, suspended' | 'none' | 'none, suspended'> = {
  'withdrawals.pix': 'each',
  'withdrawals.crypto': 'each',
  'approvals.approve': 'each',
  'batches.make': 'each',
  'batches.approve': 'each',
  'transactions.refund': 'each',
  // It can't be undone.
  'customers.erase': 'each',
  'customers.export': 'recent',
  'unmatched.returnToPayer': 'each',
  'thresholds.set': 'recent',
  'thresholds.approve': 'recent',
  'addressBook.addPixKey': 'recent',
  'addressBook.addWallet': 'recent',
  'account.create': 'recent',
  'keys.create': 'recent',
  'keys.rotate': 'recent',
  'people.invite': 'recent',
  'people.setRole': 'recent',
  // Who is removed must not wait for the account either.
  'people.remove': 'recent, suspended',
  // It changes what the browser shows, and nothing else.
  'session.chooseMerchant': 'none, suspended',
  'providers.connect': 'recent',
  'providers.disconnect': 'recent',
  // It asks a provider what the service asks it all the time, and changes nothing else.
  'providers.check': 'none',
  'webhooks.setEndpoint': 'recent',
  'webhooks.removeEndpoint': 'recent',
  'webhooks.enableEndpoint': 'recent',
  'webhooks.revealSecret': 'recent',
  'webhooks.rotateSecret': 'recent',
  'webhooks.endSecretOverlap': 'recent',
  'endpoints.create': 'recent',
  'endpoints.change': 'recent',
  'endpoints.remove': 'recent',
  'endpoints.rotateSecret': 'recent',
  // A member who sees something stolen must be able to end it at once.
  'keys.revoke': 'none, suspended',
  'addressBook.remove': 'none, suspended',
  'people.withdraw': 'none, suspended',
  'security.endSession': 'none, suspended',
  'security.endOtherSessions': 'none, suspended',
  'session.confirm': 'none, suspended',
  'preferences.setLook': 'none, suspended',
  'preferences.setNotification': 'none, suspended',
  'kyc.removeDocument': 'none, suspended',
  'kyc.submit': 'none, suspended',
  // Money in, and what sends again what was sent.
  'charges.create': 'none',
  'deposits.crypto': 'none',
  'transactions.cancel': 'none',
  // Of test accounts.
  'addressBook.endWait': 'none',
  // The money stays.
  'approvals.decline': 'none',
  'batches.decline': 'none',
  // It stores nothing: a mutation only because a file does not fit into an address.
  'batches.preview': 'none',
  // Of its inputs, to agree asks for what `each` does; to contest has a deadline (disputes-router).
  'disputes.answer': 'none',
  'disputeCase.removeFile': 'none',
  'notices.read': 'none, suspended',
  'notices.readAll': 'none, suspended',
  'preferences.setCurrency': 'none',
  'webhooks.resend': 'none',
  'webhooks.resendFailed': 'none',
  'events.resend': 'none',
  'events.sendHeld': 'none',
  'events.replay': 'none',
  'testClock.advance': 'none',
  'webhooks.sendTest': 'none',
  'endpoints.test': 'none',
  // It replaces no URL, and shows what arrived to members alone.
  'webhooks.setTestReceiver': 'none',
  // What is credited comes in, and what is charged has left before.
  'unmatched.assign': 'none',
  'unmatched.deposit': 'none',
  'unmatched.charge': 'none',
  // It takes back what was to be sent.
  'withdrawals.cancelPix': 'none',
  // Play money.
  'sandbox.command': 'none',
  'sandbox.setSwitch': 'none',
  // There is no session yet.
  'session.signUp': 'none',
  'session.signUpLink': 'none',
  'session.invitationLink': 'none',
  'session.resetLink': 'none',
};

test('every change that a page can make asks for the confirmation that was decided for it', () => {
  const mutations = Object.entries(panelRouter._def.procedures as unknown as Procedures)
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(
      ([
        name,
        {
          _def: { meta },
        },
      ]) => [name, `${meta?.confirm ?? 'none'}${meta?.whileSuspended ? ', suspended' : ''}`],
    );
  expect(Object.fromEntries(mutations)).toEqual(DECISIONS);
});

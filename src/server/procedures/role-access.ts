import { ROLES, type Role } from '#domain/members/roles.ts';

const everyRole = ROLES;
const money = ['owner', 'finance'] as const;
const integration = ['owner', 'developer'] as const;
/** Who answers payers, or looks after the systems that serve them. */
const payers = ['owner', 'finance', 'developer', 'support'] as const;
const owner = ['owner'] as const;

/**
 * Which role of a member may call which procedure of the panel, and have which of its files; the
 * only place that says so (docs/roles.md is made of it). What is not listed here is denied to
 * everybody, and what a role may not call does not exist for it: it is answered like an unknown
 * procedure. `public`: there is no session yet.
 */
export const ROLE_ACCESS: Readonly<Record<string, readonly Role[] | 'public'>> = {
  'payment.get': 'public',
  'payment.follow': 'public',
  'session.signUp': 'public',
  'session.signUpLink': 'public',
  'session.invitationLink': 'public',
  'session.resetLink': 'public',
  // The person and their login.
  'session.me': everyRole,
  'session.confirm': everyRole,
  'session.merchants': everyRole,
  'session.chooseMerchant': everyRole,
  'security.get': everyRole,
  'security.endSession': everyRole,
  'security.endOtherSessions': everyRole,
  'preferences.get': everyRole,
  'preferences.setLook': everyRole,
  'preferences.setNotification': everyRole,
  // Who else there is, and what they did.
  'people.list': owner,
  'people.invite': owner,
  'people.withdraw': owner,
  'people.setRole': owner,
  'people.remove': owner,
  'security.activity': ['owner', 'finance', 'developer'],
  'export/activity.csv': ['owner', 'finance', 'developer'],
  // What was paid, and what there is.
  'overview.get': everyRole,
  'live.transactions': everyRole,
  'notices.list': everyRole,
  'notices.read': everyRole,
  'notices.readAll': everyRole,
  'search.find': everyRole,
  'detail.get': everyRole,
  'customers.list': everyRole,
  'customers.get': everyRole,
  'customers.transactions': everyRole,
  'transactions.list': everyRole,
  'transactions.get': everyRole,
  'transactions.status': everyRole,
  'balance.get': everyRole,
  'balance.statement': everyRole,
  'statement.get': everyRole,
  'proof.get': everyRole,
  'terms.get': everyRole,
  'account.get': everyRole,
  'disputeCase.get': everyRole,
  'disputes.list': everyRole,
  'disputes.get': everyRole,
  'account.limits': everyRole,
  'currencies.list': everyRole,
  'currencies.quote': everyRole,
  'download/dispute': everyRole,
  'export/proof.json': everyRole,
  'export/statement.csv': everyRole,
  'export/statement.ofx': everyRole,
  'export/transactions.csv': everyRole,
  // Money in.
  'charges.create': payers,
  'deposits.crypto': payers,
  'transactions.cancel': payers,
  'firstSteps.get': payers,
  // Money out.
  'withdrawals.pix': money,
  'withdrawals.cancelPix': money,
  'withdrawals.crypto': money,
  'approvals.approve': money,
  'approvals.decline': money,
  'batches.list': money,
  'batches.get': money,
  'batches.preview': money,
  'batches.make': money,
  'batches.approve': money,
  'batches.decline': money,
  'payees.list': money,
  'addressBook.addPixKey': money,
  'addressBook.addWallet': money,
  'addressBook.remove': money,
  'addressBook.endWait': money,
  'thresholds.get': money,
  'thresholds.set': owner,
  'thresholds.approve': owner,
  'withdrawalPreview.get': money,
  'withdrawalPreview.lastReceiver': money,
  // Everything about a person, with their numbers in the clear.
  'customers.export': money,
  'customers.erasure': owner,
  'customers.erase': owner,
  'transactions.refund': money,
  'disputes.answer': money,
  'disputeCase.removeFile': money,
  'upload/dispute': money,
  'preferences.setCurrency': money,
  // What is in no charge and in no balance until it is decided.
  'unmatched.inbox': money,
  'unmatched.assignable': money,
  'unmatched.preview': money,
  'unmatched.assign': money,
  'unmatched.deposit': money,
  'unmatched.returnToPayer': money,
  'unmatched.charge': money,
  // What the PSP has beside what was booked here; there is some only with own credentials.
  'reconciliation.list': money,
  'reconciliation.get': money,
  'export/reconciliation.csv': money,
  'export/reconciliation-items.csv': money,
  // The merchant's systems.
  'keys.list': integration,
  'keys.create': integration,
  'keys.rotate': integration,
  'keys.revoke': integration,
  'webhooks.overview': integration,
  'webhooks.setEndpoint': integration,
  'webhooks.removeEndpoint': integration,
  'webhooks.enableEndpoint': integration,
  'webhooks.setTestReceiver': integration,
  'webhooks.received': integration,
  'webhooks.revealSecret': integration,
  'webhooks.rotateSecret': integration,
  'webhooks.endSecretOverlap': integration,
  'webhooks.sendTest': integration,
  'endpoints.list': integration,
  'endpoints.get': integration,
  'endpoints.create': integration,
  'endpoints.change': integration,
  'endpoints.remove': integration,
  'endpoints.rotateSecret': integration,
  'endpoints.test': integration,
  'requests.list': integration,
  'requests.get': integration,
  // The provider credentials that the money moves over.
  'providers.get': integration,
  'providers.check': integration,
  'providers.connect': owner,
  'providers.disconnect': owner,
  // What was sent to their systems about a payment, which support may send again.
  'webhooks.deliveries': payers,
  'webhooks.delivery': everyRole,
  'webhooks.resend': payers,
  'webhooks.resendFailed': integration,
  'events.list': payers,
  'events.get': payers,
  'events.resend': payers,
  'events.sendHeld': integration,
  'events.replay': integration,
  'testClock.get': everyRole,
  'testClock.advance': integration,
  // The business itself.
  'account.create': owner,
  'kyc.get': owner,
  'kyc.submit': owner,
  'kyc.removeDocument': owner,
  'upload/kyc': owner,
  'download/kyc': owner,
  // Play money.
  'sandbox.state': everyRole,
  'sandbox.subjects': everyRole,
  'sandbox.subject': everyRole,
  'sandbox.command': payers,
  'sandbox.setSwitch': payers,
};

/** Whether a role may call a procedure of the panel, or have a file of it. */
export function mayCall(role: Role, name: string): boolean {
  const roles = rolesOf(name);
  return roles !== undefined && roles !== 'public' && roles.includes(role);
}

/** Whether a procedure serves a member with a role: it is theirs, or asks for no session. */
export const isOpenTo = (role: Role, name: string): boolean => rolesOf(name) === 'public' || mayCall(role, name);

const rolesOf = (name: string) => (Object.hasOwn(ROLE_ACCESS, name) ? ROLE_ACCESS[name] : undefined);

/** Everything that a role may call or have, by name. */
export const allowedTo = (role: Role): string[] => Object.keys(ROLE_ACCESS).filter((name) => mayCall(role, name));

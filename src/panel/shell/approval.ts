import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import type { ShownRepeat } from '#panel/transactions/use-repeat-text.ts';
import { formatPixKey } from '#panel/withdraw/draft.ts';

/**
 * What waits for a second factor: a procedure or a path of the sign-in, its input, and what
 * `withApproved` adds.
 */
export type ApprovalRequest = { path: string; input?: unknown; context?: Record<string, unknown> };

/**
 * The amount, in reais, the receiver and the repetition, where the input of a procedure does not
 * name them.
 */
export type Approved = { reais: number; subject?: string | null; repeat?: ShownRepeat | null };

/** Options of a mutation whose confirmation names what the page shows. */
export const withApproved = (approved: Approved) => ({ trpc: { context: { approved } } });

/** The action that a member approves, in the panel's words. */
export type Approval = {
  action: (typeof ACTIONS)[keyof typeof ACTIONS] | null;
  /** In reais; `null` where no money moves. */
  reais: number | null;
  /** Who receives it, or what it is about: a PIX key, a wallet, an address, a name. */
  subject: string | null;
  /** How often it is sent; missing where it is sent once. */
  repeat?: ShownRepeat;
};

const ACTIONS = {
  'withdrawals.pix': 'sendPix',
  'withdrawals.pix scheduled': 'schedulePix',
  'withdrawals.crypto': 'sendCrypto',
  'approvals.approve': 'approveWithdrawal',
  'batches.make': 'sendBatch',
  'batches.approve': 'approveBatch',
  'transactions.refund': 'refund',
  'unmatched.returnToPayer': 'returnPayment',
  'disputes.answer': 'agreeDispute',
  'thresholds.set': 'setThreshold',
  'thresholds.approve': 'approveThreshold',
  'thresholds.set payees': 'setPayeesThreshold',
  'thresholds.approve payees': 'approvePayeesThreshold',
  'addressBook.addPixKey': 'addPayee',
  'addressBook.addWallet': 'addPayee',
  'customers.export': 'exportCustomer',
  'customers.erase': 'eraseCustomer',
  'account.create': 'openAccount',
  'keys.create': 'createKey',
  'keys.rotate': 'rotateKey',
  'people.invite': 'invite',
  'people.setRole': 'setRole',
  'people.remove': 'removePerson',
  'webhooks.setEndpoint': 'setEndpoint',
  'webhooks.removeEndpoint': 'removeEndpoint',
  'webhooks.enableEndpoint': 'enableEndpoint',
  'endpoints.create': 'setEndpoint',
  'endpoints.change': 'changeEndpoint',
  'endpoints.remove': 'removeEndpoint',
  'endpoints.rotateSecret': 'rotateSecret',
  'webhooks.revealSecret': 'revealSecret',
  'webhooks.rotateSecret': 'rotateSecret',
  'webhooks.endSecretOverlap': 'endSecretOverlap',
  'providers.connect': 'connectProvider',
  'providers.disconnect': 'disconnectProvider',
  '/change-password': 'changePassword',
  '/two-factor/enable': 'addAuthenticator',
  '/two-factor/disable': 'removeAuthenticator',
  '/two-factor/generate-backup-codes': 'makeRecoveryCodes',
  '/passkey/generate-register-options': 'addPasskey',
  '/passkey/verify-registration': 'addPasskey',
  '/passkey/delete-passkey': 'removePasskey',
} as const;

/**
 * Returns the action, the amount and the receiver to show. Never throws: what is not known is left
 * out, and the question is asked all the same.
 */
export function approvalOf({ path, input, context }: ApprovalRequest): Approval {
  const given = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : null);
  const pixKey = text('pixKey');
  const ofKind = `${path} ${text('kind') ?? (text('scheduledFor') && 'scheduled')}`;
  const approved = context?.approved as Approved | undefined;
  const repeat = approved?.repeat ?? (given.repeat as ShownRepeat | null | undefined);
  return {
    action: ACTIONS[ofKind as keyof typeof ACTIONS] ?? ACTIONS[path as keyof typeof ACTIONS] ?? null,
    reais: approved?.reais ?? (typeof given.amount === 'number' ? given.amount : null),
    subject:
      pixKey === null
        ? (approved?.subject ?? text('wallet') ?? text('url') ?? text('email') ?? text('name'))
        : formatPixKey(pixKey, text('pixKeyType') as PixKeyType),
    ...(repeat && { repeat }),
  };
}

import type { WithdrawalStatus } from '../transactions/transaction-states.ts';
import type { WithdrawalSubStatus } from './approvals.ts';

/**
 * The states of a withdrawal that an assistant asked for, in terms that the assistant understands.
 * `unknown`: it may have been sent or not; it must not be asked for again before that is known.
 */
export const ASKED_STATES = ['waiting_for_confirmation', 'processing', 'unknown', 'paid', 'failed'] as const;
export type AskedState = (typeof ASKED_STATES)[number];

type Withdrawal = {
  status: WithdrawalStatus;
  subStatus: WithdrawalSubStatus | null;
  payoutStep: 'sending' | 'unknown' | 'sent' | null;
};

/** Returns the state of a withdrawal that an assistant asked for. */
export function askedState({ status, subStatus, payoutStep }: Withdrawal): AskedState {
  if (status === 'paid' || status === 'completed') return 'paid';
  if (status === 'failed' || status === 'cancelled') return 'failed';
  // The provider has contradicted itself.
  if (status === 'review') return 'unknown';
  if (subStatus !== null) return 'waiting_for_confirmation';
  return payoutStep === 'unknown' ? 'unknown' : 'processing';
}

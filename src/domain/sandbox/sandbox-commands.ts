import type { TransactionStatus, TransactionType } from '../transactions/transaction-states.ts';

/**
 * Commands to the sandbox about a transaction, from outside:
 * - `pay`: in full, or what is left of it; `pay_other`: another amount than the charge's;
 *   `pay_part`: a share of a crypto invoice; `pay_unconfirmed`: seen by the network, not confirmed;
 *   `pay_again`: although it is paid; `pay_late`: although it has expired
 * - `confirm`: the network confirms what it has seen
 * - `expire`: its time runs out now; `remove`: the PSP takes the charge away
 */
export const SANDBOX_COMMANDS = [
  'pay',
  'pay_other',
  'pay_part',
  'pay_unconfirmed',
  'confirm',
  'pay_again',
  'pay_late',
  'expire',
  'remove',
] as const;
export type SandboxCommand = (typeof SANDBOX_COMMANDS)[number];

/** In percent of what is asked for. The sandbox takes ten times as much; no test needs it. */
export const SHARE_PERCENT_MAX = 1_000;

type SandboxSubjectState = {
  type: TransactionType;
  status: TransactionStatus;
  subStatus: string | null;
  confirmations: number;
};

/** The names of the sandbox’s rails begin with this, and no other rail’s name does. */
const SANDBOX_RAIL = /^sandbox(-|$)/;
export const isSandboxRail = (rail: string): boolean => SANDBOX_RAIL.test(rail);

/**
 * The commands that make sense for a transaction in its current state, the likeliest first.
 * Withdrawals end by themselves.
 */
export function sandboxCommands({ type, status, subStatus, confirmations }: SandboxSubjectState): SandboxCommand[] {
  if (type === 'pix_in') {
    if (status === 'pending') return ['pay', 'pay_other', 'expire', 'remove'];
    if (status === 'paid' || status === 'refunded') return ['pay_again'];
    return status === 'expired' ? ['pay_late'] : [];
  }
  if (type !== 'crypto_in') return [];
  if (status === 'pending') {
    // Enough is on its way already: the network has the next word.
    if (subStatus === 'detected' && confirmations === 0) return ['confirm'];
    const paying: SandboxCommand[] = ['pay', 'pay_part', 'pay_unconfirmed', 'expire'];
    // Confirmed, and within the account's tolerance below what the processor waits for. Or the last
    // part alone is confirmed.
    if (subStatus === 'detected') return [...paying, 'confirm'];
    return subStatus === 'partial' && confirmations === 0 ? ['confirm', ...paying] : paying;
  }
  if (status === 'completed') return ['pay_again'];
  return status === 'expired' ? ['pay_late'] : [];
}

import type { PaymentPageStatus } from '#contract/charges/payment-page.ts';
import type { IconName } from '#panel/shell/icons.tsx';
import type { Tone } from '#panel/shell/status-badge.tsx';

/** How a charge that was just made looks to its merchant, and whether its code is still of use. */
export const lookOf = (status: PaymentPageStatus): { tone: Tone; icon: IconName; payable: boolean } => LOOKS[status];

const LOOKS: Record<PaymentPageStatus, { tone: Tone; icon: IconName; payable: boolean }> = {
  pending: { tone: 'wait', icon: 'clock', payable: true },
  detected: { tone: 'wait', icon: 'clock', payable: false },
  paid: { tone: 'ok', icon: 'check', payable: false },
  underpaid: { tone: 'warn', icon: 'warning', payable: false },
  overpaid: { tone: 'ok', icon: 'check', payable: false },
  expired: { tone: 'neutral', icon: 'clock', payable: false },
  cancelled: { tone: 'neutral', icon: 'cross', payable: false },
  failed: { tone: 'bad', icon: 'cross', payable: false },
  review: { tone: 'warn', icon: 'warning', payable: false },
};

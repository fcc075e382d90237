import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { PaymentPageStatus } from '#contract/charges/payment-status.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';
import type { IconShape } from '../shell/icon.tsx';

/** How a charge that was just made looks to its merchant, and whether its code is still of use. */
export const chargeStyle = (status: PaymentPageStatus): { tone: Tone; icon: IconShape; payable: boolean } =>
  LOOKS[status];

const LOOKS: Record<PaymentPageStatus, { tone: Tone; icon: IconShape; payable: boolean }> = {
  pending: { tone: 'wait', icon: IconClock, payable: true },
  detected: { tone: 'wait', icon: IconClock, payable: false },
  paid: { tone: 'ok', icon: IconCheck, payable: false },
  underpaid: { tone: 'warn', icon: IconAlertTriangle, payable: false },
  overpaid: { tone: 'ok', icon: IconCheck, payable: false },
  expired: { tone: 'neutral', icon: IconClock, payable: false },
  cancelled: { tone: 'neutral', icon: IconX, payable: false },
  failed: { tone: 'bad', icon: IconX, payable: false },
  review: { tone: 'warn', icon: IconAlertTriangle, payable: false },
};

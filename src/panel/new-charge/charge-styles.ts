import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { PaymentPageStatus } from '#contract/charges/payment-status.ts';
import type { Tone } from '#panel/shell/status-badge.tsx';
import type { IconShape } from '../shell/icon.tsx';

/** The tone and icon of a new charge's status, for its merchant. */
export const CHARGE_STYLES: Record<PaymentPageStatus, { tone: Tone; icon: IconShape }> = {
  pending: { tone: 'wait', icon: IconClock },
  detected: { tone: 'wait', icon: IconClock },
  paid: { tone: 'ok', icon: IconCheck },
  underpaid: { tone: 'warn', icon: IconAlertTriangle },
  overpaid: { tone: 'ok', icon: IconCheck },
  expired: { tone: 'neutral', icon: IconClock },
  cancelled: { tone: 'neutral', icon: IconX },
  failed: { tone: 'bad', icon: IconX },
  review: { tone: 'warn', icon: IconAlertTriangle },
};

import { useEffect, useState } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';

/** Browsers keep no timer longer than 2^31 ms: an end that is weeks away nobody waits for. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Whether a charge's time is up by the server's clock: nobody says so when the moment comes.
 * `receivedAt` is this device's time, in milliseconds, when `charge` arrived.
 */
export function useTimeIsUp(charge: PaymentPageData | undefined, receivedAt: number): boolean {
  const { expires_at: expiresAt = null, server_time: serverTime = '' } = charge ?? {};
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.parse(serverTime);
  const [endedAt, setEndedAt] = useState<string | null>(null);
  useEffect(() => {
    const waitMs = receivedAt + leftMs - Date.now();
    if (waitMs > TIMER_MAX_MS) return;
    const timer = setTimeout(() => setEndedAt(expiresAt), Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [receivedAt, leftMs, expiresAt]);
  return leftMs <= 0 || (expiresAt !== null && endedAt === expiresAt);
}

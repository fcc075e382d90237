import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { useFormats } from '#panel/use-formats.ts';
import { clockOffset, timeLeft } from './payment-clock.ts';
import classes from './payment-page.module.css';

/** Four ticks a second, so that no second is shown late enough to be noticed. */
const TICK_MS = 250;
/** Browsers keep no timer longer than 2^31 ms: an end that is weeks away is not waited for. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Counts down by the server's clock. `receivedAt` is this device's time, in milliseconds, when
 * `serverTime` arrived.
 */
export function Countdown(props: { expiresAt: string; serverTime: string; receivedAt: number }) {
  const t = useTranslations('pay');
  const formats = useFormats();
  const now = useServerNow(Date.parse(props.serverTime), props.receivedAt);
  const left = timeLeft(Date.parse(props.expiresAt) - now);
  if (left.kind === 'over') return <p className={classes.countdown}>{t('timeIsUp')}</p>;
  const date = formats.instant(props.expiresAt);
  const time = left.kind === 'clock' ? left.text : date;
  return (
    <p className={classes.countdown} role="timer" data-urgent={left.kind === 'clock' && left.urgent}>
      <span data-needs-script>{t('expiresIn', { time })}</span>
      <noscript>
        <span>{t('expiresIn', { time: t('brasiliaTime', { time: date }) })}</span>
      </noscript>
    </p>
  );
}

/**
 * The server's time in milliseconds. The first value is the answer's own, on the server and in the
 * browser alike, because the clocks of both differ.
 */
function useServerNow(serverTimeMs: number, receivedAtMs: number): number {
  const [offset, setOffset] = useState<number | null>(null);
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => setOffset((known) => clockOffset(known, serverTimeMs, receivedAtMs)), [serverTimeMs, receivedAtMs]);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now === null || offset === null ? serverTimeMs : now + offset;
}

/**
 * Whether a charge's time is up by the server's clock, which sends nothing when the moment comes.
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

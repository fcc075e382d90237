import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { useFormats } from '#panel/use-formats.ts';
import { clockOffset } from './clock-offset.ts';
import classes from './payment-page.module.css';
import { timeLeft } from './time-left.ts';

/** Four looks a second, so that no second is shown late enough to be noticed. */
const TICK_MS = 250;

/**
 * Counts down by the server's clock. `receivedAt` is this device's time when `serverTime` arrived.
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
    <p
      className={classes.countdown}
      role="timer"
      data-date={left.kind === 'date'}
      data-urgent={left.kind === 'clock' && left.urgent}
    >
      <span data-needs-script>{t('expiresIn', { time })}</span>
      <noscript>
        <span>{t('expiresIn', { time: t('brasiliaTime', { time: date }) })}</span>
      </noscript>
    </p>
  );
}

/**
 * The server's time. The first one is what the answer says, on the server and in the browser alike:
 * the clocks of both differ.
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

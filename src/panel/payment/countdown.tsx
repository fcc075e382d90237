'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { formatInstant } from '#panel/format.ts';
import classes from './payment-page.module.css';
import { clockOffset } from './server-clock.ts';
import { timeLeft } from './time-left.ts';

/** Four looks a second, so that no second is shown late enough to be noticed. */
const TICK_MS = 250;

/** Counts down by the server's clock. `receivedAt` is this device's time when `serverTime` arrived. */
export function Countdown(props: { expiresAt: string; serverTime: string; receivedAt: number }) {
  const t = useTranslations('pay');
  const language = useLocale();
  const now = useServerNow(Date.parse(props.serverTime), props.receivedAt);
  const left = timeLeft(Date.parse(props.expiresAt) - now);
  if (left.kind === 'over') return <p className={classes.countdown}>{t('timeIsUp')}</p>;
  const time = left.kind === 'clock' ? left.text : formatInstant(props.expiresAt, language);
  return (
    <p
      className={classes.countdown}
      role="timer"
      data-date={left.kind === 'date'}
      data-urgent={left.kind === 'clock' && left.urgent}
    >
      {t('expiresIn', { time })}
    </p>
  );
}

function useServerNow(serverTimeMs: number, receivedAtMs: number): number {
  const [offset, setOffset] = useState(() => clockOffset(null, serverTimeMs, receivedAtMs));
  const [now, setNow] = useState(Date.now);
  useEffect(() => setOffset((known) => clockOffset(known, serverTimeMs, receivedAtMs)), [serverTimeMs, receivedAtMs]);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now + offset;
}

import { useTranslations } from 'next-intl';
import classes from './crypto-payment.module.css';

/** How far the network is. Without a number that it needs there is nothing to measure against. */
export function Confirmations({ seen, needed }: { seen: number; needed: number | null }) {
  const t = useTranslations('pay.crypto');
  const label = t('confirmations');
  return (
    <div className={classes.confirmations}>
      <p className={classes.confirmationsText}>
        {label} <strong>{needed === null ? seen : t('seenOfNeeded', { seen: Math.min(seen, needed), needed })}</strong>
      </p>
      {needed !== null && <progress aria-label={label} value={Math.min(seen, needed)} max={Math.max(needed, 1)} />}
    </div>
  );
}

import { useTranslations } from 'next-intl';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { useFormats } from '#panel/use-formats.ts';
import type { StateName } from './charge-states.ts';
import { networkName } from './network-name.ts';
import classes from './payment-page.module.css';

/**
 * Data to quote when asking about a charge that is closed, or that only the network has to finish.
 */
export function ChargeDetails({ charge, state }: { charge: PaymentPageData; state: StateName | null }) {
  const t = useTranslations('pay');
  const formats = useFormats();
  const { crypto } = charge;
  const inBrasilia = (instant: string) => t('brasiliaTime', { time: formats.instant(instant) });
  const arrived = state === 'paid' || state === 'underpaid' || state === 'overpaid';
  const expired = state === 'expired' || state === 'cryptoExpired';
  const rows = [
    crypto && Number(crypto.received) > 0 && [t('crypto.received'), formats.coins(crypto.received, crypto.asset)],
    crypto && [t('crypto.network'), networkName(crypto.network)],
    arrived && charge.paid_at && [t('paidAt'), inBrasilia(charge.paid_at)],
    expired && charge.expires_at && [t('expiredAt'), inBrasilia(charge.expires_at)],
  ].filter((row) => Array.isArray(row));
  return (
    <dl className={classes.details}>
      {rows.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>{t('transactionId')}</dt>
        <dd className={classes.transactionId}>{charge.transaction_id}</dd>
      </div>
    </dl>
  );
}

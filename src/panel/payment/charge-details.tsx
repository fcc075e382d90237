import { useLocale, useTranslations } from 'next-intl';
import type { PaymentPageData } from '#contract/payment-page.ts';
import { formatInstant } from '#panel/format.ts';
import classes from './payment-page.module.css';

/** What to quote when asking about a charge that is over. */
export function ChargeDetails({ charge }: { charge: PaymentPageData }) {
  const t = useTranslations('pay');
  const language = useLocale();
  const inBrasilia = (instant: string) => t('brasiliaTime', { time: formatInstant(instant, language) });
  return (
    <dl className={classes.details}>
      {charge.status === 'paid' && charge.paid_at && (
        <div>
          <dt>{t('paidAt')}</dt>
          <dd>{inBrasilia(charge.paid_at)}</dd>
        </div>
      )}
      {charge.status === 'expired' && charge.expires_at && (
        <div>
          <dt>{t('expiredAt')}</dt>
          <dd>{inBrasilia(charge.expires_at)}</dd>
        </div>
      )}
      <div>
        <dt>{t('transactionId')}</dt>
        <dd className={classes.transactionId}>{charge.transaction_id}</dd>
      </div>
    </dl>
  );
}

import { useTranslations } from 'next-intl';
import type { CryptoPaymentData } from '#contract/charges/payment-status.ts';
import { useFormats } from '#panel/use-formats.ts';
import { networkName } from './network-name.ts';
import classes from './payment-page.module.css';

/**
 * The steps of paying by PIX, for somebody who has never done it, or of sending coins. The last
 * hint about coins is about exchanges, which take their fee out of what is sent.
 */
export function PaymentSteps({ crypto = null }: { crypto?: CryptoPaymentData | null }) {
  const t = useTranslations('pay');
  const formats = useFormats();
  const steps = crypto
    ? [
        t('crypto.steps.open'),
        t('crypto.steps.choose', { asset: crypto.asset, network: networkName(crypto.network) }),
        t(crypto.memo === null ? 'crypto.steps.paste' : 'crypto.steps.pasteMemo'),
        t('crypto.steps.send', { amount: formats.coins(crypto.missing, crypto.asset) }),
      ]
    : [t('steps.open'), t('steps.choose'), t('steps.confirm')];
  return (
    <section className={classes.steps}>
      <h2 className={classes.stepsTitle}>{t('howTo')}</h2>
      <ol className={classes.stepList}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className={classes.stayHint} {...(!crypto && { 'data-needs-script': true })}>
        {t(crypto ? 'crypto.stayHint' : 'stayHint')}
      </p>
    </section>
  );
}

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CryptoPaymentData } from '#contract/charges/payment-status.ts';
import { useFormats } from '#panel/use-formats.ts';
import { networkName } from './network-name.ts';
import classes from './payment-page.module.css';

/** How to pay by PIX, for the first time in one's life. */
export function PixSteps() {
  const t = useTranslations('pay');
  const steps = [t('steps.open'), t('steps.choose'), t('steps.confirm')];
  return (
    <Steps steps={steps}>
      <p className={classes.stayHint} data-needs-script>
        {t('stayHint')}
      </p>
    </Steps>
  );
}

/**
 * How to send coins. The last hint is about exchanges, which take their fee out of what is sent.
 */
export function CryptoSteps({ crypto }: { crypto: CryptoPaymentData }) {
  const t = useTranslations('pay.crypto');
  const formats = useFormats();
  const { asset, network, received, amount, missing } = crypto;
  const toSend = formats.coins(Number(received) > 0 ? missing : amount, asset);
  const steps = [
    t('steps.open'),
    t('steps.choose', { asset, network: networkName(network) }),
    crypto.memo === null ? t('steps.paste') : t('steps.pasteMemo'),
    t('steps.send', { amount: toSend }),
  ];
  return (
    <Steps steps={steps}>
      <p className={classes.stayHint}>{t('stayHint')}</p>
    </Steps>
  );
}

function Steps({ steps, children }: { steps: string[]; children: ReactNode }) {
  const t = useTranslations('pay');
  return (
    <section className={classes.steps}>
      <h2 className={classes.stepsTitle}>{t('howTo')}</h2>
      <ol className={classes.stepList}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {children}
    </section>
  );
}

import { useTranslations } from 'next-intl';
import { type CSSProperties, useState } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { Skeleton } from '#panel/skeleton.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { CryptoAmount } from './crypto-amount.tsx';
import classes from './payment-page.module.css';

/** The characters of a description that fit into its two lines on the narrowest phone. */
const SHORT_LENGTH = 75;

/** Who is paid, how much, and what for. */
export function ChargeSummary({ charge, payable }: { charge: PaymentPageData | undefined; payable: boolean }) {
  const t = useTranslations('pay');
  const formats = useFormats();
  if (!charge) {
    return (
      <section className={classes.summary}>
        <h1 className="visually-hidden">{t('title')}</h1>
        <div className={classes.merchant} aria-hidden="true">
          <Skeleton className={classes.monogram} />
          <Skeleton width={120} height={16} />
        </div>
        <Skeleton className={classes.amountSkeleton} />
        <Skeleton className={classes.descriptionSkeleton} />
      </section>
    );
  }
  const reais = formats.reais(charge.amount);
  return (
    <section className={classes.summary}>
      <h1 className={classes.merchant}>
        <span className={classes.monogram} aria-hidden="true">
          {[...charge.merchant_name.trim()][0]?.toUpperCase()}
        </span>
        <span className={classes.merchantName}>{charge.merchant_name}</span>
      </h1>
      {charge.crypto ? (
        <CryptoAmount crypto={charge.crypto} reais={charge.amount} payable={payable} />
      ) : (
        <p className={classes.amount} style={{ '--characters': reais.length } as CSSProperties}>
          <span className="visually-hidden">{t('amount')}: </span>
          {reais}
        </p>
      )}
      {charge.description && <Description text={charge.description} />}
    </section>
  );
}

/** A long one is cut, so that the code stays in sight, and shown whole on demand. */
function Description({ text }: { text: string }) {
  const t = useTranslations('pay');
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <p className={classes.description} data-whole={isWhole}>
        {text}
      </p>
      {text.length > SHORT_LENGTH && (
        <button
          type="button"
          data-needs-script
          className={classes.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {t(isWhole ? 'lessText' : 'wholeText')}
        </button>
      )}
    </>
  );
}

import { useTranslations } from 'next-intl';
import { type CSSProperties, useRef } from 'react';
import type { CryptoPaymentData } from '#contract/charges/payment-status.ts';
import { useFormats } from '#panel/use-formats.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './crypto-payment.module.css';
import pageClasses from './payment-page.module.css';

type Props = { crypto: CryptoPaymentData; reais: number; payable: boolean };

/** How many coins to send, and their value in BRL. Once a part has come it is the rest. */
export function CryptoAmount({ crypto, reais, payable }: Props) {
  const t = useTranslations('pay');
  const formats = useFormats();
  const shown = useRef<HTMLElement>(null);
  const { amount, asset, missing, received } = crypto;
  const partial = payable && Number(received) > 0;
  const toSend = partial ? missing : amount;
  const digits = formats.quantity(toSend);
  const inReais = formats.reais(reais);
  return (
    <>
      {partial && <p className={classes.amountLabel}>{t('crypto.stillToSend')}</p>}
      <p className={pageClasses.amount} style={{ '--characters': digits.length + asset.length / 2 } as CSSProperties}>
        {!partial && <span className="visually-hidden">{t('amount')}: </span>}
        <span ref={shown}>
          {digits}
          {'\u00a0'}
          <span className={classes.asset}>{asset}</span>
        </span>
      </p>
      <div className={classes.reais}>
        <p className={classes.reaisText}>
          {partial ? t('crypto.ofTotal', { amount: formats.coins(amount, asset), reais: inReais }) : inReais}
        </p>
        {payable && crypto.wallet !== null && (
          <CopyButton
            quiet
            text={toSend}
            shown={shown}
            label={t('crypto.copyAmount')}
            announcements={{ copied: t('crypto.amountCopied'), selected: t('crypto.selected') }}
          />
        )}
      </div>
    </>
  );
}

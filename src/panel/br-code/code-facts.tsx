'use client';

import { useTranslations } from 'next-intl';
import type { BrCodeReading } from '#domain/charges/read-br-code.ts';
import { fromDecimal, toBrl } from '#domain/values/money.ts';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';
import { Amount } from '#panel/money/amount.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Fact } from '#panel/shell/fact.tsx';
import list from '#panel/shell/facts.module.css';
import classes from './br-code-page.module.css';

/** What the code says, in the words of whoever pays it. */
export function CodeFacts({ reading }: { reading: BrCodeReading }) {
  const t = useTranslations('panel.brCode');
  const { kind, key, location, txid, amount, merchantName, merchantCity, message, oneUse, crc } = reading;
  const isPix = kind !== 'unknown';
  return (
    <dl className={`${list.facts} ${list.folds} ${classes.facts}`}>
      <Fact name={t('kindLabel')}>{t(`kinds.${kind}`)}</Fact>
      {(isPix || amount !== null) && (
        <Fact name={t('amount')}>{amount === null ? t('noAmount') : <AmountOf text={amount} />}</Fact>
      )}
      {merchantName !== null && <Fact name={t('merchant')}>{merchantName}</Fact>}
      {merchantCity !== null && <Fact name={t('city')}>{merchantCity}</Fact>}
      {key !== null && (
        <Fact name={t('key')}>
          <CopyText value={key} label={t('key')} />
          <KeyType text={key} />
        </Fact>
      )}
      {location !== null && (
        <Fact name={t('location')}>
          <CopyText value={`https://${location}`} label={t('location')}>
            {location}
          </CopyText>
        </Fact>
      )}
      {isPix && (
        <Fact name={t('txid')}>{txid === null ? t('noTxid') : <CopyText value={txid} label={t('txid')} />}</Fact>
      )}
      {oneUse !== null && <Fact name={t('useLabel')}>{t(oneUse ? 'uses.once' : 'uses.many')}</Fact>}
      {message !== null && <Fact name={t('message')}>{message}</Fact>}
      <Fact name={t('crc')}>
        {crc === null ? t('crcNone') : t(crc.found === crc.computed ? 'crcRight' : 'crcWrong', crc)}
      </Fact>
    </dl>
  );
}

/** As money where it is an amount, else as it stands. */
function AmountOf({ text }: { text: string }) {
  const [reais = '', decimals = ''] = text.split('.');
  const centavos = /^\d{1,10}(\.\d{0,2})?$/.test(text) ? fromDecimal(`${reais}.${decimals.padEnd(2, '0')}`) : null;
  return centavos === null ? text : <Amount reais={toBrl(centavos)} />;
}

/** Eleven digits may be a CPF and a phone number at once: then nothing is said. */
function KeyType({ text }: { text: string }) {
  const t = useTranslations('panel.brCode.keyTypes');
  const [only, other] = recognisePixKey(text);
  return only && !other ? <span className={classes.muted}> · {t(only.type)}</span> : null;
}

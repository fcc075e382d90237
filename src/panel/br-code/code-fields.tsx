import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import type { BrCodeReading } from '#domain/charges/read-br-code.ts';
import { fromDecimal, toBrl } from '#domain/values/money.ts';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';
import { Amount } from '#panel/money/amount.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './br-code-page.module.css';

/** Shows what the code says, in a payer's words. */
export function CodeFields({ reading }: { reading: BrCodeReading }) {
  const t = useTranslations('panel.brCode');
  const { kind, key, location, recurrence, journey, txid, amount, merchantName, merchantCity, message, oneUse, crc } =
    reading;
  const isPix = kind !== 'unknown';
  const copied = (value: string, label: string, shown = value) => (
    <CopyText value={value} label={label}>
      {shown}
    </CopyText>
  );
  return (
    <FieldList
      folds
      className={classes.fields}
      fields={[
        [t('kindLabel'), t(`kinds.${kind}`)],
        journey !== null && [t('journeyLabel'), t(`journeys.${journey}`)],
        ((isPix && kind !== 'automatic') || amount !== null) && [
          t('amount'),
          amount === null ? t('noAmount') : <AmountOf key="a" text={amount} />,
        ],
        [t('merchant'), merchantName],
        [t('city'), merchantCity],
        key !== null && [
          t('key'),
          <Fragment key="key">
            {copied(key, t('key'))}
            <KeyType text={key} />
          </Fragment>,
        ],
        location !== null && [t('location'), copied(`https://${location}`, t('location'), location)],
        recurrence !== null && [t('recurrence'), copied(`https://${recurrence}`, t('recurrence'), recurrence)],
        isPix && [t('txid'), txid === null ? t('noTxid') : copied(txid, t('txid'))],
        oneUse !== null && [t('useLabel'), t(oneUse ? 'uses.once' : 'uses.many')],
        [t('message'), message],
        [t('crc'), crc === null ? t('crcNone') : t(crc.found === crc.computed ? 'crcRight' : 'crcWrong', crc)],
      ]}
    />
  );
}

/** Shows a text as money where it is an amount, else as it is. */
function AmountOf({ text }: { text: string }) {
  const [reais = '', decimals = ''] = text.split('.');
  const centavos = /^\d{1,10}(\.\d{0,2})?$/.test(text) ? fromDecimal(`${reais}.${decimals.padEnd(2, '0')}`) : null;
  return centavos === null ? text : <Amount reais={toBrl(centavos)} />;
}

/** The type of a key; nothing where eleven digits may be a CPF and a phone number at once. */
function KeyType({ text }: { text: string }) {
  const t = useTranslations('panel.brCode.keyTypes');
  const [only, other] = recognisePixKey(text);
  return only && !other ? <Muted span fz={13}>{` · ${t(only.type)}`}</Muted> : null;
}

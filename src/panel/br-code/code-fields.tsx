import { useTranslations } from 'next-intl';
import type { BrCodeReading } from '#domain/charges/read-br-code.ts';
import { fromDecimal, toBrl } from '#domain/values/money.ts';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';
import { Amount } from '#panel/money/amount.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Field } from '#panel/shell/field.tsx';
import list from '#panel/shell/fields.module.css';
import classes from './br-code-page.module.css';

/** What the code says, in the words of whoever pays it. */
export function CodeFields({ reading }: { reading: BrCodeReading }) {
  const t = useTranslations('panel.brCode');
  const { kind, key, location, txid, amount, merchantName, merchantCity, message, oneUse, crc } = reading;
  const isPix = kind !== 'unknown';
  return (
    <dl className={`${list.fields} ${list.folds} ${classes.fields}`}>
      <Field name={t('kindLabel')}>{t(`kinds.${kind}`)}</Field>
      {(isPix || amount !== null) && (
        <Field name={t('amount')}>{amount === null ? t('noAmount') : <AmountOf text={amount} />}</Field>
      )}
      {merchantName !== null && <Field name={t('merchant')}>{merchantName}</Field>}
      {merchantCity !== null && <Field name={t('city')}>{merchantCity}</Field>}
      {key !== null && (
        <Field name={t('key')}>
          <CopyText value={key} label={t('key')} />
          <KeyType text={key} />
        </Field>
      )}
      {location !== null && (
        <Field name={t('location')}>
          <CopyText value={`https://${location}`} label={t('location')}>
            {location}
          </CopyText>
        </Field>
      )}
      {isPix && (
        <Field name={t('txid')}>{txid === null ? t('noTxid') : <CopyText value={txid} label={t('txid')} />}</Field>
      )}
      {oneUse !== null && <Field name={t('useLabel')}>{t(oneUse ? 'uses.once' : 'uses.many')}</Field>}
      {message !== null && <Field name={t('message')}>{message}</Field>}
      <Field name={t('crc')}>
        {crc === null ? t('crcNone') : t(crc.found === crc.computed ? 'crcRight' : 'crcWrong', crc)}
      </Field>
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

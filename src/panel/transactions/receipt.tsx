import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useFeeText } from '../money/use-fee-text.ts';
import { coinsText, shownCoins } from './coins.ts';
import { FieldList } from './field-list.tsx';
import { shownAmount } from './money-of.ts';
import classes from './receipt.module.css';
import { type ReceiptReader, receiptLines } from './receipt-lines.ts';
import { isMoneyOut, statusStyle } from './status-style.ts';

/** The business that gives it; its document as it may be shown. */
export type ReceiptIssuer = { name: string; document: string };

/**
 * What a receipt says to its reader: who, how much, when, and by which numbers it can be found
 * again.
 */
export function Receipt(props: { detail: TransactionDetailView; issuer: ReceiptIssuer; reader: ReceiptReader }) {
  const { detail, issuer, reader } = props;
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const feeText = useFeeText();
  const { me } = usePanel();
  const { transaction, fee, receiver } = detail;
  const {
    type,
    status,
    sub_status: subStatus,
    refunded_amount: refundedAmount,
    currency,
    customer,
    pix,
    crypto,
  } = transaction;
  const out = isMoneyOut(type);
  const coins = shownCoins(transaction);
  const amount = shownAmount(transaction);
  const time = (at: string | null) => at && <time dateTime={at}>{formats.instantExactly(at)}</time>;
  const who: (readonly [string, ReactNode])[] = [
    [t('parties.name'), customer?.name ?? receiver?.name],
    [t('parties.document'), customer?.document ?? receiver?.document],
    [t('parties.pixKey'), pix?.pix_key],
    [t('parties.walletOut'), out ? crypto?.wallet : null],
  ];
  const when: (readonly [string, ReactNode])[] = [
    [t('receipt.created'), time(transaction.created_at)],
    [t('receipt.paid'), time(transaction.paid_at)],
    [t('columns.description'), transaction.description],
    [t('receipt.coins'), currency && coins !== null ? coinsText(coins, currency, formats) : null],
  ];
  const numbers: (readonly [string, ReactNode])[] = [
    [t('detail.id'), transaction.transaction_id],
    [t('parties.endToEndId'), pix?.end_to_end_id],
    [t('parties.txid'), pix && !out ? transaction.transaction_id.replaceAll('-', '') : null],
    [t('parties.hash'), crypto?.tx_hashes[0]],
    [t('parties.externalId'), crypto ? transaction.external_id : null],
  ];
  return (
    <article className={classes.receipt}>
      <header className={classes.head}>
        <div>
          <p className={classes.brand}>Trilho</p>
          <h1 className={classes.title}>{t('receipt.title', { type: t(`types.${type}`) })}</h1>
        </div>
        <div className={classes.sum}>
          <Amount reais={reader === 'merchant' ? amount : Math.abs(amount)} size="xl" />
          <p className={classes.state}>
            {t(`statuses.${statusStyle({ type, status, subStatus, refundedAmount }).word}`)}
          </p>
        </div>
      </header>
      {!me.livemode && <p className={classes.test}>{t('receipt.test')}</p>}
      <section>
        <h2>{t(out ? 'receipt.from' : 'receipt.to')}</h2>
        <FieldList
          fields={[
            [t('parties.name'), issuer.name],
            [t('parties.document'), issuer.document],
          ]}
          none=""
        />
      </section>
      <section>
        <h2>{t(out ? 'parties.receiver' : 'parties.payer')}</h2>
        <FieldList fields={who} none={t('parties.unknown')} />
      </section>
      <section>
        <h2>{t('receipt.about')}</h2>
        <FieldList fields={when} none="" />
      </section>
      <section>
        <h2>{t('detail.money')}</h2>
        <dl className={classes.money}>
          {receiptLines(transaction, reader).map(({ name, reais, total }) => (
            <div key={name} data-total={total ?? false}>
              <dt>
                {t(`money.${name}`)}
                {name === 'fee' && fee && ` (${feeText(fee)})`}
              </dt>
              <dd>
                <Amount reais={reais} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h2>{t('receipt.numbers')}</h2>
        <FieldList fields={numbers} none="" />
      </section>
      <footer className={classes.foot}>
        {t('receipt.foot', { at: formats.instantExactly(new Date().toISOString()) })}
      </footer>
    </article>
  );
}

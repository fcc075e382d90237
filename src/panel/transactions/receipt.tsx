import { IconClock } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useFeeText } from '../money/use-fee-text.ts';
import { chargeTxid } from './id-at-psp.ts';
import type { Issuer } from './issuer-of.ts';
import { shownAmount, shownCoins } from './money-of.ts';
import classes from './receipt.module.css';
import { type ReceiptReader, receiptLines } from './receipt-lines.ts';
import { shownType } from './shown-type.ts';
import { isMoneyOut, statusStyle } from './status-style.ts';
import { Sum } from './sum.tsx';

/** A receipt: who, how much, when, and the numbers by which the payment can be found again. */
export function Receipt(props: { detail: TransactionDetailView; issuer: Issuer; reader: ReceiptReader }) {
  const { detail, issuer, reader } = props;
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const feeText = useFeeText();
  const { me } = usePanel();
  const now = useAccountTime();
  const { transaction, fee, receiver } = detail;
  const { type, customer, pix, crypto } = transaction;
  const out = isMoneyOut(type);
  const isScheduled = transaction.sub_status === 'scheduled';
  const amount = shownAmount(transaction);
  const time = (at: string | null) => at && <time dateTime={at}>{formats.instantExactly(at)}</time>;
  const fields = (list: readonly (readonly [string, ReactNode])[], none?: string) => (
    <FieldList fields={list} {...(none && { none })} width={160} folds />
  );
  const parts = [
    {
      title: t(out ? 'receipt.from' : 'receipt.to'),
      content: fields([
        [t('parties.name'), issuer.name],
        [t('parties.document'), issuer.document],
      ]),
    },
    {
      title: t(out ? 'parties.receiver' : 'parties.payer'),
      content: fields(
        [
          [t('parties.name'), customer?.name ?? receiver?.name],
          [t('parties.document'), customer?.document ?? receiver?.document],
          [t('parties.pixKey'), pix?.pix_key],
          [t('parties.walletOut'), out && crypto?.wallet],
        ],
        t('parties.unknown'),
      ),
    },
    {
      title: t('receipt.about'),
      content: fields([
        [t('receipt.created'), time(transaction.created_at)],
        [t('receipt.paid'), time(transaction.paid_at)],
        [t('receipt.scheduledFor'), time(transaction.scheduled_for)],
        [t('columns.description'), transaction.description],
        [t('merchantData.reference'), transaction.reference],
        [t('receipt.coins'), shownCoins(transaction, formats)],
      ]),
    },
    {
      title: t('detail.money'),
      content: (
        <Sum
          lines={receiptLines(detail, reader).map(({ name, reais, total }) => ({
            text: t(`money.${name}`) + (name === 'fee' && fee ? ` (${feeText(fee)})` : ''),
            reais,
            isTotal: total,
          }))}
        />
      ),
    },
    {
      title: t('receipt.numbers'),
      content: fields([
        [t('detail.id'), transaction.transaction_id],
        [t('parties.endToEndId'), pix?.end_to_end_id],
        [t('parties.txid'), chargeTxid(transaction)],
        [t('parties.hash'), crypto?.tx_hashes[0]],
        [t('parties.externalId'), crypto && transaction.external_id],
      ]),
    },
  ];
  return (
    <article className={classes.receipt}>
      <header className={classes.head}>
        <div>
          <p className={classes.brand}>Trilho</p>
          <h1 className={classes.title}>
            {isScheduled ? t('receipt.scheduled') : t('receipt.title', { type: t(`types.${shownType(transaction)}`) })}
          </h1>
        </div>
        <div className={classes.sum}>
          <Amount reais={reader === 'merchant' ? amount : Math.abs(amount)} size="xl" />
          <p className={classes.state}>
            {/* A scheduled payment must not look as if it had been sent. */}
            {isScheduled && <Icon of={IconClock} size={16} />} {t(`statuses.${statusStyle(transaction).word}`)}
          </p>
        </div>
      </header>
      {!me.livemode && <p className={classes.test}>{t('receipt.test')}</p>}
      {isScheduled && <p>{t('receipt.notSent')}</p>}
      {parts.map(({ title, content }) => (
        <section key={title}>
          <h2>{title}</h2>
          {content}
        </section>
      ))}
      {/* The time at which the server made it: the browser takes over in another second. */}
      <footer className={classes.foot} suppressHydrationWarning>
        {t('receipt.foot', { at: formats.instantExactly(now()) })}
      </footer>
    </article>
  );
}

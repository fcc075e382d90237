import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import { Amount } from '#panel/money/amount.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { chargeTxid } from '#panel/transactions/id-at-psp.ts';
import type { Issuer } from '#panel/transactions/issuer-of.ts';
import classes from '#panel/transactions/receipt.module.css';
import { receiptLines } from '#panel/transactions/receipt-lines.ts';
import { Sum } from '#panel/transactions/sum.tsx';
import { useMomentName } from '#panel/transactions/use-moment-name.ts';
import { useFormats } from '#panel/use-formats.ts';
import { disputeMoments } from './case-timeline.tsx';
import { PackProof } from './pack-proof.tsx';
import { useDisputeText } from './use-dispute-text.ts';

type Props = { found: DisputeCaseView; issuer: Issuer };

/**
 * What the service knows of a contested payment, collected for whoever decides: the charge, its
 * payer, what happened when, who was notified of it, the answer, and the ledger's proof.
 */
export function EvidencePack({ found, issuer }: Props) {
  const t = useTranslations('panel.disputes');
  const pack = useTranslations('panel.disputes.pack');
  const parties = useTranslations('panel.transactions.parties');
  const money = useTranslations('panel.transactions.money');
  const formats = useFormats();
  const { me } = usePanel();
  const now = useAccountTime();
  const { label } = useDisputeText()(found.dispute);
  const { dispute, payment, files } = found;
  const { transaction } = payment;
  const { customer, pix } = transaction;
  const nameOf = useMomentName(transaction.type);
  const time = (at: string | null) => at && <time dateTime={at}>{formats.instantExactly(at)}</time>;
  const fields = (list: readonly (readonly [string, ReactNode])[], none?: string) => (
    <FieldList fields={list} {...(none && { none })} width={170} folds />
  );
  const arrived = payment.deliveries.filter(
    ({ status, last_status: http }) => status === 'delivered' && http !== null && http >= 200 && http < 300,
  );
  const answered = disputeMoments(dispute).filter(({ what }) => what === dispute.answer);
  const moments = [
    ...payment.timeline.map(({ what, at }) => ({ name: nameOf(what), at })),
    ...answered.map(({ what, at }) => ({ name: t(`moments.${what}`), at })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const parts = [
    {
      title: t('case.about'),
      content: fields([
        [t('fields.reason'), t(`reasons.${dispute.reason}`)],
        [t('fields.opened'), time(dispute.opened_at)],
        [t('fields.answerBy'), time(dispute.answer_by)],
        [pack('id'), dispute.dispute_id],
      ]),
    },
    {
      title: pack('charge'),
      content: fields([
        [pack('description'), transaction.description],
        [pack('created'), time(transaction.created_at)],
        [t('fields.paid'), time(transaction.paid_at)],
        [pack('transaction'), transaction.transaction_id],
        [parties('txid'), chargeTxid(transaction)],
        [parties('endToEndId'), pix?.end_to_end_id],
      ]),
    },
    {
      title: pack('receiver'),
      content: fields([
        [parties('name'), issuer.name],
        [parties('document'), issuer.document],
      ]),
    },
    {
      title: parties('payer'),
      content: fields(
        [
          [parties('name'), customer?.name],
          [parties('document'), customer?.document],
          [parties('email'), customer?.email],
          [parties('phone'), customer?.phone],
        ],
        parties('unknown'),
      ),
    },
    {
      title: pack('receipt'),
      content: (
        <Sum
          lines={receiptLines({ transaction, ledger: [] }, 'other').map(({ name, reais, total }) => ({
            text: money(name),
            reais,
            isTotal: total,
          }))}
        />
      ),
    },
    {
      title: t('case.timeline'),
      content: fields(moments.map(({ name, at }) => [formats.instantExactly(at), name] as const)),
    },
    {
      title: pack('notified'),
      content: fields(
        arrived.map(({ event, url, finished_at: at, last_status: http }) => [
          at ? formats.instantExactly(at) : '',
          `${event} · ${hostOf(url)} · HTTP ${http}`,
        ]),
        pack('notNotified'),
      ),
    },
    ...(dispute.answer
      ? [
          {
            title: t('case.answer'),
            content: (
              <>
                {fields([
                  [t('fields.answer'), t(`answers.${dispute.answer}`)],
                  [t('fields.answeredAt'), time(dispute.answered_at)],
                  [pack('files'), files.map(({ file_name: name }) => name).join(', ')],
                ])}
                {dispute.answer_text && <p className={classes.text}>{dispute.answer_text}</p>}
              </>
            ),
          },
        ]
      : []),
    { title: pack('proof.title'), content: <PackProof found={found} /> },
  ];
  return (
    <article className={classes.receipt} data-pages>
      <header className={classes.head}>
        <div>
          <p className={classes.brand}>Trilho</p>
          <h1 className={classes.title}>{pack('title')}</h1>
        </div>
        <div className={classes.sum}>
          <Amount reais={dispute.amount} size="xl" />
          <p className={classes.state}>{label}</p>
        </div>
      </header>
      {!me.livemode && <p className={classes.test}>{pack('test')}</p>}
      {parts.map(({ title, content }) => (
        <section key={title}>
          <h2>{title}</h2>
          {content}
        </section>
      ))}
      {/* As on a receipt: the browser takes over a second later. */}
      <footer className={classes.foot} suppressHydrationWarning>
        {pack('foot', { at: formats.instantExactly(now()) })}
      </footer>
    </article>
  );
}

/** The host of an address: the rest may hold a secret of the merchant's. */
const hostOf = (url: string | null): string => (url && URL.canParse(url) ? new URL(url).host : '');

import { Accordion } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Amount } from '#panel/money/amount.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useFeeText } from '../money/use-fee-text.ts';
import { coinsText } from './coins.ts';
import { DetailSection } from './detail-section.tsx';
import { type MoneyLine, moneyLines } from './money-of.ts';
import { Refunds } from './refunds.tsx';
import classes from './transaction-detail.module.css';

// What is folded comes when it is opened.
const LedgerEntries = lazyPart(() => import('./ledger-entries.tsx'), 'LedgerEntries');

/** What the payer paid, what we took, what is left, and the ledger's entries behind it. */
export function MoneyLines({ detail, order }: { detail: TransactionDetailView; order: 2 | 3 }) {
  const t = useTranslations('panel.transactions');
  const feeText = useFeeText();
  const formats = useFormats();
  const { transaction, fee, ledger } = detail;
  const { crypto, currency } = transaction;
  const note = (line: MoneyLine) => {
    if ((line.name === 'fee' || line.name === 'expectedFee') && fee) return feeText(fee);
    if (line.name === 'credited' && crypto && currency) return coinsText(crypto.received_amount, currency, formats);
    return null;
  };
  return (
    <DetailSection title={t('detail.money')} order={order}>
      <dl className={classes.money}>
        {moneyLines(transaction).map((line) => (
          <div key={line.name} className={classes.moneyLine} data-total={line.total ?? false}>
            <dt>
              {t(`money.${line.name}`)}
              {note(line) && <span className={classes.note}> ({note(line)})</span>}
            </dt>
            <dd>
              <Amount reais={line.reais} size={line.total ? 'md' : 'sm'} />
            </dd>
          </div>
        ))}
      </dl>
      {fee === null && transaction.settled.fees > 0 && <Muted fz={13}>{t('money.feeChanged')}</Muted>}
      <Refunds refunds={transaction.refunds} />
      {ledger.length > 0 && (
        <Accordion
          variant="default"
          order={order === 2 ? 3 : 4}
          classNames={{ root: classes.folded ?? '' }}
          keepMounted={false}
        >
          <Accordion.Item value="ledger">
            <Accordion.Control>{t('ledger.title', { count: ledger.length })}</Accordion.Control>
            <Accordion.Panel>
              <Suspense fallback={<Skeleton height={40} />}>
                <LedgerEntries ledger={ledger} />
              </Suspense>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </DetailSection>
  );
}

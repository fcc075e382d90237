'use client';

import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import { api } from '#panel/api.tsx';
import { BackLink } from '#panel/shell/back-link.tsx';
import { parseAsWord } from '#panel/shell/parse-as-word.ts';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { Icon } from '../shell/icon.tsx';
import { issuerOf } from './issuer-of.ts';
import classes from './receipt.module.css';
import { Receipt } from './receipt.tsx';
import { RECEIPT_READERS } from './receipt-lines.ts';
import { isMoneyOut } from './status-style.ts';

/**
 * The reader in the address: `?para=loja` is the merchant's own receipt; the default is the other
 * side's, without the fee.
 */
const READER = parseAsWord({ merchant: 'loja', other: 'cliente' }).withDefault('other');

/**
 * A transaction's receipt on one sheet of A4, for the payer or the merchant; what is around it does
 * not print.
 */
export function ReceiptPage({ id }: { id: string }) {
  const t = useTranslations('panel.transactions.receipt');
  const { href } = usePanel();
  const [reader, setReader] = useQueryState('para', READER);
  const query = api.detail.get.useQuery({ transaction_id: id });
  const account = api.account.get.useQuery({});
  const other = query.data && isMoneyOut(query.data.transaction.type) ? 'forReceiver' : 'forPayer';
  return (
    <div className={classes.page}>
      <Group justify="space-between" className={classes.tools}>
        <BackLink href={href(`/transacoes/${id}`)} label={t('back')} />
        <SegmentedControl
          size="xs"
          aria-label={t('reader')}
          value={reader}
          onChange={(chosen) => setReader(chosen === 'merchant' ? 'merchant' : 'other')}
          data={RECEIPT_READERS.map((value) => ({ value, label: t(value === 'merchant' ? 'forMerchant' : other) }))}
        />
        <Button size="xs" leftSection={<Icon of={IconPrinter} size={14} />} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </Group>
      <QueryState query={query} skeleton={[480]}>
        {(detail) => (
          <QueryState query={account} skeleton={[480]}>
            {({ data }) => <Receipt detail={detail} issuer={issuerOf(data)} reader={reader} />}
          </QueryState>
        )}
      </QueryState>
    </div>
  );
}

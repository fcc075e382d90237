'use client';

import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, useState } from 'react';
import type { TransactionOfAccount } from '#contract/operator/transactions.ts';
import { DISPLAY_STATUSES, type DisplayStatus } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES, type ListedType } from '#domain/transactions/transaction-states.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { FilterSelect } from '#panel/shell/filter-select.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { When } from '#panel/shell/when.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { shownAmount } from '#panel/transactions/money-of.ts';
import { shownType } from '#panel/transactions/shown-type.ts';
import { titleOf } from '#panel/transactions/transaction-row.tsx';
import { TransactionStatusBadge } from '#panel/transactions/transaction-status.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-transactions-page.module.css';

const PAUSE_MS = 250;

type Filters = {
  text: string;
  account: string;
  type: ListedType | null;
  status: DisplayStatus | null;
  from: string;
  to: string;
};

/** Transactions of every account, newest first, or of one (`?conta=` its id). */
export function OperatorTransactionsPage() {
  const t = useTranslations('operator.transactions');
  const account = useSearchParams().get('conta') ?? '';
  const [filters, setFilters] = useState<Filters>({ text: '', account, type: null, status: null, from: '', to: '' });
  const [{ account: typed, ...wanted }] = useDebouncedValue(filters, PAUSE_MS);
  const accountId = isUuid(typed.trim()) ? typed.trim() : null;
  const found = operatorApi.transactions.list.useInfiniteQuery({ ...wanted, account_id: accountId }, PAGED);
  return (
    <Page title={t('title')} description={t('description')} wide>
      <FilterFields filters={filters} onChange={setFilters} />
      <PagedList
        query={found}
        rowsOf={({ transactions }) => transactions}
        skeleton={<Skeleton width="100%" height={300} />}
        empty={<Text fz="sm">{t('none')}</Text>}
        more={() => t('more')}
      >
        {(rows) => (rows.length === 0 ? <Text fz="sm">{t('further')}</Text> : <Rows rows={rows} />)}
      </PagedList>
    </Page>
  );
}

function FilterFields({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations('operator.transactions');
  const words = useTranslations('panel.transactions');
  const change =
    (name: 'text' | 'account' | 'from' | 'to') =>
    ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      onChange({ ...filters, [name]: value });
  const isAccount = filters.account.trim() === '' || isUuid(filters.account.trim());
  return (
    <Group align="flex-start" gap="sm" mb="sm">
      <TextInput
        label={isAccount && filters.account !== '' ? t('searchAccount') : t('search')}
        value={filters.text}
        onChange={change('text')}
        maxLength={200}
        data-search
        w={{ base: '100%', xs: 320 }}
      />
      <TextInput
        label={t('account')}
        value={filters.account}
        onChange={change('account')}
        maxLength={100}
        error={!isAccount && t('badAccount')}
        w={{ base: '100%', xs: 320 }}
      />
      <FilterSelect
        size="sm"
        label={t('type')}
        any={t('anyType')}
        options={LISTED_TYPES.map((value) => ({ value, label: words(`types.${value}`) }))}
        value={filters.type}
        onChange={(type) => onChange({ ...filters, type })}
      />
      <FilterSelect
        size="sm"
        label={t('status')}
        any={t('anyStatus')}
        options={DISPLAY_STATUSES.map((value) => ({ value, label: words(`filters.statuses.${value}`) }))}
        value={filters.status}
        onChange={(status) => onChange({ ...filters, status })}
      />
      <Group gap="sm" wrap="nowrap">
        <TextInput label={t('from')} type="date" value={filters.from} onChange={change('from')} w={150} />
        <TextInput label={t('to')} type="date" value={filters.to} onChange={change('to')} w={150} />
      </Group>
    </Group>
  );
}

function Rows({ rows }: { rows: readonly TransactionOfAccount[] }) {
  const t = useTranslations('operator.transactions');
  const types = useTranslations('panel.transactions.types');
  const formats = useFormats();
  return (
    <DataTable
      label={t('title')}
      isLink
      classes={classes}
      rows={rows}
      keyOf={({ transaction_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      columns={[
        {
          name: 'when',
          cell: (one) => (
            <RowLink
              href={`/operator/transacoes/${one.transaction_id}`}
              scroll
              aria-label={t('open', {
                type: types(shownType(one)),
                amount: formats.reais(shownAmount(one)),
                merchant: one.merchant_name,
                at: formats.instant(one.created_at),
              })}
            >
              <When at={one.created_at} />
            </RowLink>
          ),
        },
        {
          name: 'merchant',
          isHead: true,
          cell: ({ merchant_name: name, mode }) => (
            <>
              {name} {mode === 'test' && <Muted span>({t('test')})</Muted>}
            </>
          ),
        },
        { name: 'type', cell: (one) => types(shownType(one)) },
        { name: 'who', cell: titleOf },
        { name: 'status', cell: (one) => <TransactionStatusBadge transaction={one} /> },
        { name: 'amount', isNumeric: true, cell: (one) => <Amount reais={shownAmount(one)} /> },
      ]}
    />
  );
}

'use client';

import { Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type inferParserType, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { DISPLAY_STATUSES } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { Amount } from '#panel/money/amount.tsx';
import { FilterSelect } from '#panel/shell/filter-select.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { When } from '#panel/shell/when.tsx';
import { shownAmount } from '#panel/transactions/money-of.ts';
import { shownType } from '#panel/transactions/shown-type.ts';
import { titleOf } from '#panel/transactions/transaction-row.tsx';
import { TransactionStatusBadge } from '#panel/transactions/transaction-status.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ConsoleList } from './console-list.tsx';
import { DAY_KEYS, DAYS, DayFields } from './day-fields.tsx';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-transactions-page.module.css';

const FILTERS = {
  text: parseAsString.withDefault(''),
  account: parseAsString.withDefault(''),
  type: parseAsStringLiteral(LISTED_TYPES),
  status: parseAsStringLiteral(DISPLAY_STATUSES),
  ...DAYS,
};
const KEYS = { text: 'q', account: 'conta', type: 'tipo', ...DAY_KEYS };

/** Transactions of every account, newest first, or of one. */
export function OperatorTransactionsPage() {
  const t = useTranslations('operator.transactions');
  const types = useTranslations('panel.transactions.types');
  const formats = useFormats();
  const [filters, filter] = useQueryStates(FILTERS, { urlKeys: KEYS });
  const { account, ...others } = filters;
  const accountId = isUuid(account) ? account : null;
  const found = operatorApi.transactions.list.useInfiniteQuery({ ...others, account_id: accountId }, PAGED);
  return (
    <Page title={t('title')} description={t('description')} wide>
      <FilterFields filters={filters} onChange={filter} />
      <ConsoleList
        query={found}
        rowsOf={({ transactions }) => transactions}
        none={t('none')}
        further={t('further')}
        more={t('more')}
        label={t('title')}
        isLink
        classes={classes}
        lines={['merchant amount', 'who status', 'type when']}
        keyOf={({ transaction_id: id }) => id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          {
            name: 'when',
            width: 160,
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
            width: 'rest',
            cell: ({ merchant_name: name, mode }) => (
              <>
                {name} {mode === 'test' && <Muted span>({t('test')})</Muted>}
              </>
            ),
          },
          { name: 'type', width: 150, cell: (one) => types(shownType(one)) },
          { name: 'who', cell: titleOf, width: 'rest' },
          { name: 'status', width: 140, cell: (one) => <TransactionStatusBadge transaction={one} /> },
          { name: 'amount', width: 140, isNumeric: true, cell: (one) => <Amount reais={shownAmount(one)} /> },
        ]}
      />
    </Page>
  );
}

type Filters = inferParserType<typeof FILTERS>;

function FilterFields({ filters, onChange }: { filters: Filters; onChange: (filters: Partial<Filters>) => void }) {
  const t = useTranslations('operator.transactions');
  const words = useTranslations('panel.transactions');
  const { text, account, type, status } = filters;
  return (
    <Group align="flex-start" gap="sm" mb="sm">
      <SearchField
        size="sm"
        label={isUuid(account) ? t('searchAccount') : t('search')}
        text={text}
        onChange={(wanted) => onChange({ text: wanted })}
        maxLength={200}
        w={{ base: '100%', xs: 320 }}
      />
      <SearchField
        size="sm"
        label={t('account')}
        text={account}
        onChange={(wanted) => onChange({ account: wanted })}
        maxLength={100}
        data-search={undefined}
        error={account !== '' && !isUuid(account) && t('badAccount')}
        w={{ base: '100%', xs: 320 }}
      />
      <FilterSelect
        size="sm"
        label={t('type')}
        any={t('anyType')}
        options={LISTED_TYPES.map((value) => ({ value, label: words(`types.${value}`) }))}
        value={type}
        onChange={(wanted) => onChange({ type: wanted })}
      />
      <FilterSelect
        size="sm"
        label={t('status')}
        any={t('anyStatus')}
        options={DISPLAY_STATUSES.map((value) => ({ value, label: words(`filters.statuses.${value}`) }))}
        value={status}
        onChange={(wanted) => onChange({ status: wanted })}
      />
      <DayFields days={filters} onChange={onChange} />
    </Group>
  );
}

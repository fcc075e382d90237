'use client';

import { Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { OperatorAccount } from '#contract/operator/accounts.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-table.module.css';

const PAUSE_MS = 250;

/** Every account of the installation, newest first. */
export function AccountsPage() {
  const t = useTranslations('operator.accounts');
  const [text, setText] = useState('');
  const [suspended, setSuspended] = useState(false);
  const [wanted] = useDebouncedValue(text, PAUSE_MS);
  const accounts = operatorApi.accounts.find.useInfiniteQuery({ text: wanted, suspended }, PAGED);
  return (
    <Page title={t('title')} wide>
      <Group align="flex-end" mb="sm">
        <TextInput
          label={t('search')}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-search
          w={{ base: '100%', xs: 320 }}
        />
        <Switch
          label={t('onlySuspended')}
          checked={suspended}
          onChange={({ currentTarget }) => setSuspended(currentTarget.checked)}
          mb={8}
        />
      </Group>
      <QueryState
        query={accounts}
        skeleton={[300]}
        isEmpty={({ pages }) => pages.every((page) => page.accounts.length === 0)}
        empty={<Text fz="sm">{t('none')}</Text>}
      >
        {({ pages }) => (
          <>
            <DataTable
              classes={classes}
              label={t('title')}
              rows={pages.flatMap((page) => page.accounts)}
              keyOf={(account) => account.account_id}
              title={(name) => t(`columns.${name}`)}
              columns={[
                {
                  name: 'merchant',
                  isHead: true,
                  cell: (account) => (
                    <TextLink href={`/operator/contas/${account.account_id}`} label={account.merchant_name} />
                  ),
                },
                { name: 'email', cell: ({ email }) => email },
                { name: 'mode', cell: ({ mode }) => t(`modes.${mode}`) },
                { name: 'state', cell: (account) => <AccountState account={account} /> },
              ]}
            />
            {accounts.hasNextPage && (
              <Button
                variant="default"
                mt="sm"
                loading={accounts.isFetchingNextPage}
                onClick={() => void accounts.fetchNextPage()}
              >
                {t('more')}
              </Button>
            )}
          </>
        )}
      </QueryState>
    </Page>
  );
}

/** Shows that an account is suspended or, if not, the state of its verification. */
export function AccountState({ account }: { account: OperatorAccount }) {
  const t = useTranslations('operator.accounts');
  if (account.suspended_at !== null) return <StatusBadge tone="bad" label={t('suspended')} />;
  const tones = { approved: 'ok', pending: 'wait', rejected: 'warn' } as const;
  return <StatusBadge tone={tones[account.kyc_status]} label={t(`kyc.${account.kyc_status}`)} />;
}

'use client';

import { Group, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs';
import type { OperatorAccount } from '#contract/operator/accounts.ts';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { ConsoleList } from './console-list.tsx';
import { operatorApi } from './operator-api.tsx';

const FILTERS = { q: parseAsString.withDefault(''), suspensas: parseAsBoolean.withDefault(false) };

/** Every account of the installation, newest first. */
export function AccountsPage() {
  const t = useTranslations('operator.accounts');
  const [{ q: text, suspensas: suspended }, filter] = useQueryStates(FILTERS);
  const accounts = operatorApi.accounts.find.useInfiniteQuery({ text, suspended }, PAGED);
  return (
    <Page title={t('title')} wide>
      <Group align="flex-end" mb="sm">
        <SearchField
          size="sm"
          label={t('search')}
          text={text}
          onChange={(q) => filter({ q })}
          w={{ base: '100%', xs: 320 }}
        />
        <Switch
          label={t('onlySuspended')}
          checked={suspended}
          onChange={({ currentTarget }) => filter({ suspensas: currentTarget.checked })}
          mb={8}
        />
      </Group>
      <ConsoleList
        query={accounts}
        rowsOf={(page) => page.accounts}
        none={t('none')}
        more={t('more')}
        label={t('title')}
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

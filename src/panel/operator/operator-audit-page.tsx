'use client';

import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, useState } from 'react';
import type { OperatorAuditEntry } from '#contract/operator/audit.ts';
import { useChangeText } from '#panel/security/use-change-text.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { When } from '#panel/shell/when.tsx';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-audit-page.module.css';

const PAUSE_MS = 250;
const NO_FILTERS = { merchant: '', who: '', text: '', from: '', to: '' };
const DAYS: ReadonlySet<string> = new Set(['from', 'to']);

/** Everything that was done in the installation, newest first, searched and as a file. */
export function OperatorAuditPage() {
  const t = useTranslations('operator.audit');
  const [filters, setFilters] = useState(NO_FILTERS);
  const [wanted] = useDebouncedValue(filters, PAUSE_MS);
  const audit = operatorApi.audit.search.useInfiniteQuery(wanted, PAGED);
  const change =
    (name: string) =>
    ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      setFilters({ ...filters, [name]: value });
  return (
    <Page title={t('title')} wide>
      <Group align="flex-end" gap="sm" mb="sm">
        {(Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).map((name) => (
          <TextInput
            key={name}
            label={t(name)}
            type={DAYS.has(name) ? 'date' : 'text'}
            maxLength={100}
            value={filters[name]}
            onChange={change(name)}
            data-search={name === 'merchant' || undefined}
            w={{ base: '100%', xs: DAYS.has(name) ? 150 : 220 }}
          />
        ))}
        <Button
          component="a"
          variant="default"
          href={`/operator/api/audit.csv?${new URLSearchParams({ ...wanted, format: 'pt-BR' })}`}
          download
        >
          {t('export')}
        </Button>
      </Group>
      <QueryState
        query={audit}
        skeleton={[300]}
        isEmpty={({ pages }) => pages.every(({ entries }) => entries.length === 0) && !audit.hasNextPage}
        empty={<Text fz="sm">{t('none')}</Text>}
      >
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          return (
            <>
              {entries.length === 0 ? <Text fz="sm">{t('further')}</Text> : <Entries entries={entries} />}
              {audit.hasNextPage && (
                <Button
                  variant="default"
                  mt="sm"
                  loading={audit.isFetchingNextPage}
                  onClick={() => void audit.fetchNextPage()}
                >
                  {t('more')}
                </Button>
              )}
            </>
          );
        }}
      </QueryState>
    </Page>
  );
}

function Entries({ entries }: { entries: readonly OperatorAuditEntry[] }) {
  const t = useTranslations('operator.audit');
  return (
    <DataTable
      label={t('title')}
      classes={classes}
      rows={entries}
      keyOf={({ id }) => id}
      title={(name) => t(`columns.${name}`)}
      columns={[
        { name: 'action', isHead: true, cell: (entry) => <Action entry={entry} /> },
        { name: 'at', cell: ({ at }) => <When at={at} seconds /> },
        { name: 'merchant', cell: ({ merchant_name: name }) => name ?? t('installation') },
        { name: 'who', cell: (entry) => <Who entry={entry} /> },
        { name: 'changes', cell: (entry) => <Changes entry={entry} /> },
      ]}
    />
  );
}

function Action({ entry: { action, subject } }: { entry: OperatorAuditEntry }) {
  const ofMerchants = useTranslations('panel.security.actions');
  const ofOperators = useTranslations('operator.audit.actions');
  const name = action.replaceAll('.', '_') as 'operator_signed_in';
  const t = [ofOperators, ofMerchants as typeof ofOperators].find((one) => one.has(name));
  return (
    <>
      {t ? t(name) : action}
      {subject !== null && (
        <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {subject}
        </Muted>
      )}
    </>
  );
}

function Who({ entry: { by, name, ip_address: address } }: { entry: OperatorAuditEntry }) {
  const t = useTranslations('operator.audit');
  return (
    <>
      {name ?? t(`by.${by}`)}
      <Muted fz="xs">{[name === null ? null : t(`by.${by}`), address].filter(Boolean).join(' · ')}</Muted>
    </>
  );
}

function Changes({ entry: { changes } }: { entry: OperatorAuditEntry }) {
  const textOf = useChangeText();
  return changes.map((change) => (
    <Text key={change.name} fz="xs" style={{ overflowWrap: 'anywhere' }}>
      {textOf(change)}
    </Text>
  ));
}

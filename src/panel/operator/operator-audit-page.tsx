'use client';

import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryStates } from 'nuqs';
import type { OperatorAuditEntry } from '#contract/operator/audit.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { useChangeText, type WordOf } from '#panel/security/use-change-text.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { When } from '#panel/shell/when.tsx';
import { ConsoleList } from './console-list.tsx';
import { DAY_KEYS, DAYS, DayFields } from './day-fields.tsx';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-audit-page.module.css';

const TEXTS = ['merchant', 'who', 'text'] as const;
const FILTERS = {
  merchant: parseAsString.withDefault(''),
  who: parseAsString.withDefault(''),
  text: parseAsString.withDefault(''),
  ...DAYS,
};
const KEYS = { merchant: 'negocio', who: 'quem', text: 'q', ...DAY_KEYS };

/** Everything that was done in the installation, newest first, searched and as a file. */
export function OperatorAuditPage() {
  const t = useTranslations('operator.audit');
  const [filters, filter] = useQueryStates(FILTERS, { urlKeys: KEYS });
  const audit = operatorApi.audit.search.useInfiniteQuery(filters, PAGED);
  return (
    <Page
      title={t('title')}
      wide
      actions={
        <Button
          component="a"
          variant="default"
          leftSection={<Icon of={IconDownload} size={16} />}
          href={`/operator/api/audit.csv?${new URLSearchParams({ ...filters, format: 'pt-BR' })}`}
          download
        >
          {t('export')}
        </Button>
      }
    >
      <Group align="flex-end" gap="sm" mb="sm">
        {TEXTS.map((name) => (
          <SearchField
            key={name}
            size="sm"
            label={t(name)}
            maxLength={100}
            text={filters[name]}
            onChange={(text) => filter({ [name]: text })}
            data-search={name === 'merchant' || undefined}
            w={{ base: '100%', xs: 220 }}
          />
        ))}
        <DayFields days={filters} onChange={filter} />
      </Group>
      <ConsoleList
        query={audit}
        rowsOf={(page) => page.entries}
        none={t('none')}
        further={t('further')}
        more={t('more')}
        label={t('title')}
        classes={classes}
        lines={['action at', 'merchant merchant', 'who who', 'changes changes']}
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
    </Page>
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
  const textOf = useOperatorChangeText();
  return changes.map((change) => (
    <Text key={change.name} fz="xs" style={{ overflowWrap: 'anywhere' }}>
      {textOf(change)}
    </Text>
  ));
}

/** Returns a change in words, with what only operators see: why an attempt failed, for example. */
function useOperatorChangeText() {
  const t = useTranslations('operator.audit');
  const accounts = useTranslations('operator.accounts');
  const installation = useTranslations('operator.installation');
  const kyc = useTranslations('panel.kyc');
  const actions = useTranslations('panel.security.actions');
  const switched = (code: string) => (code === 'on' || code === 'off') && installation(code);
  const wordOf: WordOf = {
    why: (code) => t.has(`reasons.${code as 'not_a_payee'}`) && t(`reasons.${code as 'not_a_payee'}`),
    path: (code) => t.has(`paths.${code as '/change-password'}`) && t(`paths.${code as '/change-password'}`),
    change: (code) => {
      const name = code.replaceAll('.', '_') as 'password_reset';
      return actions.has(name) && actions(name);
    },
    kyc: (code) => accounts.has(`kyc.${code as 'pending'}`) && accounts(`kyc.${code as 'pending'}`),
    mode: (code) => accounts.has(`modes.${code as 'live'}`) && accounts(`modes.${code as 'live'}`),
    kind: (code) =>
      (kyc.has(`kinds.${code as 'person'}`) && kyc(`kinds.${code as 'person'}`)) ||
      (kyc.has(`documents.${code as 'selfie'}`) && kyc(`documents.${code as 'selfie'}`)),
    can_create_accounts: (code) => installation(code === 'true' ? 'on' : 'off'),
    ...Object.fromEntries(TRANSACTION_TYPES.map((type) => [`rail ${type}`, switched])),
  };
  return useChangeText({
    labelOf: (field) => (t.has(`fields.${field as 'why'}`) ? t(`fields.${field as 'why'}`) : null),
    wordOf,
  });
}

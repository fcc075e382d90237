'use client';

import { SegmentedControl } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ConsoleTable } from './console-table.tsx';
import { operatorApi } from './operator-api.tsx';

const TONES = { submitted: 'wait', approved: 'ok', rejected: 'warn' } as const;

/** Verifications that wait for a decision, oldest first, or all of them. */
export function VerificationsPage() {
  const t = useTranslations('operator.verifications');
  const formats = useFormats();
  const [all, setAll] = useQueryState('todas', parseAsBoolean.withDefault(false));
  const found = operatorApi.verifications.list.useQuery({ waiting: !all });
  return (
    <Page title={t('title')} wide>
      <SegmentedControl
        mb="sm"
        aria-label={t('which')}
        value={String(all)}
        onChange={(value) => setAll(value === 'true')}
        data={[
          { value: 'false', label: t('waiting') },
          { value: 'true', label: t('all') },
        ]}
      />
      <ConsoleTable
        query={found}
        rowsOf={({ verifications }) => verifications}
        none={t('none')}
        label={t('title')}
        keyOf={({ id }) => id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          {
            name: 'merchant',
            isHead: true,
            cell: ({ id, merchant_name: name }) => <TextLink href={`/operator/verificacoes/${id}`} label={name} />,
          },
          { name: 'email', cell: ({ email }) => email },
          { name: 'submitted', cell: ({ submitted_at: at }) => formats.instant(at) },
          {
            name: 'decision',
            cell: ({ decision }) => <StatusBadge tone={TONES[decision]} label={t(`decisions.${decision}`)} />,
          },
        ]}
      />
    </Page>
  );
}

'use client';

import { SegmentedControl } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { DataTable } from '#panel/shell/data-table.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-table.module.css';

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
      <QueryState
        query={found}
        skeleton={[240]}
        isEmpty={({ verifications }) => verifications.length === 0}
        empty={<EmptyState title={t('none')} />}
      >
        {({ verifications }) => (
          <DataTable
            folds="tablet"
            classes={classes}
            label={t('title')}
            rows={verifications}
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
        )}
      </QueryState>
    </Page>
  );
}

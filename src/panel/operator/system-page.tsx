'use client';

import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { SystemState } from '#contract/operator/system.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { useOperationName } from '#panel/transactions/use-operation-name.ts';
import { useFormats } from '#panel/use-formats.ts';
import { MarketPrice } from './market-price.tsx';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-table.module.css';
import { RequestVolume } from './request-volume.tsx';

/** Whether the installation works: ledger checks, providers, prices, and the volume of requests. */
export function SystemPage() {
  const t = useTranslations('operator.system');
  const found = operatorApi.system.get.useQuery();
  return (
    <Page title={t('title')} wide>
      <QueryState query={found} skeleton={[160, 200, 240]}>
        {(system) => (
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <LedgerChecks checks={system.checks} />
              <Proof proof={system.proof} />
            </SimpleGrid>
            <Providers providers={system.providers} />
            <MarketPrice />
            <RequestVolume volume={system.volume} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function LedgerChecks({ checks }: Pick<SystemState, 'checks'>) {
  const t = useTranslations('operator.system');
  const formats = useFormats();
  return (
    <Section title={t('ledger')}>
      {checks.length === 0 && <Text fz="sm">{t('noCheck')}</Text>}
      {checks.map(({ kind, checked_at: at, discrepancies, transfers, entries, first_finding: finding }) => (
        <div key={kind}>
          <Muted fz="xs">{t(`checks.${kind}`)}</Muted>
          <StatusBadge
            tone={discrepancies === 0 ? 'ok' : 'bad'}
            label={t('check', { at: formats.instant(at), count: discrepancies })}
          />
          <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
            {t('checked', { transfers, entries })}
            {finding !== null && ` · ${finding}`}
          </Muted>
        </div>
      ))}
    </Section>
  );
}

function Proof({ proof: { head, unsealed_seconds: seconds } }: Pick<SystemState, 'proof'>) {
  const t = useTranslations('operator.system');
  const formats = useFormats();
  return (
    <Section title={t('proof')}>
      {head === null && <Text fz="sm">{t('noHead')}</Text>}
      <FieldList
        folds
        fields={[
          [t('head'), head && formats.day(head.day)],
          [t('signed'), head && formats.instantExactly(head.signed_at)],
          [t('hash'), head && <CopyText value={head.hash} label={t('hash')} />],
          [t('unsealed'), seconds === 0 ? t('allSealed') : t('seconds', { count: Math.floor(seconds) })],
        ]}
      />
    </Section>
  );
}

function Providers({ providers }: Pick<SystemState, 'providers'>) {
  const t = useTranslations('operator.system');
  const operationText = useOperationName();
  return (
    <Section title={t('providers')} text={t('providersText')}>
      {providers.length === 0 && <Text fz="sm">{t('noProviders')}</Text>}
      <DataTable
        folds="tablet"
        classes={classes}
        labelled={['answer', 'failure', 'swept']}
        label={t('providers')}
        rows={providers}
        keyOf={({ name }) => name}
        title={(name) => t(`columns.${name}`)}
        columns={[
          {
            name: 'name',
            isHead: true,
            cell: ({ name, kind }) => (
              <>
                {name} <Muted span>{t(`kinds.${kind}`)}</Muted>
              </>
            ),
          },
          {
            name: 'calls',
            cell: ({ calls }) =>
              calls === null ? (
                <Muted span>{t('noCalls')}</Muted>
              ) : (
                <StatusBadge
                  tone={calls.failures === 0 ? 'ok' : 'warn'}
                  label={`${t('calls', { count: calls.count })}, ${t('failures', { count: calls.failures })}`}
                />
              ),
          },
          {
            name: 'answer',
            cell: ({ calls }) => (calls?.last_answer_at ? <When at={calls.last_answer_at} seconds /> : t('never')),
          },
          {
            name: 'failure',
            cell: ({ calls }) =>
              calls?.last_failure_at ? (
                <>
                  <When at={calls.last_failure_at} seconds />
                  <Muted fz="xs">
                    {calls.failed_operation && operationText(calls.failed_operation)} ·{' '}
                    {calls.failed_status ? `HTTP ${calls.failed_status}` : t('silent')}
                  </Muted>
                </>
              ) : (
                t('never')
              ),
          },
          { name: 'swept', cell: ({ swept_at: at }) => (at ? <When at={at} seconds /> : t('never')) },
        ]}
      />
    </Section>
  );
}

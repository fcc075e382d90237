import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { BatchPreview as Preview } from '#contract/withdrawals/payout-batches.ts';
import type { Issue } from '#domain/errors/issues.ts';
import { Notice } from '#panel/money/notice.tsx';
import { OwnProviderNote } from '#panel/money/own-provider-note.tsx';
import { SumLine, SumLines } from '#panel/money/sum-lines.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';

type Props = { preview: Preview; send: ReactNode };

/** The issues of a file or, without any, what it comes to and the button that sends it. */
export function BatchPreview({ preview, send }: Props) {
  const t = useTranslations('panel.batches');
  const { href } = usePanel();
  const { reais, instant } = useFormats();
  const { issues, count, amount, fees, total, available, needs_approval: needsApproval, batch_id: id } = preview;
  if (issues.length > 0) return <IssueTable issues={issues} />;
  if (id !== null) {
    return (
      <Notice role="status">
        <Text fz="sm">{t('sentBefore')}</Text>
        <TextLink href={href(`/lotes/${id}`)} underline="always" label={t('open')} />
      </Notice>
    );
  }
  return (
    <Stack gap="md" component="section" aria-label={t('summary')}>
      <Text fw={600}>{t('count', { count })}</Text>
      <SumLines maw={420}>
        <SumLine label={t('amount')} reais={amount} />
        <SumLine label={t('fees')} reais={fees} />
        <SumLine label={t('total')} reais={total} strong rule />
        <SumLine label={t('available')} reais={available} />
      </SumLines>
      <OwnProviderNote reais={preview.at_own_provider} />
      {total > available && (
        <Notice role="status">{t('tooLittle', { missing: reais(Math.round((total - available) * 100) / 100) })}</Notice>
      )}
      {preview.passed_limits.map(({ name, left, ends_at: at }) => (
        <Notice key={name} role="status">
          {t(`passedLimits.${name}`, { left: reais(left), until: at === null ? '' : instant(at) })}
        </Notice>
      ))}
      {needsApproval && <Notice role="status">{t('needsApproval')}</Notice>}
      <div>{send}</div>
    </Stack>
  );
}

function IssueTable({ issues }: Pick<Preview, 'issues'>) {
  const t = useTranslations('panel.batches');
  const issueText = useIssueText();
  return (
    <Stack gap="xs">
      <Notice tone="bad" role="alert">
        {t('issues', { count: issues.length })}
      </Notice>
      <DataTable
        label={t('issueTable')}
        folds="never"
        rows={issues.map((issue, at) => ({ ...issue, at }))}
        keyOf={({ at }) => at}
        title={(name) => t(`issueColumns.${name}`)}
        columns={[
          { name: 'line', isHead: true, cell: ({ line }) => line },
          { name: 'column', cell: ({ column }) => column ?? '—' },
          { name: 'issue', cell: ({ issue, params }) => issueText({ issue, params } as Issue), width: 'rest' },
        ]}
      />
    </Stack>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { BatchView } from '#contract/withdrawals/payout-batches.ts';
import { saveFile } from '#panel/exports/save-file.ts';
import { Amount } from '#panel/money/amount.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { When } from '#panel/shell/when.tsx';
import { BatchRows } from './batch-rows.tsx';
import { BatchStateBadge } from './batch-state-badge.tsx';
import { DecideBatchDialog } from './decide-batch-dialog.tsx';
import { failedRowsFile } from './failed-rows-file.ts';

/** One batch: who made it, who decided, its sums, and its rows. */
export function BatchDetail({ batch }: { batch: BatchView }) {
  const t = useTranslations('panel.batches.one');
  const { state, own, sums } = batch;
  const share = (of: { count: number; amount: number }) => (
    <>
      <Amount reais={of.amount} /> <Muted span>{t('of', { count: of.count })}</Muted>
    </>
  );
  // To members a batch is running until its last payout has ended.
  const shown = state === 'done' && sums.open.count > 0 ? 'running' : state;
  const decision = state === 'declined' ? 'declined' : 'approved';
  return (
    <Stack gap="lg">
      <Section title={t('summary')} aside={<BatchStateBadge state={shown} />}>
        <FieldList
          fields={[
            [t('amount'), share(batch)],
            [t('sent'), share(sums.sent)],
            sums.failed.count > 0 && [t('failed'), share(sums.failed)],
            sums.open.count > 0 && [t('open'), share(sums.open)],
            [t('madeBy'), batch.made_by],
            [t('madeAt'), <When key="made" at={batch.made_at} />],
            state === 'pending_approval' &&
              batch.decide_until !== null && [t('until'), <When key="until" at={batch.decide_until} />],
            batch.decided_by !== null && [t(decision), batch.decided_by],
            batch.decided_at !== null && [t('decidedAt'), <When key="decided" at={batch.decided_at} />],
          ]}
        />
        {state === 'pending_approval' && <Decide batch={batch} />}
        {state === 'pending_approval' && own && <Muted>{t('own')}</Muted>}
        {state === 'done' && sums.failed.count > 0 && <FailedRows batch={batch} />}
      </Section>
      <BatchRows rows={batch.rows} state={state} />
    </Stack>
  );
}

/** Offers the rows that failed as a file, which can be sent as a new batch. */
function FailedRows({ batch }: { batch: BatchView }) {
  const t = useTranslations('panel.batches.one');
  const save = () => saveFile(new Blob([failedRowsFile(batch.rows)], { type: 'text/csv' }), t('againName'));
  return (
    <Group gap="xs">
      <Text fz="sm">{t('again')}</Text>
      <Button size="xs" variant="default" leftSection={<Icon of={IconDownload} size={16} />} onClick={save}>
        {t('againSave')}
      </Button>
    </Group>
  );
}

function Decide({ batch }: { batch: BatchView }) {
  const t = useTranslations('panel.batches.one');
  const [dialog, setDialog] = useState<'approve' | 'decline' | null>(null);
  return (
    <Group gap="xs">
      {!batch.own && (
        <Button size="xs" onClick={() => setDialog('approve')}>
          {t('approve')}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setDialog('decline')}>
        {t('decline')}
      </Button>
      {dialog !== null && <DecideBatchDialog batch={batch} decision={dialog} onClose={() => setDialog(null)} />}
    </Group>
  );
}

import { Timeline as MantineTimeline, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DetailSection, type Order } from './detail-section.tsx';
import classes from './transaction-detail.module.css';
import { useMomentName } from './use-moment-name.ts';

type Moment = TransactionDetailView['timeline'][number];

/** What has happened to a transaction, oldest first. */
export function Timeline({ detail, order }: { detail: TransactionDetailView; order: Order }) {
  const t = useTranslations('panel.transactions');
  const formats = useFormats();
  const { timeline, transaction } = detail;
  const nameOf = useMomentName(transaction.type);
  return (
    <DetailSection title={t('detail.timeline')} order={order}>
      <MantineTimeline
        active={timeline.length}
        bulletSize={12}
        lineWidth={2}
        color="gray"
        classNames={{ item: classes.moment ?? '' }}
      >
        {timeline.map((moment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moments only ever come at the end.
          <MantineTimeline.Item key={index} title={nameOf(moment.what)} color={COLORS[moment.what] ?? 'gray'}>
            <Muted fz={13} component="div">
              <time dateTime={moment.at}>{formats.instantExactly(moment.at)}</time>
              <Note moment={moment} />
            </Muted>
          </MantineTimeline.Item>
        ))}
      </MantineTimeline>
    </DetailSection>
  );
}

function Note({ moment }: { moment: Moment }) {
  const formats = useFormats();
  const { amount, reference, http_status: status, duration_ms: durationMs } = moment;
  const fields = [
    amount === null ? null : formats.reais(amount),
    status === null ? null : `HTTP ${status}`,
    durationMs === null ? null : `${Math.round(durationMs)} ms`,
  ].filter((field) => field !== null);
  return (
    <>
      {fields.map((field) => ` · ${field}`)}
      {reference && (
        <Text component="div" ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {reference}
        </Text>
      )}
    </>
  );
}

/** Beside the words, which say the same. */
const COLORS: Record<string, string> = {
  paid: 'var(--tone-good)',
  completed: 'var(--tone-good)',
  overpaid: 'var(--tone-good)',
  webhook_delivered: 'var(--tone-good)',
  failed: 'var(--tone-bad)',
  refund_failed: 'var(--tone-bad)',
  webhook_failed: 'var(--tone-bad)',
  review: 'var(--tone-caution)',
  underpaid: 'var(--tone-caution)',
};

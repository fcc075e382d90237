import { Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Notice } from '#panel/money/notice.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { DetailSection, type Order } from './detail-section.tsx';

const ApproveDialog = lazyPart(() => import('./approve-dialog.tsx'), 'ApproveDialog');
const DeclineDialog = lazyPart(() => import('./decline-dialog.tsx'), 'DeclineDialog');

type Props = {
  detail: TransactionDetailView;
  approval: NonNullable<TransactionDetailView['approval']>;
  order: Order;
};

/**
 * The approval of a withdrawal by a second person: who asked, who decided, and the buttons to
 * decide.
 */
export function ApprovalSection({ detail, approval, order }: Props) {
  const t = useTranslations('panel.transactions.approval');
  const { may } = usePanel();
  const [dialog, setDialog] = useState<'approve' | 'decline' | null>(null);
  const close = () => setDialog(null);
  const { asked_by: askedBy, outcome, own, decided_by: name, decided_at: decidedAt } = approval;
  const asker = askedBy ?? '';
  const whoAsked = approval.asked_by_assistant
    ? t('byAssistant', { name: asker })
    : approval.asked_by_key
      ? t('byKey', { name: asker })
      : (askedBy ?? t('installation'));
  const { transaction } = detail;
  const isWaiting = transaction.sub_status === 'pending_approval';
  const mayDecide = isWaiting && may('approvals.approve');
  return (
    <DetailSection title={t('title')} order={order}>
      <Stack gap="sm">
        <FieldList
          fields={[
            [t('askedBy'), whoAsked],
            transaction.scheduled_for !== null && [
              t('scheduledFor'),
              <When key="scheduled" at={transaction.scheduled_for} />,
            ],
            isWaiting && [t('until'), <When key="until" at={approval.expires_at} />],
            outcome !== null && [t('decision'), t(`outcomes.${outcome}`, { name: name ?? '' })],
            decidedAt !== null && [t('decidedAt'), <When key="at" at={decidedAt} seconds />],
            approval.reason !== null && [t('reason'), approval.reason],
          ]}
        />
        {isWaiting && approval.asked_by_assistant && <Notice role="status">{t('assistantNote')}</Notice>}
        {isWaiting && (own || !mayDecide) && <Muted>{own ? t('own') : t('others')}</Muted>}
        {mayDecide && (
          <Group gap="xs">
            {!own && (
              <Button size="xs" onClick={() => setDialog('approve')}>
                {t('approve')}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => setDialog('decline')}>
              {t('decline')}
            </Button>
          </Group>
        )}
        <Suspense fallback={null}>
          {dialog === 'approve' && <ApproveDialog detail={detail} onClose={close} />}
          {dialog === 'decline' && <DeclineDialog transaction={transaction} onClose={close} />}
        </Suspense>
      </Stack>
    </DetailSection>
  );
}

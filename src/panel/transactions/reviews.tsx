import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from '../shell/icon.tsx';

const KNOWN = ['second_payment', 'amount_differs', 'above_maximum'] as const;

/** Money that arrived and was not credited as asked: why, and how it was resolved. */
export function Reviews({ reviews }: { reviews: TransactionDetailView['transaction']['reviews'] }) {
  const t = useTranslations('panel.transactions.reviews');
  const formats = useFormats();
  return reviews.map(({ review_id: id, reason, resolved_at: at, resolution, end_to_end_id: endToEndId, ...review }) => {
    const known = KNOWN.find((each) => each === reason) ?? 'other';
    const figures = {
      received: formats.reais(review.received_amount),
      expected: formats.reais(review.expected_amount),
    };
    return (
      <Alert
        key={id}
        color={at === null ? 'yellow' : 'gray'}
        variant="light"
        icon={<Icon of={at === null ? IconAlertTriangle : IconCheck} size={18} />}
        title={t(`${known}.title`, figures)}
      >
        {t(`${known}.text`, figures)}{' '}
        {at === null ? t('open') : t(`resolved.${resolution ?? 'other'}`, { at: formats.instant(at) })}
        {endToEndId !== null && (
          <Muted fz="xs" mt={4} style={{ overflowWrap: 'anywhere' }}>
            {t('endToEndId', { id: endToEndId })}
          </Muted>
        )}
      </Alert>
    );
  });
}

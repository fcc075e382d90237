import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from '../shell/icon.tsx';

const KNOWN = ['second_payment', 'amount_differs', 'above_maximum'] as const;

/** Money that arrived and waits for a decision, in plain words. */
export function Reviews({ reviews }: { reviews: TransactionDetailView['transaction']['reviews'] }) {
  const t = useTranslations('panel.transactions.reviews');
  const formats = useFormats();
  return reviews.map(({ review_id: id, reason, ...review }) => {
    const known = KNOWN.find((each) => each === reason) ?? 'other';
    const figures = {
      received: formats.reais(review.received_amount),
      expected: formats.reais(review.expected_amount),
    };
    return (
      <Alert
        key={id}
        color="yellow"
        variant="light"
        icon={<Icon of={IconAlertTriangle} size={18} />}
        title={t(`${known}.title`, figures)}
      >
        {t(`${known}.text`, figures)} {t(review.resolved_at ? 'resolved' : 'open')}
      </Alert>
    );
  });
}

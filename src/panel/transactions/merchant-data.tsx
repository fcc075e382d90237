import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { DetailSection, type Order } from './detail-section.tsx';

type Props = { transaction: TransactionDetailView['transaction']; order: Order };

/** The reference and metadata that the merchant's own system sent; nothing without any. */
export function MerchantData({ transaction: { reference, metadata }, order }: Props) {
  const t = useTranslations('panel.transactions.merchantData');
  const pairs = Object.entries(metadata ?? {});
  if (reference === null && pairs.length === 0) return null;
  return (
    <DetailSection title={t('title')} order={order}>
      {reference !== null && (
        <FieldList
          fields={[[t('reference'), <CopyText key="reference" value={reference} label={t('reference')} />]]}
          width={160}
          folds
        />
      )}
      {/* A list of its own, because a name may equal the label above. */}
      <FieldList fields={pairs} width={160} folds />
    </DetailSection>
  );
}

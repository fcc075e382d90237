'use client';

import { Skeleton } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import { Suspense } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Page } from '#panel/shell/page.tsx';
import { ChargeForm } from './charge-form.tsx';

// The picture of the code is needed only once a charge was made.
const CreatedCharge = lazyPart(() => import('./created-charge.tsx'), 'CreatedCharge');

/**
 * Nova cobrança: the form, then what to show to the payer. The address says which
 * (`?cobranca=<id>`), so that a reload shows the same.
 */
export function NewChargePage() {
  const t = useTranslations('panel.newCharge');
  const [created, setCreated] = useQueryState('cobranca', { history: 'push' });
  return (
    <Page title={t(created ? 'titleCreated' : 'title')} description={created ? undefined : t('description')}>
      {created ? (
        <Suspense fallback={<Skeleton h={420} />}>
          <CreatedCharge key={created} transactionId={created} />
        </Suspense>
      ) : (
        <ChargeForm onCreated={setCreated} />
      )}
    </Page>
  );
}

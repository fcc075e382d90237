'use client';

import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useParams, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { TransactionDetail } from './transaction-detail.tsx';
import { TransactionDetailPage } from './transaction-detail-page.tsx';
import { TransactionsPage } from './transactions-page.tsx';
import { useFilters } from './use-filters.ts';

/** From here on there is room for the list and a detail beside it. */
const WIDE = '(min-width: 62em)';

/**
 * The list and the detail, whose address says which of them: on a wide screen the detail opens over the list, which stays as it is; on a
 * phone it is a page of its own.
 */
export function TransactionsFrame() {
  const t = useTranslations('panel.transactions');
  const router = useRouter();
  const { id } = useParams<{ id?: string }>();
  const { addressOf } = useFilters();
  const wide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false }) ?? false;
  const shownId = useLast(id ?? null);
  if (!wide && id) return <TransactionDetailPage id={id} />;
  return (
    <>
      <TransactionsPage openId={id ?? null} wide={wide} />
      <Drawer
        opened={id !== undefined}
        onClose={() => router.push(addressOf(null), { scroll: false })}
        position="right"
        size={680}
        title={t('detail.title')}
        closeButtonProps={{ 'aria-label': t('detail.close') }}
        overlayProps={{ backgroundOpacity: 0.25 }}
      >
        {shownId && <TransactionDetail key={shownId} id={shownId} order={3} />}
      </Drawer>
    </>
  );
}

/** What was open last, so that the drawer does not go blank while it slides out. */
function useLast(id: string | null): string | null {
  const [last, setLast] = useState(id);
  useEffect(() => {
    if (id !== null) setLast(id);
  }, [id]);
  return id ?? last;
}

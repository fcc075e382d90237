'use client';

import { useMounted } from '@mantine/hooks';
import { useParams, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Once } from '#panel/shell/once.tsx';
import { TransactionsPage } from './transactions-page.tsx';
import { useFilters } from './use-filters.ts';

const DetailDrawer = lazyPart(() => import('#panel/shell/detail-drawer.tsx'), 'DetailDrawer');
const detail = () => import('./transaction-detail.tsx');
const TransactionDetail = lazyPart(detail, 'TransactionDetail');
const TransactionDetailPage = lazyPart(detail, 'TransactionDetailPage');

/** From this width on a detail fits beside the list. */
const WIDE = '(min-width: 62em)';

/**
 * The list and the detail; the address says which of them. On a wide screen the detail opens over
 * the list, which stays as it is; on a phone it is a page of its own.
 */
export function TransactionsFrame() {
  const t = useTranslations('panel.transactions.detail');
  const router = useRouter();
  const { id = null } = useParams<{ id?: string }>();
  const { addressOf } = useFilters();
  const isMounted = useMounted();
  const isWide = useIsWide();
  // The server does not know the width, which decides between the two.
  if (!isMounted && id) return null;
  if (!isWide && id) {
    return (
      <Suspense fallback={null}>
        <TransactionDetailPage id={id} />
      </Suspense>
    );
  }
  return (
    <>
      <TransactionsPage openId={id} hasDrawer={isWide} />
      <Once wanted={id !== null}>
        <DetailDrawer
          id={id}
          onClose={() => router.push(addressOf(null), { scroll: false })}
          width={680}
          title={t('title')}
          closeLabel={t('close')}
        >
          {(shown) => <TransactionDetail key={shown} id={shown} order={3} />}
        </DetailDrawer>
      </Once>
    </>
  );
}

/**
 * Whether the window is wide. A sheet of paper is narrower: what is printed stays what the window
 * shows.
 */
function useIsWide(): boolean {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const wide = window.matchMedia(WIDE);
    const update = () => {
      if (!window.matchMedia('print').matches) setWide(wide.matches);
    };
    update();
    wide.addEventListener('change', update);
    return () => wide.removeEventListener('change', update);
  }, []);
  return isWide;
}

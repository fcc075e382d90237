'use client';

import { useParams, useRouter } from 'next/navigation';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { TransactionsPage } from './transactions-page.tsx';
import { useFilters } from './use-filters.ts';

const TransactionDetailPage = lazyPart(() => import('./transaction-detail-page.tsx'), 'TransactionDetailPage');
const TransactionDrawer = lazyPart(() => import('./transaction-drawer.tsx'), 'TransactionDrawer');

/** From here on there is room for the list and a detail beside it. */
const WIDE = '(min-width: 62em)';

/**
 * The list and the detail, whose address says which of them: on a wide screen the detail opens over
 * the list, which stays as it is; on a phone it is a page of its own.
 */
export function TransactionsFrame() {
  const router = useRouter();
  const { id } = useParams<{ id?: string }>();
  const { addressOf } = useFilters();
  const wide = useWide();
  const shownId = useLast(id ?? null);
  // Made on the server: nobody knows yet which of both it will be.
  if (wide === null && id) return null;
  if (!wide && id) {
    return (
      <Suspense fallback={null}>
        <TransactionDetailPage id={id} />
      </Suspense>
    );
  }
  return (
    <>
      <TransactionsPage openId={id ?? null} wide={wide} />
      {shownId && (
        <Suspense fallback={null}>
          <TransactionDrawer
            id={shownId}
            opened={id !== undefined}
            onClose={() => router.push(addressOf(null), { scroll: false })}
          />
        </Suspense>
      )}
    </>
  );
}

/**
 * Null while nobody knows: on the server, and in the browser's first picture, which is the
 * server's.
 */
const useWide = (): boolean | null =>
  useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => window.matchMedia(WIDE).matches,
    () => null,
  );

/** What was open last, so that the drawer does not go blank while it slides out. */
function useLast(id: string | null): string | null {
  const [last, setLast] = useState(id);
  useEffect(() => {
    if (id !== null) setLast(id);
  }, [id]);
  return id ?? last;
}

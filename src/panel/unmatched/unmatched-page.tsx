'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { DecidedList } from './decided-list.tsx';
import type { ReceivedMoney, SentMoney } from './inbox.ts';
import { ReceivedList } from './received-list.tsx';
import { SentList } from './sent-list.tsx';

const DecideDialog = lazyPart(() => import('./decide-dialog.tsx'), 'DecideDialog');
const ChargeDialog = lazyPart(() => import('./charge-dialog.tsx'), 'ChargeDialog');

/**
 * How often the page reads again: payments come unannounced; another tab, or the operator, may
 * decide.
 */
const REFRESH_MS = 10_000;

/**
 * Dinheiro sem cobrança: what came or left over the account's own credentials with a PSP and is in
 * no balance until a member decides.
 */
export function UnmatchedPage() {
  const t = useTranslations('panel.unmatched');
  const inbox = api.unmatched.inbox.useQuery(undefined, { refetchInterval: REFRESH_MS });
  const [payment, setPayment] = useState<ReceivedMoney | null>(null);
  const [payout, setPayout] = useState<SentMoney | null>(null);
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState
        query={inbox}
        skeleton={[150, 190]}
        isEmpty={({ received, sent, decided }) => received.length + sent.length + decided.length === 0}
        empty={<EmptyState title={t('none.title')} text={t('none.text')} />}
      >
        {({ received, sent, decided }) => (
          <Stack gap="xl">
            <ReceivedList received={received} onDecide={setPayment} />
            {sent.length > 0 && <SentList sent={sent} onDecide={setPayout} />}
            {decided.length > 0 && <DecidedList decided={decided} />}
          </Stack>
        )}
      </QueryState>
      <Suspense fallback={null}>
        {payment && <DecideDialog payment={payment} onClose={() => setPayment(null)} />}
        {payout && <ChargeDialog payout={payout} onClose={() => setPayout(null)} />}
      </Suspense>
    </Page>
  );
}

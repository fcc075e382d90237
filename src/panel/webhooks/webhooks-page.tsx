'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Once } from '#panel/shell/once.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useOpened } from '#panel/shell/use-opened.ts';
import { ApiEndpointList } from './api-endpoint-list.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { SecretCard } from './secret-card.tsx';
import { TestReceiver } from './test-receiver.tsx';

const DetailDrawer = lazyPart(() => import('#panel/shell/detail-drawer.tsx'), 'DetailDrawer');
const DeliveryAttempts = lazyPart(() => import('./delivery-attempts.tsx'), 'DeliveryAttempts');

/** How often the page checks whether a destination fails, or works again. */
const REFRESH_MS = 15_000;

/** The destinations of events, the secret that signs them, and the log of deliveries. */
export function WebhooksPage() {
  const t = useTranslations('panel.webhooks');
  const overview = api.webhooks.overview.useQuery(undefined, { refetchInterval: REFRESH_MS });
  const own = api.endpoints.list.useQuery({}, { refetchInterval: REFRESH_MS });
  const { id: open, close } = useOpened('entrega');
  return (
    <Page title={t('title')} description={t('description')}>
      <Stack gap="xl">
        <QueryState query={overview} skeleton={[230, 132]}>
          {(data) => (
            <>
              <EndpointList endpoints={data.endpoints} />
              <ApiEndpointList endpoints={own.data?.data ?? []} />
              <TestReceiver endpoints={data.endpoints} />
              <SecretCard overlapUntil={data.secret_overlap_until} />
            </>
          )}
        </QueryState>
        <DeliveryLog overview={overview.data} />
      </Stack>
      <Once wanted={open !== null}>
        <DetailDrawer id={open} onClose={close} title={t('delivery.title')}>
          {(id) => <DeliveryAttempts deliveryId={id} withTransaction />}
        </DetailDrawer>
      </Once>
    </Page>
  );
}

import { Box, Button, Card, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
// The server draws what was received before its code is there; its styles would come with it.
import './delivery-attempts.module.css';
import './test-receiver.module.css';
import { useTestReceiver } from './use-test-receiver.ts';

const ReceivedWebhooks = lazyPart(() => import('./received-webhooks.tsx'), 'ReceivedWebhooks');

/**
 * In test mode: offers the built-in receiver for topics without a URL, and shows what it received.
 */
export function TestReceiver({ endpoints }: { endpoints: readonly EndpointOutput[] }) {
  const { mode } = usePanel();
  if (mode !== 'test') return null;
  return (
    <>
      {endpoints.some(({ url }) => url === null) && <Offer />}
      {endpoints.some(({ url }) => url === TEST_RECEIVER_URL) && (
        <Suspense fallback={null}>
          <ReceivedWebhooks />
        </Suspense>
      )}
    </>
  );
}

function Offer() {
  const t = useTranslations('panel.webhooks.receiver');
  const receiver = useTestReceiver();
  return (
    <Card withBorder p="12px 16px">
      <Group gap="12px 24px" justify="space-between">
        <Box flex="1 1 320px">
          <Text fz="sm" fw={600}>
            {t('offer')}
          </Text>
          <Muted>{t('offerText')}</Muted>
        </Box>
        <Button size="xs" variant="default" loading={receiver.isPending} onClick={() => receiver.mutate()}>
          {t('choose')}
        </Button>
      </Group>
    </Card>
  );
}

import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowUp } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { DeliveryOutput } from '#contract/webhooks/webhooks.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { api } from '#panel/api.tsx';
import { Link } from '#panel/link.tsx';
import { reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { Icon } from '../shell/icon.tsx';
import { AttemptList } from './attempt-list.tsx';
import classes from './delivery-attempts.module.css';
import { DeliveryState } from './delivery-state.tsx';
import { useEventName } from './delivery-text.ts';
import { EndpointUrl } from './endpoint-url.tsx';

/** An attempt that is under way has its answer within seconds; later ones are minutes away. */
const SOON_MS = 60_000;
const REFRESH_SOON_MS = 1_000;
const REFRESH_MS = 10_000;

/**
 * One delivery of an event: how it stands, every attempt with what was sent and answered, the exact
 * body, and a button that sends it again. It reads itself, and again while it is on its way.
 * `withTransaction`: with a link to the transaction, which the transaction's own page has no need
 * of.
 */
export function DeliveryAttempts({
  deliveryId,
  withTransaction = true,
}: {
  deliveryId: string;
  withTransaction?: boolean;
}) {
  const delivery = api.webhooks.delivery.useQuery(
    { delivery_id: deliveryId },
    { refetchInterval: ({ state }) => (state.data ? refreshEvery(state.data) : false) },
  );
  return (
    <QueryState query={delivery} skeleton={[120, 36, 96, 160]}>
      {(data) => (
        <Stack gap="lg">
          <FieldList delivery={data} withTransaction={withTransaction} />
          <Resend delivery={data} />
          <AttemptList tries={data.tries} />
          <Body body={data.body} />
        </Stack>
      )}
    </QueryState>
  );
}

function refreshEvery({ status, next_try_at: nextTryAt }: DeliveryOutput): number | false {
  if (status !== 'pending') return false;
  return nextTryAt && Date.parse(nextTryAt) - Date.now() > SOON_MS ? REFRESH_MS : REFRESH_SOON_MS;
}

function FieldList({ delivery, withTransaction }: { delivery: DeliveryOutput; withTransaction: boolean }) {
  const t = useTranslations('panel.webhooks.delivery');
  const { href } = usePanel();
  const eventName = useEventName();
  const { transaction_id: transactionId, next_try_at: nextTryAt, attempts } = delivery;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text fw={600}>{eventName(delivery.type)}</Text>
        <span aria-live="polite">
          <DeliveryState delivery={delivery} />
        </span>
      </Group>
      <dl className={classes.fields}>
        <dt>{t('type')}</dt>
        <dd>
          <code>{delivery.type}</code>
        </dd>
        {withTransaction && transactionId !== null && (
          <>
            <dt>{t('transaction')}</dt>
            <dd>
              <Link href={href(`/transacoes/${transactionId}`)}>{transactionId}</Link>
            </dd>
          </>
        )}
        {delivery.url !== null && (
          <>
            <dt>{t('url')}</dt>
            <dd>
              {delivery.url === TEST_RECEIVER_URL ? (
                <EndpointUrl url={delivery.url} />
              ) : (
                <CopyText value={delivery.url} label={t('url')} />
              )}
            </dd>
          </>
        )}
        <dt>webhook-id</dt>
        <dd>
          <CopyText value={delivery.event_id} label="webhook-id" />
        </dd>
        <dt>{t('happened')}</dt>
        <dd>
          <When at={delivery.created_at} seconds />
        </dd>
        {nextTryAt !== null && attempts > 0 && (
          <>
            <dt>{t('next')}</dt>
            <dd>
              <When at={nextTryAt} seconds />
            </dd>
          </>
        )}
      </dl>
    </Stack>
  );
}

function Resend({ delivery }: { delivery: DeliveryOutput }) {
  const t = useTranslations('panel.webhooks.delivery');
  const textOf = useErrorText();
  const utils = api.useUtils();
  const { delivery_id: id, status, endpoint_off: off } = delivery;
  const resend = api.webhooks.resend.useMutation({
    async onSuccess({ outcome }) {
      notifications.show({ message: t(outcome === 'due' ? 'resent' : 'underWay') });
      await utils.webhooks.invalidate();
    },
  });
  if (off) {
    return <Muted>{t(status === 'held' ? 'heldOff' : 'off')}</Muted>;
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon of={IconArrowUp} size={16} />}
        loading={resend.isPending}
        onClick={() => resend.mutate({ delivery_id: id })}
      >
        {t(status === 'pending' ? 'tryNow' : status === 'held' ? 'send' : 'resend')}
      </Button>
      <ErrorAlert
        text={resend.error && (reasonOf(resend.error) === 'webhook_disabled' ? t('off') : textOf(resend.error))}
      />
    </Stack>
  );
}

/** As it is sent, to the byte: nothing is set in order for reading. */
function Body({ body }: { body: string }) {
  const t = useTranslations('panel.webhooks.delivery');
  return (
    <section>
      <Group justify="space-between" mb={6}>
        <Text component="h3" fz="sm" fw={600}>
          {t('body')}
        </Text>
        <CopyText value={body} label={t('body')}>
          <span className={classes.muted}>{t('bytes', { count: new TextEncoder().encode(body).length })}</span>
        </CopyText>
      </Group>
      <Code block className={classes.text} data-testid="webhook-body">
        {body}
      </Code>
    </section>
  );
}

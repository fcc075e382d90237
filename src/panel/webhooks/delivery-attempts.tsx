import { Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { DeliveryOutput } from '#contract/webhooks/webhooks.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { api } from '#panel/api.tsx';
import { reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useAccountTime, usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { Icon } from '../shell/icon.tsx';
import { AttemptList } from './attempt-list.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { useEventName } from './delivery-text.ts';
import { EndpointUrl } from './endpoint-url.tsx';

/**
 * An attempt within this time is polled for often, because its answer comes within seconds; later
 * ones are minutes away.
 */
const SOON_MS = 60_000;
const REFRESH_SOON_MS = 1_000;
/** The errors of a delivery whose destination takes nothing any more. */
const OFF: readonly (string | null)[] = ['webhook_disabled', 'endpoint_disabled', 'endpoint_not_found'];
const REFRESH_MS = 10_000;

type Props = {
  deliveryId: string;
  /** Whether to link to the transaction, whose own page has no need of it. */
  withTransaction: boolean;
};

/**
 * One delivery of an event: its status, every attempt with what was sent and answered, the exact
 * body, and a button that sends it again. It reads its own data, and again while the delivery is
 * under way.
 */
export function DeliveryAttempts({ deliveryId, withTransaction }: Props) {
  const t = useTranslations('panel.webhooks.delivery');
  const { may } = usePanel();
  const now = useAccountTime();
  const delivery = api.webhooks.delivery.useQuery(
    { delivery_id: deliveryId },
    { refetchInterval: ({ state }) => (state.data ? refreshEvery(state.data, now()) : false) },
  );
  return (
    <QueryState query={delivery} skeleton={[120, 36, 96, 160]}>
      {(data) => (
        <Stack gap="lg">
          <About delivery={data} withTransaction={withTransaction} />
          {may('webhooks.resend') && <Resend delivery={data} />}
          <AttemptList tries={data.tries} />
          {/* The exact bytes that are sent, not reformatted for reading. */}
          <CodeBlock
            title={t('body')}
            text={data.body}
            data-testid="webhook-body"
            aside={
              <CopyText value={data.body} label={t('body')}>
                <Muted span fz={13}>
                  {t('bytes', { count: new TextEncoder().encode(data.body).length })}
                </Muted>
              </CopyText>
            }
          />
        </Stack>
      )}
    </QueryState>
  );
}

function refreshEvery({ status, next_try_at: nextTryAt }: DeliveryOutput, now: Date): number | false {
  if (status !== 'pending') return false;
  return nextTryAt && Date.parse(nextTryAt) - now.getTime() > SOON_MS ? REFRESH_MS : REFRESH_SOON_MS;
}

function About({ delivery, withTransaction }: { delivery: DeliveryOutput; withTransaction: boolean }) {
  const t = useTranslations('panel.webhooks.delivery');
  const { href } = usePanel();
  const eventName = useEventName();
  const { type, url, transaction_id: id, event_id: eventId, next_try_at: next, attempts } = delivery;
  const destination =
    url === TEST_RECEIVER_URL ? <EndpointUrl url={url} /> : url && <CopyText value={url} label={t('url')} />;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text fw={600}>{eventName(type)}</Text>
        <span aria-live="polite">
          <DeliveryState delivery={delivery} />
        </span>
      </Group>
      <FieldList
        width={110}
        fields={[
          [t('type'), <code key="type">{type}</code>],
          [
            t('transaction'),
            withTransaction && id !== null && <TextLink href={href(`/transacoes/${id}`)} label={id} />,
          ],
          [t('url'), destination],
          ['webhook-id', <CopyText key="id" value={eventId} label="webhook-id" />],
          [t('happened'), <When key="happened" at={delivery.created_at} seconds />],
          [t('next'), next !== null && attempts > 0 && <When at={next} seconds />],
        ]}
      />
    </Stack>
  );
}

function Resend({ delivery }: { delivery: DeliveryOutput }) {
  const t = useTranslations('panel.webhooks.delivery');
  const textOf = useErrorText();
  const notify = useNotify();
  const utils = api.useUtils();
  const { delivery_id: id, status, endpoint_off: off } = delivery;
  const resend = api.webhooks.resend.useMutation({
    async onSuccess({ outcome }) {
      notify.done(t(outcome === 'due' ? 'resent' : 'underWay'));
      await utils.webhooks.invalidate();
    },
  });
  if (off) return <Muted>{t(status === 'held' ? 'heldOff' : 'off')}</Muted>;
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
      <ErrorAlert text={resend.error && (OFF.includes(reasonOf(resend.error)) ? t('off') : textOf(resend.error))} />
    </Stack>
  );
}

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconList, IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useOpened } from '#panel/shell/use-opened.ts';
import { editButtonId } from './edit-button-id.ts';
import classes from './endpoint-list.module.css';
import { EndpointState } from './endpoint-state.tsx';
import { EndpointUrl } from './endpoint-url.tsx';
import { LOG_ADDRESS } from './log-filters.ts';
import { RemoveEndpointDialog } from './remove-endpoint-dialog.tsx';
import { useResendFailed, useSendHeld } from './use-resend-failed.ts';

/** A topic with its destination, how it goes, and what can be done about it. */
export function EndpointRow({ endpoint, onEdit }: { endpoint: EndpointOutput; onEdit: () => void }) {
  const t = useTranslations('panel.webhooks');
  const { topic, url, disabled_at: disabledAt } = endpoint;
  const actions = useEndpointActions(endpoint);
  const [removing, setRemoving] = useState(false);
  const name = t(`topics.${topic}`);
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <Text component="h3" fz="sm" fw={600}>
          {name}
        </Text>
        {url === null ? (
          <Muted>{t(`endpoints.events.${topic}`)}</Muted>
        ) : (
          <EndpointUrl url={url} className={classes.url} />
        )}
      </div>
      <div className={classes.state}>
        <EndpointState endpoint={endpoint} />
      </div>
      <Group gap={6} wrap="nowrap" className={classes.actions}>
        {endpoint.waiting > 0 && disabledAt === null && (
          <Button size="xs" variant="default" loading={actions.resend.isPending} onClick={() => actions.resend.start()}>
            {t('endpoints.resend')}
          </Button>
        )}
        {endpoint.held > 0 && url !== null && disabledAt === null && (
          <Button
            size="xs"
            loading={actions.sendHeld.isPending || endpoint.held_is_sending}
            onClick={actions.sendHeld.start}
          >
            {endpoint.held_is_more ? t('endpoints.sendHeldAll') : t('endpoints.sendHeld', { count: endpoint.held })}
          </Button>
        )}
        {disabledAt !== null && (
          <Button size="xs" variant="default" loading={actions.enable.isPending} onClick={actions.enable.start}>
            {t('endpoints.enable')}
          </Button>
        )}
        {url !== null && disabledAt === null && (
          <Button
            size="xs"
            variant="default"
            loading={actions.test.isPending}
            onClick={actions.test.start}
            aria-label={t('endpoints.testWhat', { topic: name })}
          >
            {t('endpoints.test')}
          </Button>
        )}
        <Button
          id={editButtonId(topic)}
          size="xs"
          variant="default"
          onClick={onEdit}
          aria-label={t(url === null ? 'endpoints.addWhat' : 'endpoints.changeWhat', { topic: name })}
        >
          {t(url === null ? 'endpoints.add' : 'endpoints.change')}
        </Button>
        {url !== null && (
          <MoreMenu
            label={t('endpoints.more', { topic: name })}
            actions={[
              { label: t('endpoints.seeEvents'), icon: IconList, onClick: actions.seeEvents },
              { label: t('endpoints.remove'), icon: IconX, isDanger: true, onClick: () => setRemoving(true) },
            ]}
          />
        )}
      </Group>
      {removing && <RemoveEndpointDialog endpoint={endpoint} onClose={() => setRemoving(false)} />}
    </div>
  );
}

function useEndpointActions({ topic }: EndpointOutput) {
  const t = useTranslations('panel.webhooks');
  const textOf = useErrorText();
  const utils = api.useUtils();
  const opened = useOpened('entrega');
  const [, filter] = useQueryStates(LOG_ADDRESS);
  const resend = useResendFailed();
  const sendHeld = useSendHeld();
  const onError = (error: unknown) => void notifications.show({ message: textOf(error), color: 'red' });
  const test = api.webhooks.sendTest.useMutation({
    onError,
    async onSuccess({ delivery_id }) {
      opened.show(delivery_id);
      await utils.webhooks.deliveries.invalidate();
    },
  });
  const enable = api.webhooks.enableEndpoint.useMutation({
    onError,
    async onSuccess() {
      notifications.show({ message: t('endpoints.enabled', { topic: t(`topics.${topic}`) }), color: 'green' });
      await utils.webhooks.invalidate();
    },
  });
  return {
    sendHeld: { isPending: sendHeld.isPending, start: () => sendHeld.mutate({ topic }) },
    resend: { isPending: resend.isPending, start: () => resend.start(topic) },
    test: { isPending: test.isPending, start: () => test.mutate({ topic }) },
    enable: { isPending: enable.isPending, start: () => enable.mutate({ topic }) },
    seeEvents: () => {
      void filter({ topico: topic });
      document.getElementById('log')?.scrollIntoView({ block: 'start' });
    },
  };
}

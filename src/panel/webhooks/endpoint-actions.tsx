import { Button, Group } from '@mantine/core';
import { IconList, IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { Suspense, useState } from 'react';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useOpened } from '#panel/shell/use-opened.ts';
import classes from './endpoint-list.module.css';
import { LOG_ADDRESS } from './log-filters.ts';
import { useResendFailed } from './use-resend-failed.ts';

// Loaded when somebody removes a destination.
const RemoveEndpointDialog = lazyPart(() => import('./remove-dialogs.tsx'), 'RemoveEndpointDialog');

/** The id of the button that gets the focus back when a topic's form is closed. */
export const editButtonId = (topic: Topic): string => `edit-endpoint-${topic}`;

/** The actions for a destination, by its state. */
export function EndpointActions({ endpoint, onEdit }: { endpoint: EndpointOutput; onEdit: () => void }) {
  const t = useTranslations('panel.webhooks');
  const { topic: name, url, waiting, held, disabled_at: disabledAt } = endpoint;
  const topic = t(`topics.${name}`);
  const [removing, setRemoving] = useState<EndpointOutput | null>(null);
  const [, filter] = useQueryStates(LOG_ADDRESS);
  const { resend, sendHeld, test, enable } = useEndpointCalls(topic);
  const isOn = url !== null && disabledAt === null;
  const seeEvents = () => {
    void filter({ topico: name });
    document.getElementById('log')?.scrollIntoView({ block: 'start' });
  };
  const input = { topic: name };
  return (
    <Group gap={6} wrap="nowrap" className={classes.buttons}>
      {waiting > 0 && disabledAt === null && <CallButton call={resend} input={input} label={t('endpoints.resend')} />}
      {held > 0 && isOn && (
        <CallButton
          variant="filled"
          call={sendHeld}
          input={input}
          label={endpoint.held_is_more ? t('endpoints.sendHeldAll') : t('endpoints.sendHeld', { count: held })}
          loading={sendHeld.isPending || endpoint.held_is_sending}
        />
      )}
      {disabledAt !== null && <CallButton call={enable} input={input} label={t('endpoints.enable')} />}
      {isOn && (
        <CallButton
          call={test}
          input={input}
          label={t('endpoints.test')}
          aria-label={t('endpoints.testWhat', { topic })}
        />
      )}
      <Button
        id={editButtonId(name)}
        size="xs"
        variant="default"
        onClick={onEdit}
        aria-label={t(url === null ? 'endpoints.addWhat' : 'endpoints.changeWhat', { topic })}
      >
        {t(url === null ? 'endpoints.add' : 'endpoints.change')}
      </Button>
      {url !== null && (
        <MoreMenu
          label={t('endpoints.more', { topic })}
          actions={[
            { label: t('endpoints.seeEvents'), icon: IconList, onClick: seeEvents },
            { label: t('endpoints.remove'), icon: IconX, isDanger: true, onClick: () => setRemoving(endpoint) },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {removing && <RemoveEndpointDialog endpoint={removing} onClose={() => setRemoving(null)} />}
      </Suspense>
    </Group>
  );
}

function useEndpointCalls(topic: string) {
  const t = useTranslations('panel.webhooks.endpoints');
  const notify = useNotify();
  const utils = api.useUtils();
  const { show } = useOpened('entrega');
  const refresh = () => utils.webhooks.invalidate();
  return {
    resend: useResendFailed(),
    // Sends the events that the topic holds, the oldest first.
    sendHeld: api.events.sendHeld.useMutation(
      notify.after(({ data: { sending: count } }) => t('sendingHeld', { count }), refresh),
    ),
    test: api.webhooks.sendTest.useMutation({
      onError: notify.failed,
      async onSuccess({ delivery_id: id }) {
        show(id);
        await utils.webhooks.deliveries.invalidate();
      },
    }),
    enable: api.webhooks.enableEndpoint.useMutation(notify.after(t('enabled', { topic }), refresh)),
  };
}

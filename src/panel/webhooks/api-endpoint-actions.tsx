import { Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { ApiEndpointOutput } from '#contract/webhooks/webhook-endpoints.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import classes from './endpoint-list.module.css';

const RemoveApiEndpointDialog = lazyPart(() => import('./remove-dialogs.tsx'), 'RemoveApiEndpointDialog');

/** What can be done about an endpoint of the API; its URL and types are changed over the API. */
export function ApiEndpointActions({ endpoint }: { endpoint: ApiEndpointOutput }) {
  const t = useTranslations('panel.webhooks.apiEndpoints');
  const notify = useNotify();
  const utils = api.useUtils();
  const [removing, setRemoving] = useState(false);
  const { endpoint_id: endpointId, enabled } = endpoint;
  const name = endpoint.description ?? endpoint.url;
  const refresh = () => Promise.all([utils.endpoints.invalidate(), utils.webhooks.invalidate()]);
  const change = api.endpoints.change.useMutation(
    notify.after(({ data }) => t(data.enabled ? 'enabled' : 'disabled', { name }), refresh),
  );
  const test = api.endpoints.test.useMutation(notify.after(t('tested', { name }), refresh));
  return (
    <Group gap={6} wrap="nowrap" className={classes.buttons}>
      {enabled && (
        <CallButton call={test} input={{ endpointId }} label={t('test')} aria-label={t('testWhat', { name })} />
      )}
      <CallButton
        call={change}
        input={{ endpointId, enabled: !enabled }}
        label={t(enabled ? 'disable' : 'enable')}
        aria-label={t(enabled ? 'disableWhat' : 'enableWhat', { name })}
      />
      <MoreMenu
        label={t('more', { name })}
        actions={[{ label: t('remove.action'), icon: IconX, isDanger: true, onClick: () => setRemoving(true) }]}
      />
      <Suspense fallback={null}>
        {removing && (
          <RemoveApiEndpointDialog endpoint={endpoint} onDone={refresh} onClose={() => setRemoving(false)} />
        )}
      </Suspense>
    </Group>
  );
}

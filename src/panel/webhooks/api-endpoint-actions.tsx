import { Code, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ApiEndpointOutput } from '#contract/webhooks/webhook-endpoints.ts';
import { api } from '#panel/api.tsx';
import { CallButton } from '#panel/shell/call-button.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import classes from './endpoint-list.module.css';

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
      {removing && <RemoveDialog endpoint={endpoint} onDone={refresh} onClose={() => setRemoving(false)} />}
    </Group>
  );
}

/** Says what is lost with an endpoint before it is removed. */
function RemoveDialog(props: { endpoint: ApiEndpointOutput; onDone: () => Promise<unknown>; onClose: () => void }) {
  const t = useTranslations('panel.webhooks.apiEndpoints.remove');
  const notify = useNotify();
  const { endpoint, onDone, onClose } = props;
  const remove = api.endpoints.remove.useMutation({
    async onSuccess() {
      notify.done(t('done'));
      onClose();
      await onDone();
    },
  });
  return (
    <FormDialog
      isDanger
      title={t('title')}
      submit={t('submit')}
      call={remove}
      onSubmit={() => remove.mutate({ endpointId: endpoint.endpoint_id })}
      onClose={onClose}
    >
      <Code className={classes.url}>{endpoint.url}</Code>
      <Text fz="sm">{t('text')}</Text>
    </FormDialog>
  );
}

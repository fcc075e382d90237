import { Code, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ApiEndpointOutput } from '#contract/webhooks/webhook-endpoints.ts';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import classes from './endpoint-list.module.css';

/** Says what is lost with a destination before it is taken away. */
export function RemoveEndpointDialog({ endpoint, onClose }: { endpoint: EndpointOutput; onClose: () => void }) {
  const t = useTranslations('panel.webhooks');
  const notify = useNotify();
  const utils = api.useUtils();
  const { topic, url, waiting } = endpoint;
  const name = t(`topics.${topic}`);
  const remove = api.webhooks.removeEndpoint.useMutation(
    notify.afterDialog(t('remove.done', { topic: name }), { refresh: () => utils.webhooks.invalidate(), onClose }),
  );
  return (
    <FormDialog
      isDanger
      title={t('remove.title', { topic: name })}
      submit={t('remove.submit')}
      call={remove}
      onSubmit={() => remove.mutate({ topic })}
      onClose={onClose}
    >
      <Code className={classes.url}>{url}</Code>
      <Text fz="sm">{t('remove.text')}</Text>
      {waiting > 0 && <Text fz="sm">{t('remove.waiting', { count: waiting })}</Text>}
    </FormDialog>
  );
}

/** Says what is lost with an endpoint before it is removed. */
export function RemoveApiEndpointDialog(props: {
  endpoint: ApiEndpointOutput;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useTranslations('panel.webhooks.apiEndpoints.remove');
  const notify = useNotify();
  const { endpoint, onDone, onClose } = props;
  const remove = api.endpoints.remove.useMutation(notify.afterDialog(t('done'), { refresh: onDone, onClose }));
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

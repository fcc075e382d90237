import { Code, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { api } from '#panel/api.tsx';
import { AskDialog } from '#panel/shell/ask-dialog.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import classes from './endpoint-list.module.css';

/** Says what is lost with a destination before it is taken away. */
export function RemoveEndpointDialog({ endpoint, onClose }: { endpoint: EndpointOutput; onClose: () => void }) {
  const t = useTranslations('panel.webhooks');
  const textOf = useErrorText();
  const utils = api.useUtils();
  const { topic, url, waiting } = endpoint;
  const name = t(`topics.${topic}`);
  const remove = api.webhooks.removeEndpoint.useMutation({
    async onSuccess() {
      notifications.show({ message: t('remove.done', { topic: name }) });
      onClose();
      await utils.webhooks.invalidate();
    },
  });
  return (
    <AskDialog
      title={t('remove.title', { topic: name })}
      confirm={t('remove.submit')}
      cancel={t('cancel')}
      isPending={remove.isPending}
      refusal={remove.error && textOf(remove.error)}
      onConfirm={() => remove.mutate({ topic })}
      onClose={onClose}
    >
      <Code className={classes.url}>{url}</Code>
      <Text fz="sm">{t('remove.text')}</Text>
      {waiting > 0 && <Text fz="sm">{t('remove.waiting', { count: waiting })}</Text>}
    </AskDialog>
  );
}

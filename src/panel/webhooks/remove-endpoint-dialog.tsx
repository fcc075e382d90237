'use client';

import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useFaultText } from '#panel/shell/faults.ts';
import classes from './endpoint-list.module.css';
import type { EndpointOutput } from './endpoint-list.tsx';

/** Says what is lost with a destination before it is taken away. */
export function RemoveEndpointDialog({ endpoint, onClose }: { endpoint: EndpointOutput; onClose: () => void }) {
  const t = useTranslations('panel.webhooks');
  const textOf = useFaultText();
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
    <Modal opened onClose={onClose} title={t('remove.title', { topic: name })} centered>
      <Stack gap="md">
        <Code className={classes.url}>{url}</Code>
        <Text fz="sm">{t('remove.text')}</Text>
        {waiting > 0 && <Text fz="sm">{t('remove.waiting', { count: waiting })}</Text>}
        {remove.error && (
          <Alert color="red" variant="light" p="sm" role="alert">
            {textOf(remove.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate({ topic })}>
            {t('remove.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

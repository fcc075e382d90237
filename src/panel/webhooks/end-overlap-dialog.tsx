'use client';

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useInstant } from '#panel/keys/use-instant.ts';
import { reasonOf, useFaultText } from '#panel/shell/faults.ts';

/** Asks before the previous secret stops signing: a receiver that still has it would refuse everything. */
export function EndOverlapDialog({ until, onClose }: { until: string | null; onClose: () => void }) {
  const t = useTranslations('panel.webhooks.endOverlap');
  const textOf = useFaultText();
  const instant = useInstant();
  const utils = api.useUtils();
  const end = api.webhooks.endSecretOverlap.useMutation({
    async onSuccess() {
      notifications.show({ message: t('done'), color: 'green' });
      onClose();
      await utils.webhooks.overview.invalidate();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('title')} centered>
      <Stack gap="md">
        <Text fz="sm">{t('text', { until: until ? instant(until) : '' })}</Text>
        {end.error && reasonOf(end.error) !== 'confirmation_required' && (
          <Alert color="red" variant="light" p="sm" role="alert">
            {textOf(end.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color="red" loading={end.isPending} onClick={() => end.mutate()}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Code, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './secret-card.module.css';

/** Says what a new secret changes and when, makes it, and shows it. */
export function RotateSecretDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('panel.webhooks.rotate');
  const textOf = useErrorText();
  const { instant } = useFormats();
  const utils = api.useUtils();
  const rotate = api.webhooks.rotateSecret.useMutation({ onSuccess: () => utils.webhooks.overview.invalidate() });
  if (rotate.data) {
    const { secret, overlap_until: until } = rotate.data;
    return (
      <Modal opened onClose={onClose} title={t('doneTitle')} centered size="lg">
        <Stack gap="md">
          <Text fz="sm">{t('done', { until: instant(until) })}</Text>
          <Group gap="xs" align="stretch">
            <Code className={classes.secret} aria-label={t('secret')}>
              {secret}
            </Code>
            <CopyButton value={secret} label={t('copy')} data-autofocus />
          </Group>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('close')}</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={t('title')} centered>
      <Stack gap="md">
        <List type="ordered" fz="sm" spacing={6}>
          <List.Item>{t('step1')}</List.Item>
          <List.Item>{t('step2')}</List.Item>
          <List.Item>{t('step3')}</List.Item>
        </List>
        <ErrorAlert text={rotate.error && reasonOf(rotate.error) !== 'confirmation_required' && textOf(rotate.error)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()} data-autofocus>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

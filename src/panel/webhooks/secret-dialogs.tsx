import { Code, Group, List, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import classes from './secret-card.module.css';

/** Says what a new secret changes and when, then makes it and shows it. */
export function RotateSecretDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('panel.webhooks.rotate');
  const { instant } = useFormats();
  const utils = api.useUtils();
  const rotate = api.webhooks.rotateSecret.useMutation({ onSuccess: () => utils.webhooks.overview.invalidate() });
  if (!rotate.data) {
    return (
      <FormDialog
        isQuestion
        title={t('title')}
        submit={t('submit')}
        call={rotate}
        onSubmit={() => rotate.mutate()}
        onClose={onClose}
      >
        <List type="ordered" fz="sm" spacing={6}>
          <List.Item>{t('step1')}</List.Item>
          <List.Item>{t('step2')}</List.Item>
          <List.Item>{t('step3')}</List.Item>
        </List>
      </FormDialog>
    );
  }
  const { secret, overlap_until: until } = rotate.data;
  // Another dialog, so that the focus is on what is to be done with the secret.
  return (
    <FormDialog
      key="done"
      title={t('doneTitle')}
      submit={t('close')}
      cancel={null}
      call={rotate}
      onSubmit={onClose}
      onClose={onClose}
      size="lg"
    >
      <Text fz="sm">{t('done', { until: instant(until) })}</Text>
      <Group gap="xs" align="stretch">
        <Code className={classes.secret} aria-label={t('secret')}>
          {secret}
        </Code>
        <CopyButton value={secret} label={t('copy')} data-autofocus />
      </Group>
    </FormDialog>
  );
}

/**
 * Asks before the previous secret stops signing: a receiver that still has it would reject
 * everything.
 */
export function EndOverlapDialog({ until, onClose }: { until: string | null; onClose: () => void }) {
  const t = useTranslations('panel.webhooks.endOverlap');
  const { instant } = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  // It is null once the overlap has ended, which the dialog waits for.
  const [endsAt] = useState(until);
  const end = api.webhooks.endSecretOverlap.useMutation(
    notify.afterDialog(t('done'), { refresh: () => utils.webhooks.overview.invalidate(), onClose }),
  );
  return (
    <FormDialog
      isDanger
      title={t('title')}
      submit={t('submit')}
      call={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { until: endsAt ? instant(endsAt) : '' })}</Text>
    </FormDialog>
  );
}

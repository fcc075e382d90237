import { Alert, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { api } from '#panel/api.tsx';
import { AskDialog } from '#panel/shell/ask-dialog.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { useFormats } from '#panel/use-formats.ts';
import { shownKey } from './key-text.ts';

/** Says what ends with the key before it is ended. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKeyOutput; onClose: () => void }) {
  const t = useTranslations('panel.keys.revoke');
  const textOf = useErrorText();
  const { instant } = useFormats();
  const utils = api.useUtils();
  const revoke = api.keys.revoke.useMutation({
    async onSuccess() {
      await utils.keys.list.invalidate();
      notifications.show({ message: t('done', { name: apiKey.name }) });
      onClose();
    },
  });
  return (
    <AskDialog
      title={t('title', { name: apiKey.name })}
      confirm={t('confirm')}
      cancel={t('cancel')}
      isPending={revoke.isPending}
      refusal={revoke.error && textOf(revoke.error)}
      gap="sm"
      onConfirm={() => revoke.mutate({ key_id: apiKey.key_id })}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { key: shownKey(apiKey) })}</Text>
      {apiKey.last_used_at !== null && (
        <Alert color="yellow" variant="light" p="sm">
          {t('used', { at: instant(apiKey.last_used_at) })}
        </Alert>
      )}
    </AskDialog>
  );
}

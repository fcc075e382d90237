import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { displayKey } from './key-text.ts';

/** Says what ends with the key before it is ended. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKeyOutput; onClose: () => void }) {
  const t = useTranslations('panel.keys.revoke');
  const { instant } = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const revoke = api.keys.revoke.useMutation(
    notify.afterDialog(t('done', { name: apiKey.name }), { refresh: () => utils.keys.list.invalidate(), onClose }),
  );
  return (
    <FormDialog
      isDanger
      title={t('title', { name: apiKey.name })}
      submit={t('confirm')}
      cancel={t('cancel')}
      call={revoke}
      onSubmit={() => revoke.mutate({ key_id: apiKey.key_id })}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { key: displayKey(apiKey) })}</Text>
      {apiKey.last_used_at !== null && (
        <Alert color="yellow" variant="light" p="sm">
          {t('used', { at: instant(apiKey.last_used_at) })}
        </Alert>
      )}
    </FormDialog>
  );
}

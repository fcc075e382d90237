import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';

/**
 * Asks before the previous secret stops signing: a receiver that still has it would reject
 * everything.
 */
export function EndOverlapDialog({ until, onClose }: { until: string | null; onClose: () => void }) {
  const t = useTranslations('panel.webhooks.endOverlap');
  const { instant } = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const end = api.webhooks.endSecretOverlap.useMutation({
    async onSuccess() {
      notify.done(t('done'));
      onClose();
      await utils.webhooks.overview.invalidate();
    },
  });
  return (
    <FormDialog
      isDanger
      title={t('title')}
      submit={t('submit')}
      call={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { until: until ? instant(until) : '' })}</Text>
    </FormDialog>
  );
}

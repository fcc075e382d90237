import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { AskDialog } from '#panel/shell/ask-dialog.tsx';
import { reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { useFormats } from '#panel/use-formats.ts';

/** Asks before the previous secret stops signing: a receiver that still has it would refuse everything. */
export function EndOverlapDialog({ until, onClose }: { until: string | null; onClose: () => void }) {
  const t = useTranslations('panel.webhooks.endOverlap');
  const textOf = useErrorText();
  const { instant } = useFormats();
  const utils = api.useUtils();
  const end = api.webhooks.endSecretOverlap.useMutation({
    async onSuccess() {
      notifications.show({ message: t('done'), color: 'green' });
      onClose();
      await utils.webhooks.overview.invalidate();
    },
  });
  return (
    <AskDialog
      title={t('title')}
      confirm={t('submit')}
      cancel={t('cancel')}
      isPending={end.isPending}
      refusal={end.error && reasonOf(end.error) !== 'confirmation_required' ? textOf(end.error) : null}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { until: until ? instant(until) : '' })}</Text>
    </AskDialog>
  );
}

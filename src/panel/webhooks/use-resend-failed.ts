import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import type { Topic } from '#domain/webhooks/events.ts';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';

/** Begins to send what a topic holds, the oldest first. */
export function useSendHeld() {
  const t = useTranslations('panel.webhooks.endpoints');
  const textOf = useErrorText();
  const utils = api.useUtils();
  return api.events.sendHeld.useMutation({
    async onSuccess({ data: { sending } }) {
      notifications.show({ message: t('sendingHeld', { count: sending }), color: 'green' });
      await utils.webhooks.invalidate();
    },
    onError: (error) => void notifications.show({ message: textOf(error), color: 'red' }),
  });
}

/**
 * Sends again what failed, of one topic's destination or of all; the server takes so many a call
 * and says whether some are left.
 */
export function useResendFailed() {
  const t = useTranslations('panel.webhooks.log');
  const textOf = useErrorText();
  const utils = api.useUtils();
  const { mutate, isPending } = api.webhooks.resendFailed.useMutation({
    async onSuccess({ resent, more }) {
      notifications.show({ message: t(more ? 'resentSome' : 'resent', { count: resent }), color: 'green' });
      await utils.webhooks.invalidate();
    },
    onError: (error) => void notifications.show({ message: textOf(error), color: 'red' }),
  });
  return { isPending, start: (topic?: Topic) => mutate(topic ? { topic } : {}) };
}

import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';

/**
 * What follows every choice: it is said that it was saved, or why not, and the pages read again
 * what they show of it.
 */
export function useSaved() {
  const t = useTranslations('panel.shell');
  const textOf = useErrorText();
  const utils = api.useUtils();
  return {
    // One message, however many choices are made: it stays where it is and its time restarts.
    onSuccess: () => void notifications.show({ id: 'preference-saved', message: t('saved') }),
    onError: (error: unknown) => void notifications.show({ color: 'red', message: textOf(error) }),
    onSettled: () => Promise.all([utils.preferences.get.invalidate(), utils.session.me.invalidate()]),
  };
}

import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';

/**
 * Options of a mutation: says that a choice was saved, or why not, and reads again what the pages
 * show of it.
 */
export function useSaved() {
  const t = useTranslations('panel.shell');
  const { failed } = useNotify();
  const utils = api.useUtils();
  return {
    // One message for all choices: it stays where it is, and its time restarts.
    onSuccess: () => void notifications.show({ id: 'preference-saved', message: t('saved') }),
    onError: failed,
    onSettled: () => Promise.all([utils.preferences.get.invalidate(), utils.session.me.invalidate()]),
  };
}

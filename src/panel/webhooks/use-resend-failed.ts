import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';

/**
 * Sends again what failed, of one topic's destination or of all; the server takes a limited number
 * a call and says whether some are left.
 */
export function useResendFailed() {
  const t = useTranslations('panel.webhooks.log');
  const notify = useNotify();
  const utils = api.useUtils();
  return api.webhooks.resendFailed.useMutation(
    notify.after(
      ({ resent, more }) => t(more ? 'resentSome' : 'resent', { count: resent }),
      () => utils.webhooks.invalidate(),
    ),
  );
}

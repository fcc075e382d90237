import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';

/**
 * Options of a decision's mutation. Whatever its outcome, the lists are read again: another tab may
 * have been first.
 */
export function useDecision(onClose: () => void) {
  const t = useTranslations('panel.unmatched.done');
  const notify = useNotify();
  const utils = api.useUtils();
  return {
    onSuccess({ outcome }: { outcome: 'assigned' | 'deposited' | 'returning' | 'charged' }) {
      notify.done(t(outcome));
      onClose();
    },
    onSettled: () =>
      Promise.all([
        utils.unmatched.invalidate(),
        utils.overview.invalidate(),
        utils.balance.invalidate(),
        utils.transactions.list.invalidate(),
      ]),
  };
}

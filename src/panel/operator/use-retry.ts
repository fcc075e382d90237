import { useTranslations } from 'next-intl';
import { useNotify } from '#panel/shell/use-notify.ts';

type Outcome = { outcome: 'queued' | 'due' };

/** Options of a mutation that has something done again: its outcome in words, then `after`. */
export function useRetry(after: () => Promise<unknown>) {
  const t = useTranslations('operator.queue');
  const notify = useNotify();
  return {
    async onSuccess({ outcome }: Outcome) {
      notify.done(t(outcome === 'queued' ? 'queued' : 'isDue'));
      await after();
    },
    onError: notify.failed,
  };
}

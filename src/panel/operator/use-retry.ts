import { useTranslations } from 'next-intl';
import { useNotify } from '#panel/shell/use-notify.ts';

type Outcome = { outcome: 'queued' | 'due' };

/** Options of a mutation that runs something again: says the outcome, then calls `after`. */
export function useRetry(after: () => Promise<unknown>) {
  const t = useTranslations('operator.queue');
  const notify = useNotify();
  return notify.after(({ outcome }: Outcome) => t(outcome === 'queued' ? 'queued' : 'isDue'), after);
}

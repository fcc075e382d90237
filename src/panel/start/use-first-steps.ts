import type { FirstStepsOutput } from '#contract/accounts/first-steps-output.ts';
import { api } from '#panel/api.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';

export type FirstStep = { name: 'charge' | 'pay' | 'webhook' | 'provider' | 'verify'; done: boolean };

/** The steps that are taken in test mode, where payments are simulated. */
export const isSimulated = (name: FirstStep['name']) => name === 'charge' || name === 'pay' || name === 'webhook';

/** Long enough that menu and home page share one read. */
const FRESH_MS = 30_000;

/**
 * The merchant's progress; null while it is unknown. `isAwaited`: the first try is under way;
 * nothing has to wait for what comes after a failure.
 */
export function useFirstSteps() {
  const enabled = usePanel().may('firstSteps.get');
  const { data, isPending, failureCount } = api.firstSteps.get.useQuery(undefined, { staleTime: FRESH_MS, enabled });
  return { steps: data ? firstStepsLeft(data) : null, isAwaited: enabled && isPending && failureCount === 0 };
}

/**
 * Returns the steps from an open account to the first payment, how many are done, and the next one;
 * null when all are.
 */
export function firstStepsLeft(steps: FirstStepsOutput): { list: FirstStep[]; done: number; next: FirstStep | null } {
  const list: FirstStep[] = [
    { name: 'charge', done: steps.charged },
    { name: 'pay', done: steps.paid },
    { name: 'webhook', done: steps.webhook_delivered },
    ...(steps.provider === null ? [] : [{ name: 'provider' as const, done: steps.provider === 'connected' }]),
    { name: 'verify', done: steps.kyc_status === 'approved' },
  ];
  return { list, done: list.filter(({ done }) => done).length, next: list.find(({ done }) => !done) ?? null };
}

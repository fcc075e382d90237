import { api } from '#panel/api.tsx';
import { firstStepsLeft } from './first-steps-left.ts';

/** Menu and home ask once a page, not with every look at them. */
const FRESH_MS = 30_000;

/**
 * How far the account has come; null while nobody knows. `isAwaited`: it is about to be known, as
 * far as the first try goes: nothing has to wait for what comes after a failure.
 */
export function useFirstSteps() {
  const { data, isPending, failureCount } = api.firstSteps.get.useQuery(undefined, { staleTime: FRESH_MS });
  return { steps: data ? firstStepsLeft(data) : null, isAwaited: isPending && failureCount === 0 };
}

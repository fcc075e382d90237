'use client';

import { api } from '#panel/api.tsx';
import { firstStepsLeft } from './first-steps-left.ts';

/** Menu and home ask once a page, not with every look at them. */
const FRESH_MS = 30_000;

/** How far the account has come; null while nobody knows. */
export function useFirstSteps() {
  const { data } = api.firstSteps.get.useQuery(undefined, { staleTime: FRESH_MS });
  return data ? firstStepsLeft(data) : null;
}

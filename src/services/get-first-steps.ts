import { type FirstSteps, findFirstSteps } from '#db/first-steps.ts';
import type { Deps } from './deps.ts';

/** How far an account has come since it was opened. */
export const getFirstSteps = ({ db }: Pick<Deps, 'db'>, accountId: string): Promise<FirstSteps> =>
  findFirstSteps(db.pool, accountId);

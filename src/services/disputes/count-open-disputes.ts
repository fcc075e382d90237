import { countDisputes, type DisputeCount } from '#db/disputes/count-disputes.ts';
import type { Deps } from '../deps.ts';

/** Counts open cases by state and mode. */
export const countOpenDisputes = ({ db }: Pick<Deps, 'db'>): Promise<DisputeCount[]> => countDisputes(db.pool);

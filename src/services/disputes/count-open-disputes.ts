import { countDisputes, type DisputeCount } from '#db/disputes/count-disputes.ts';
import type { Deps } from '../deps.ts';

/** How many cases have not ended, by where they are, for the metrics. */
export const countOpenDisputes = ({ db }: Pick<Deps, 'db'>): Promise<DisputeCount[]> => countDisputes(db.pool);

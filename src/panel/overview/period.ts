import { createLoader } from 'nuqs/server';
import { parseAsWord } from '#panel/shell/parse-as-word.ts';

/**
 * The periods' names in the address, which are those of the list; without one it is thirty days.
 */
export const PERIOD_WORDS = { today: 'hoje', '7d': '7d', '30d': '30d', '90d': '90d' } as const;

export const OVERVIEW_ADDRESS = { periodo: parseAsWord(PERIOD_WORDS).withDefault('30d') };

export const loadPeriod = createLoader(OVERVIEW_ADDRESS);

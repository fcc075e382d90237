import { expect, test } from 'vitest';
import { runDrill } from './drill.ts';
import { SHORT_FORM } from './drills.ts';
import { describeBroken } from './report.ts';

/**
 * Fixed, so that a failure belongs to the change that it appears with. `npm run drill` takes
 * another one.
 */
const SEED = 20_261_123;
/** Longer than a busy machine takes for a drill: a bound, not a measure. */
const DRILL_MS_MAX = 900_000;

// ASVS 2.3.3, 16.5.3
test.each(SHORT_FORM)(
  'nothing that was acknowledged is lost or done twice, and the books agree: $name',
  async (drill) => {
    const result = await runDrill(drill, { isLong: false, seed: SEED, minutesMax: 5, onNote: () => {} });
    expect(describeBroken(result)).toEqual([]);
  },
  DRILL_MS_MAX,
);

import { expect, test } from 'vitest';
import { describeBroken } from './report.ts';
import { runSubject, type Subject } from './subject.ts';

/**
 * Fixed, so that a failure at one change is that change's. `npm run attack` takes another one each
 * time.
 */
const SEED = 20_261_122;

/** Above what a busy machine takes for a subject: it is a bound, not a measure. */
const SUBJECT_MS_MAX = 180_000;

/** A test for each subject: as many tries as at every change. */
export function testShortForm(subjects: readonly Subject[]): void {
  test.each(subjects)(
    'an attacker gets nowhere: $name',
    async (subject) => {
      const results = await runSubject(subject, { isLong: false, seed: SEED });
      expect(results.flatMap(describeBroken)).toEqual([]);
    },
    SUBJECT_MS_MAX,
  );
}

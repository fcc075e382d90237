import { expect, test } from 'vitest';
import { describeBroken } from './report.ts';
import { runSubject, type Subject } from './subject.ts';

/**
 * Fixed, so that a failure belongs to the change that it appears with. `npm run attack` takes
 * another one each time.
 */
const SEED = 20_261_122;

/** Five times what a slow and busy machine takes for a subject: against one that hangs. */
const SUBJECT_MS_MAX = 900_000;

/** Declares a test for each subject in its short form. */
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

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, most of it waiting: for processes, for a provider's time-out, for a
 * server that recovers.
 */
export const LONGEST_FILES: readonly string[] = [
  'drill/short-form.db.test.ts',
  'src/testing/books-agree.db.test.ts',
  'attack/short-form-first-half.db.test.ts',
  'src/services/withdrawals/payouts.db.test.ts',
  'attack/short-form-second-half.db.test.ts',
  'src/db/backup/backup.db.test.ts',
  'src/cli/restore-point.db.test.ts',
  'src/testing/payout-crash.db.test.ts',
  'src/db/point-in-time/point-in-time.db.test.ts',
  'src/cli/check-upgrade.db.test.ts',
  'src/db/ledger/ledger-model.db.test.ts',
  'src/server/rest/api-client.db.test.ts',
  'src/services/backup/take-due-backup.db.test.ts',
  'src/testing/key-rotation.db.test.ts',
  'src/bootstrap/supervise-roles.db.test.ts',
  'src/postgres/embedded-postgres.test.ts',
  'src/postgres/embedded-postgres-restart.test.ts',
];

/**
 * Starts with the longest files. Vitest starts with the largest file, but the one that takes
 * longest is one of the smallest: it started last, and one core waited a minute for it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const begunAt = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST_FILES.indexOf(relative(this.ctx.config.root, moduleId));
      return at === -1 ? LONGEST_FILES.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => begunAt(a) - begunAt(b));
  }
}

import { expect, test } from 'vitest';
import { createFailureReports } from './create-failure-reports.ts';

const minute = (count: number) => new Date(Date.UTC(2026, 10, 23) + count * 60_000);

test('a failure is logged at once and every quarter of an hour, and sends one message when it lasts', () => {
  const reports = createFailureReports();
  const seen = Array.from({ length: 40 }, (_, at) => ({ at, ...reports.fail(minute(at)) }));
  expect(seen.filter(({ log }) => log).map(({ at }) => at)).toEqual([0, 15, 30]);
  expect(seen.filter(({ mail }) => mail).map(({ at }) => at)).toEqual([10]);
});

test('after a success the next failure is logged at once again, and sends a message of its own', () => {
  const reports = createFailureReports();
  expect(reports.fail(minute(0))).toEqual({ log: true, mail: false });
  expect(reports.fail(minute(10))).toEqual({ log: false, mail: true });
  reports.succeed();
  expect(reports.fail(minute(11))).toEqual({ log: true, mail: false });
  expect(reports.fail(minute(20))).toEqual({ log: false, mail: false });
  expect(reports.fail(minute(21))).toEqual({ log: false, mail: true });
});

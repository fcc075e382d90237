import { expect, test } from 'vitest';
import { describeOutdated, judgeAudit } from './dependencies.mjs';

const audit = (vulnerabilities: Record<string, { severity: string; fixAvailable: unknown }>) =>
  judgeAudit(JSON.stringify({ vulnerabilities }));

test('a severe vulnerability that a release fixes is reported, and one without a release or a mild one is not', () => {
  const release = { name: 'next', version: '16.4.6', isSemVerMajor: false };
  expect(
    audit({
      a: { severity: 'high', fixAvailable: release },
      b: { severity: 'critical', fixAvailable: true },
      c: { severity: 'critical', fixAvailable: false },
      d: { severity: 'moderate', fixAvailable: true },
    }),
  ).toEqual({
    isKnown: true,
    mendable: [
      { name: 'a', severity: 'high', mend: 'next@16.4.6' },
      { name: 'b', severity: 'critical', mend: 'npm audit fix' },
    ],
  });
});

test.each(['', 'npm error', '{"message":"405 Method Not Allowed","statusCode":405}', '{"error":{"code":"ENOTFOUND"}}'])(
  'a registry that does not answer (%s) is a notice, never a failure',
  (text) => {
    expect(judgeAudit(text)).toEqual({ isKnown: false, mendable: [] });
  },
);

test('an outdated package is a notice', () => {
  const text = JSON.stringify({ a: { current: '1.0.0', latest: '2.0.0' }, b: { latest: '1.0.0' } });
  expect(describeOutdated(text)).toEqual(['notice: a 1.0.0 is not the newest, 2.0.0 is.']);
  expect(describeOutdated('')).toEqual(['notice: the registry did not say what is outdated.']);
  expect(describeOutdated('{}')).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeOutdated, judgeAudit } from './dependencies.mjs';

const audit = (vulnerabilities: Record<string, { severity: string; fixAvailable: unknown }>) =>
  judgeAudit(JSON.stringify({ vulnerabilities }));

// ASVS 15.2.1
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

// ASVS 15.1.2
test('every package is listed with its hash, and comes from the registry', () => {
  const lock: { packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }> } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
  );
  // The link is the workspace of the library, which is in this repository.
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  expect(packages.length).toBeGreaterThan(200);
  // An address that is left out is the registry's.
  const isElsewhere = (address: string | undefined) => address && !address.startsWith('https://registry.npmjs.org/');
  const others = packages.filter(
    ([, { resolved, integrity }]) => isElsewhere(resolved) || !integrity?.startsWith('sha512-'),
  );
  expect(others.map(([path]) => path)).toEqual([]);
});

import { expect, test } from 'vitest';
import { webProcessesTable } from './report.ts';
import { compareRounds } from './web-processes.ts';

const side = (requestsPerSecond: number) => ({ requestsPerSecond, p50Ms: 1, p99Ms: 2, cpuUs: 3 });

test('the ratio of two web processes to one is the median of the rounds’ ratios', () => {
  // The machine got slower from round to round: the rounds' ratios are 2, 1 and 1.5.
  const { one, two, ratio } = compareRounds([
    { one: side(400), two: side(800) },
    { one: side(300), two: side(300) },
    { one: side(200), two: side(300) },
  ]);
  expect(ratio).toBe(1.5);
  expect([one.requestsPerSecond, two.requestsPerSecond]).toEqual([300, 300]);
});

test('the table of web processes begins with the ratio, and has the cores that each side keeps busy', () => {
  const one = { requestsPerSecond: 2_000, p50Ms: 1, p99Ms: 2, cpuUs: 450 };
  const two = { ...one, requestsPerSecond: 3_000, cpuUs: 500 };
  const row = webProcessesTable([{ name: 'balance', one, two, ratio: 1.5 }])
    .split('\n')
    .at(-1);
  expect(row?.split(/ +/)).toEqual([
    'balance',
    '1.50',
    '2000',
    '1.00',
    '2.00',
    '450',
    '0.90',
    '3000',
    '1.00',
    '2.00',
    '500',
    '1.50',
  ]);
});

import { expect, test } from 'vitest';
import { peersTable, peersText } from '../report.ts';
import { comparePeers } from './measure-peers.ts';

const side = (requestsPerSecond: number) => ({ requestsPerSecond, p50Ms: 1, p99Ms: 2, cpuUs: 3 });

test('the service is compared with each peer by the median of the rounds’ ratios', () => {
  // The machine got slower from round to round.
  const { service, lastOverFirst, peers } = comparePeers('spread', [
    { service: side(800), blnk: side(400), formance: side(800) },
    { service: side(600), blnk: side(200), formance: side(300) },
    { service: side(400), blnk: side(400), formance: side(100) },
  ]);
  expect(service.requestsPerSecond).toBe(600);
  expect(lastOverFirst).toBe(1);
  expect(peers.map(({ name, ratio }) => [name, ratio])).toEqual([
    ['blnk', 2],
    ['formance', 2],
  ]);
});

test('whether the service gets slower is said by the medians of its first and its last rounds', () => {
  const rounds = [100, 110, 500, 300, 300, 80, 88, 10].map((rate) => ({ service: side(rate) }));
  expect(comparePeers('spread', rounds).lastOverFirst).toBeCloseTo(80 / 110);
});

test('the table of peers says missed as soon as the service is behind one of them', () => {
  const rounds = (own: number) => [{ service: side(own), blnk: side(500), formance: side(100) }];
  const [ahead, behind] = [comparePeers('spread', rounds(600)), comparePeers('one account', rounds(400))];
  const rows = peersTable([ahead, behind]).split('\n').slice(-2);
  expect(rows[0]).toMatch(/^spread +1\.20 +6\.00 .* met$/);
  expect(rows[1]).toMatch(/^one account +0\.80 +4\.00 .* missed$/);
});

test('a peer that was not built is named with the reason', () => {
  const leftOut = [{ name: 'formance', reason: 'go is not installed' }];
  const text = peersText({ rates: [], built: [{ name: 'blnk', version: 'v1' }], leftOut });
  expect(text).toContain('Built: blnk v1.');
  expect(text).toContain('Left out: formance, because go is not installed');
});

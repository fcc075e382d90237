import { expect, test } from 'vitest';
import { CONNECTIONS_MIN, connectionsBeneath, shareConnections } from './lanes.ts';

test.each([CONNECTIONS_MIN, 7, 10, 16, 100])(
  '%i connections are shared out to the last, and every lane has one',
  (total) => {
    for (const [web, worker, sandbox] of [
      [true, true, true],
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ] as const) {
      const { writes, reads, visitors, background, sandbox: own } = shareConnections(total, { web, worker, sandbox });
      expect(writes + reads + visitors + background + own).toBe(total);
      expect(
        Math.min(background, ...(web ? [writes, reads, visitors] : []), ...(sandbox ? [own] : [])),
      ).toBeGreaterThan(0);
    }
  },
);

test('of 16 connections at most twelve change rows that others may have locked, in one process and in two', () => {
  const web = shareConnections(16, { web: true, worker: false, sandbox: false });
  const worker = shareConnections(connectionsBeneath(16), { web: false, worker: true, sandbox: false });
  expect(web.writes + worker.background).toBe(12);
  const both = shareConnections(16, { web: true, worker: true, sandbox: true });
  expect(both.writes + both.background).toBe(8);
});

test.each([CONNECTIONS_MIN, 16])('a process beneath one with %i connections has enough for its role', (total) => {
  const beneath = connectionsBeneath(total);
  expect(shareConnections(beneath, { web: false, worker: false, sandbox: true })).toMatchObject({
    sandbox: beneath - 1,
    background: 1,
  });
});

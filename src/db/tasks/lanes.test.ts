import { expect, test } from 'vitest';
import { CONNECTIONS_MIN, shareConnections } from './lanes.ts';

test.each([CONNECTIONS_MIN, 7, 10, 16, 100])(
  '%i connections are shared out to the last, and every lane has one',
  (total) => {
    for (const web of [true, false]) {
      for (const sandbox of [true, false]) {
        const { writes, reads, visitors, background, sandbox: own } = shareConnections(total, { web, sandbox });
        expect(writes + reads + visitors + background + own).toBe(total);
        expect(
          Math.min(background, ...(web ? [writes, reads, visitors] : []), ...(sandbox ? [own] : [])),
        ).toBeGreaterThan(0);
      }
    }
  },
);

test('rows that are locked are touched by ten connections at most', () => {
  const { writes, background } = shareConnections(16, { web: true, sandbox: false });
  expect(writes + background).toBe(10);
});

import { expect, test } from 'vitest';
import { pollInterval } from './poll-interval.ts';

type Followed = Parameters<typeof pollInterval>[0];
const NOW = new Date('2026-11-20T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();
const settled = { status: 'paid', refunds: [] };

test('a transaction is followed until its status, its refunds and its deliveries have ended', () => {
  const delivered = { status: 'delivered', next_attempt_at: null } as const;
  const every = (transaction: Followed['transaction'], deliveries: Followed['deliveries']) =>
    pollInterval({ transaction, deliveries }, NOW);
  expect(every({ status: 'pending', refunds: [] }, [])).toBe(4_000);
  expect(every({ status: 'paid', refunds: [{ status: 'pending' }] }, [])).toBe(4_000);
  expect(every(settled, [delivered, { status: 'pending', next_attempt_at: at(0) }])).toBe(4_000);
  expect(every(settled, [delivered, { status: 'pending', next_attempt_at: null }])).toBe(4_000);
  expect(every(settled, [{ status: 'pending', next_attempt_at: at(600) }])).toBe(30_000);
  expect(every(settled, [delivered, { status: 'failed', next_attempt_at: null }])).toBe(false);
});

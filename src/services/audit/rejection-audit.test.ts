import { expect, test } from 'vitest';
import { createRejectionAudit, type RejectedAction } from './rejection-audit.ts';

function auditInMemory() {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const rows: { action: string; memberId: string | null; details: { count_in_hour: number } }[] = [];
  const db = {
    prisma: { auditRecord: { create: async ({ data }: { data: (typeof rows)[number] }) => rows.push(data) } },
  };
  const parts = { db, clock: () => new Date(now), log: { error: () => {} }, observe: () => {} };
  const audit = createRejectionAudit(parts as unknown as Parameters<typeof createRejectionAudit>[0]);
  const reject = async (times: number, entry: Partial<RejectedAction> = {}) => {
    const origin = { ipAddress: '203.0.113.7', userAgent: null };
    const usual = { merchantId: 'm', memberId: 'a', accountId: null, action: 'sign_in.failed', details: {}, origin };
    for (let i = 0; i < times; i++) await audit.note({ ...usual, ...entry });
  };
  const counts = () => rows.map(({ details }) => details.count_in_hour);
  const pass = (ms: number) => {
    now += ms;
  };
  return { reject, rows, counts, pass };
}

test('of ten thousand rejections within an hour 28 are recorded, each with its number', async () => {
  const { reject, counts } = auditInMemory();
  await reject(10_000);
  expect(counts()).toEqual([
    ...Array.from({ length: 20 }, (_, i) => i + 1),
    ...[40, 80, 160, 320, 640, 1_280, 2_560, 5_120],
  ]);
});

test('a member who is rejected often does not keep others, other actions or the next hour out of the audit', async () => {
  const { reject, rows, counts, pass } = auditInMemory();
  await reject(30);
  await reject(1, { memberId: 'b' });
  await reject(1, { action: 'confirmation.failed' });
  await reject(1, { memberId: null, keyId: 'k' });
  expect(rows).toHaveLength(23);
  pass(3_599_000);
  await reject(1);
  expect(rows).toHaveLength(23);
  pass(1_000);
  await reject(1);
  expect(counts().at(-1)).toBe(1);
});

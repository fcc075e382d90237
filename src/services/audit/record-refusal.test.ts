import { expect, test } from 'vitest';
import { createRefusalAudit, type RefusedAction } from './record-refusal.ts';

function auditInMemory() {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const rows: { action: string; memberId: string | null; details: { count_in_hour: number } }[] = [];
  const db = {
    prisma: { auditRecord: { create: async ({ data }: { data: (typeof rows)[number] }) => rows.push(data) } },
  };
  const parts = { db, clock: () => new Date(now), log: { error: () => {} }, observe: () => {} };
  const audit = createRefusalAudit(parts as unknown as Parameters<typeof createRefusalAudit>[0]);
  const refuse = async (times: number, entry: Partial<RefusedAction> = {}) => {
    const origin = { ipAddress: '203.0.113.7', userAgent: null };
    const usual = { merchantId: 'm', memberId: 'a', accountId: null, action: 'sign_in.failed', details: {}, origin };
    for (let i = 0; i < times; i++) await audit.note({ ...usual, ...entry });
  };
  const counts = () => rows.map(({ details }) => details.count_in_hour);
  const pass = (ms: number) => {
    now += ms;
  };
  return { refuse, rows, counts, pass };
}

test('of ten thousand refusals within an hour 28 are noted, and the last one tells how many there were', async () => {
  const { refuse, counts } = auditInMemory();
  await refuse(10_000);
  expect(counts()).toEqual([
    ...Array.from({ length: 20 }, (_, i) => i + 1),
    ...[40, 80, 160, 320, 640, 1_280, 2_560, 5_120],
  ]);
});

test('whoever is refused often does not keep others, other actions or the next hour out of the audit', async () => {
  const { refuse, rows, counts, pass } = auditInMemory();
  await refuse(30);
  await refuse(1, { memberId: 'b' });
  await refuse(1, { action: 'confirmation.failed' });
  await refuse(1, { memberId: null, keyId: 'k' });
  expect(rows).toHaveLength(23);
  pass(3_599_000);
  await refuse(1);
  expect(rows).toHaveLength(23);
  pass(1_000);
  await refuse(1);
  expect(counts().at(-1)).toBe(1);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import type { Role } from '#domain/members/roles.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { mailsTo } from '#testing/mails.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

async function merchant() {
  const { accountId, merchantId } = await trilho.openAccount({ mode: 'live' });
  const member = async (role: Role) => {
    const memberId = uuidv7(trilho.deps.clock());
    const email = `${memberId}@example.com`;
    await addMember(trilho.deps.db.pool, { id: memberId, merchantId, email, role, name: `Pessoa ${role}` });
    const panel = await panelCaller(trilho.deps, accountId, { memberId, email, role, name: `Pessoa ${role}` });
    return { email, panel };
  };
  return { member };
}

test('every member is notified of a change of the threshold, whatever their role, and the audit has it', async () => {
  const { member } = await merchant();
  const [first, second, viewer] = [await member('owner'), await member('owner'), await member('viewer')];
  await first.panel.thresholds.set({ kind: 'approval', amount: 500 });
  await first.panel.thresholds.set({ kind: 'approval', amount: 1_000.5 });
  expect(await second.panel.thresholds.get({ kind: 'approval' })).toMatchObject({
    amount: 500,
    proposal: { amount: 1_000.5, applies_from: null, by: 'Pessoa owner', own: false },
  });
  await expect(first.panel.thresholds.approve({ kind: 'approval', amount: 1_000.5 })).rejects.toMatchObject({
    cause: { code: 'approval_own' },
  });
  await expect(second.panel.thresholds.approve({ kind: 'approval', amount: 2_000 })).rejects.toMatchObject({
    cause: { code: 'invalid_state' },
  });
  await second.panel.thresholds.approve({ kind: 'approval', amount: 1_000.5 });
  expect(await first.panel.thresholds.get({ kind: 'approval' })).toEqual({ amount: 1_000.5, proposal: null });

  const mails = await trilho.until('three mails', async () => {
    const found = mailsTo(trilho, viewer.email);
    return found.length >= 3 ? found.join('\n') : null;
  });
  expect(mails).toMatch(/— → R\$.500,00/);
  expect(mails).toMatch(/R\$.500,00 → R\$.1000,50/);
  const { entries } = await first.panel.security.activity({ kind: 'security' });
  expect(entries.map(({ action }) => action)).toEqual([
    'approval_threshold.approved',
    'approval_threshold.proposed',
    'approval_threshold.set',
  ]);
});

test('a lone owner waits a day for a removed threshold, finance sees the threshold and can’t set it, and a wrong amount is rejected', async () => {
  const { member } = await merchant();
  const [owner, finance] = [await member('owner'), await member('finance')];
  await owner.panel.thresholds.set({ kind: 'approval', amount: 0 });
  await owner.panel.thresholds.set({ kind: 'approval', amount: null });
  const { proposal, amount } = await finance.panel.thresholds.get({ kind: 'approval' });
  expect([amount, proposal?.amount]).toEqual([0, null]);
  expect(Date.parse(proposal?.applies_from ?? '') - Date.parse(proposal?.at ?? '')).toBe(24 * 60 * 60_000);
  await expect(finance.panel.thresholds.set({ kind: 'approval', amount: 1 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  for (const wrong of [-1, 0.001, 1e12]) {
    await expect(owner.panel.thresholds.set({ kind: 'approval', amount: wrong })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
});

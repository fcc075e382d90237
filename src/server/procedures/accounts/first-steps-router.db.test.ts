import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

test('the first steps of a merchant are the same in both modes, with what each account can go on with', async () => {
  const merchant = { email: 'passos@example.com' };
  const live = await trilho.openAccount({ ...merchant, mode: 'live' });
  const ofTest = await trilho.openAccount({ ...merchant, mode: 'test' });
  const read = async () => ({
    live: await (await panelCaller(trilho.deps, live.accountId)).firstSteps.get(),
    test: await (await panelCaller(trilho.deps, ofTest.accountId)).firstSteps.get(),
  });
  const none = { charged: false, charge_id: null, paid: false, webhook_delivered: false, provider: null };
  expect(await read()).toMatchObject({ live: none, test: none });

  const id = await makePaidCharge(trilho, ofTest.apiKey, { amount: 100.5 });
  const done = { charged: true, paid: true };
  expect(await read()).toMatchObject({ live: { ...done, charge_id: null }, test: { ...done, charge_id: id } });

  // Own credentials are for live payments, and a step in both modes, too.
  trilho.deps.settings.requireOwnCredentials = true;
  expect(await read()).toMatchObject({ live: { provider: 'missing' }, test: { provider: 'missing' } });
  trilho.deps.settings.requireOwnCredentials = false;

  // A stranger's steps are their own.
  const other = await panelCaller(trilho.deps, (await trilho.openAccount({ mode: 'live' })).accountId);
  expect(await other.firstSteps.get()).toMatchObject(none);
});

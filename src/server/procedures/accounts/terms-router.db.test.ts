import { afterAll, beforeAll, expect, test } from 'vitest';
import { setDefaultLimits } from '#db/accounts/set-default-limits.ts';
import { DEFAULT_LIMITS, parseDefaultLimits } from '#domain/accounts/default-limits.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import { changeTerms } from '#services/accounts/change-terms.ts';
import { setAccount } from '#services/accounts/set-account.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** 14:00 and 21:00 in São Paulo. */
const DAY = '2026-11-20T17:00:00.000Z';
const NIGHT = '2026-11-21T00:00:00.000Z';

let now = new Date(DAY);
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
});
afterAll(() => trilho.stop());

test('each limit says how much of it is used, what is left and when it restarts; a missing limit is null', async () => {
  const { accountId, apiKey } = await trilho.openAccount({
    limits: [
      { name: 'daily_limit_out_pix', centavos: 100_00n },
      { name: 'night_limit_out_pix', centavos: 50_00n },
      { name: 'maximal_value_out_pix', centavos: 80_00n },
    ],
  });
  const panel = await panelCaller(trilho.deps, accountId);
  const limit = async (name: LimitName) => (await panel.terms.get()).limits.find((one) => one.name === name);
  expect(await limit('night_limit_out_pix')).toEqual({ name: 'night_limit_out_pix', limit: 50, use: null });
  await makePaidCharge(trilho, apiKey, { amount: 90 });
  now = new Date(NIGHT);
  const body = { amount: 30, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
  expect((await trilho.post('/payments/transfers/pix', apiKey, body)).status).toBe(200);
  expect(await limit('daily_limit_out_pix')).toEqual({
    name: 'daily_limit_out_pix',
    limit: 100,
    use: { used: 30, left: 70, resets_at: '2026-11-21T03:00:00.000Z' },
  });
  expect(await limit('night_limit_out_pix')).toMatchObject({
    limit: 50,
    use: { used: 30, left: 20, resets_at: '2026-11-21T09:00:00.000Z' },
  });
  expect(await limit('maximal_value_out_pix')).toMatchObject({ limit: 80, use: null });
  expect(await limit('daily_limit_out_crypto')).toMatchObject({ limit: null, use: { used: 0, left: null } });
  expect((await panel.terms.get()).night).toEqual({ from_hour: 20, to_hour: 6, now: true });
});

test('a limit of zero leaves nothing', async () => {
  const { accountId } = await trilho.openAccount({ limits: [{ name: 'daily_limit_out_pix', centavos: 0n }] });
  const panel = await panelCaller(trilho.deps, accountId);
  const { limits } = await panel.terms.get();
  expect(limits.find(({ name }) => name === 'daily_limit_out_pix')).toMatchObject({
    limit: 0,
    use: { used: 0, left: 0 },
  });
});

test('each fee has an example that its own transactions would have: on top of a PIX withdrawal, out of all others', async () => {
  const fee = { bps: 100, fixedCentavos: 10n };
  const { accountId } = await trilho.openAccount({
    fees: (['pix_in', 'pix_out', 'crypto_out'] as const).map((type) => ({ type, fee })),
    inactiveRails: ['crypto_out'],
    spreadBps: 200,
    toleranceBps: 50,
  });
  const { fees, crypto } = await (await panelCaller(trilho.deps, accountId)).terms.get();
  const stated = { percent: 1, fixed: 0.1 };
  expect(fees).toEqual([
    { type: 'pix_in', ...stated, active: true, example: { amount: 100, fee: 1.1, net: 98.9, total: 100 } },
    { type: 'pix_out', ...stated, active: true, example: { amount: 100, fee: 1.1, net: 100, total: 101.1 } },
    { type: 'crypto_in', percent: 0, fixed: 0, active: true, example: { amount: 100, fee: 0, net: 100, total: 100 } },
    { type: 'crypto_out', ...stated, active: false, example: { amount: 100, fee: 1.1, net: 98.9, total: 100 } },
  ]);
  expect(crypto).toEqual({
    spread_percent: 2,
    tolerance_percent: 0.5,
    price_example: { market: 100, charge: 98, withdrawal: 102 },
    tolerance_example: { amount: 100, from: 99.5, to: 100.5 },
  });
});

test('an account without limits of its own has the installation’s, everywhere, until the operator says none', async () => {
  const opened = await trilho.openAccount({ kycStatus: 'approved' });
  const { accountId, apiKey } = opened;
  const limits = async () => ((await trilho.get('/payments/limits', apiKey)).body.data as { limits: object }).limits;
  const withdraw = async (amount: number) => {
    const body = { amount, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
    const answer = await trilho.post('/payments/transfers/pix', apiKey, body);
    return answer.body.error ?? answer.status;
  };
  now = new Date(DAY);
  await makePaidCharge(trilho, apiKey, { amount: 40_000 });
  expect(await limits()).toMatchObject({ daily_limit_out_pix: null, maximal_value_in_pix: null });
  await setDefaultLimits(trilho.deps.db.pool, DEFAULT_LIMITS);
  try {
    const expected = Object.fromEntries(
      Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, Number(value) / 100]),
    );
    expect(await limits()).toEqual(expected);
    const panel = await panelCaller(trilho.deps, accountId);
    const shown = (await panel.terms.get()).limits.map(({ name, limit }) => [name, limit]);
    expect(Object.fromEntries(shown)).toEqual(expected);

    expect(await withdraw(15_000.01)).toBe('Valor acima do máximo permitido');
    expect(await withdraw(0.99)).toBe('Valor abaixo do mínimo permitido');
    expect([await withdraw(15_000), await withdraw(15_000)]).toEqual([200, 200]);
    expect(await withdraw(1)).toBe('Limite diário atingido');
    now = new Date(NIGHT);
    await change([{ name: 'daily_limit_out_pix', centavos: null }]);
    expect(await withdraw(1_000.01)).toBe('Limite noturno atingido');
    expect(await withdraw(1_000)).toBe(200);
    expect(await limits()).toMatchObject({ daily_limit_out_pix: null, night_limit_out_pix: 1_000 });
    await change([{ name: 'daily_limit_out_pix', centavos: 'default' }]);
    expect(await withdraw(1)).toBe('Limite diário atingido');
  } finally {
    await setDefaultLimits(trilho.deps.db.pool, parseDefaultLimits('none') ?? DEFAULT_LIMITS);
  }
  expect(await limits()).toMatchObject({ night_limit_out_pix: null });

  function change(limits: Parameters<typeof setAccount>[1]['limits']) {
    const nothingElse = { merchant: {}, account: {}, fees: [], rails: [], webhookUrl: undefined, credentials: [] };
    return setAccount(trilho.deps, { accountId, limits, ...nothingElse });
  }
});

test('a planned change is shown with its day and without the operator’s reason, until it applies', async () => {
  now = new Date(DAY);
  const { accountId } = await trilho.openAccount();
  const panel = await panelCaller(trilho.deps, accountId);
  const effectiveAt = new Date('2026-11-21T03:00:00.000Z');
  await changeTerms(
    { ...trilho.deps, operator: 'ana' },
    {
      accountId,
      terms: {
        fees: { pix_out: { bps: 150, fixedCentavos: 30n } },
        limits: { daily_limit_out_pix: 'default', night_limit_out_pix: null, maximal_value_in_pix: 500_00n },
        toleranceBps: 0,
      },
      effectiveAt,
      reason: 'Acordo de novembro',
    },
  );
  expect((await panel.terms.get()).planned).toEqual([
    {
      effective_from: effectiveAt.toISOString(),
      fees: [{ type: 'pix_out', percent: 1.5, fixed: 0.3, before: null }],
      limits: [
        { name: 'maximal_value_in_pix', limit: 500, is_default: false, before: null },
        { name: 'daily_limit_out_pix', limit: null, is_default: true, before: null },
        { name: 'night_limit_out_pix', limit: null, is_default: false, before: null },
      ],
      spread: null,
      tolerance: { percent: 0, before_percent: null },
    },
  ]);
  now = effectiveAt;
  const later = await (await panelCaller(trilho.deps, accountId)).terms.get();
  expect(later.planned).toEqual([]);
  expect(later.fees).toContainEqual(expect.objectContaining({ type: 'pix_out', percent: 1.5, fixed: 0.3 }));
});

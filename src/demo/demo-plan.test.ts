import { describe, expect, test } from 'vitest';
import { dayStart } from '#domain/values/business-day.ts';
import { parseDocument } from '#domain/values/documents.ts';
import { parsePixKey } from '#domain/withdrawals/pix-key.ts';
import { parseWallet } from '#domain/withdrawals/wallet-address.ts';
import { chargeMagic } from '#sandbox/pix/magic.ts';
import { CUSTOMERS, PAYEES, WALLETS } from './demo-people.ts';
import { HISTORY_DAYS, planHistory } from './demo-plan.ts';

/** Saturday noon in São Paulo. */
const UNTIL = new Date('2026-11-21T15:00:00.000Z');
const plan = planHistory(UNTIL);
const created = plan.flatMap((step) => ('n' in step ? [step] : []));

describe('the demo’s plan', () => {
  test('is in the order of time, ends at the given instant, and covers every one of its days', () => {
    const instants = plan.map(({ at }) => at.getTime());
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    expect(instants.at(-1)).toBeLessThanOrEqual(UNTIL.getTime());
    expect(new Set(created.map(({ at }) => dayStart(at).getTime())).size).toBe(HISTORY_DAYS);
  });

  test('is the same every time, and not shorter for a later minute', () => {
    expect(planHistory(UNTIL)).toEqual(plan);
    const later = planHistory(new Date(UNTIL.getTime() + 60_000));
    expect(later.length).toBeGreaterThanOrEqual(plan.length);
  });

  test('has 150 to 250 transactions, of every kind', () => {
    const transactions = created.filter((step) => step.do !== 'refund');
    expect(transactions.length).toBeGreaterThan(150);
    expect(transactions.length).toBeLessThan(250);
    expect(new Set(plan.map((step) => step.do)).size).toBe(10);
  });

  test('acts on nothing before it is made', () => {
    const madeAt = new Map(created.map(({ n, at }) => [n, at]));
    expect(madeAt.size).toBe(created.length);
    for (const step of plan) {
      if ('of' in step) expect(madeAt.get(step.of)?.getTime()).toBeLessThan(step.at.getTime());
    }
  });

  test('sells by day more than by night, and most on Fridays and Saturdays', () => {
    const sales = plan.filter((step) => step.do === 'charge');
    const hour = (at: Date) => (at.getUTCHours() + 21) % 24;
    const atNight = sales.filter(({ at }) => hour(at) < 7).length;
    expect(atNight).toBeLessThan(sales.length / 10);
    const on = (weekday: number) =>
      sales.filter(({ at }) => new Date(at.getTime() - 3 * 3_600_000).getUTCDay() === weekday);
    expect(on(5).length).toBeGreaterThan(on(0).length);
    expect(on(5).length).toBeGreaterThan(on(1).length);
  });

  test('has no amount whose cents are a command to the sandbox, except for the one withdrawal that fails', () => {
    const amounts = plan.flatMap((step) => ('amountCentavos' in step ? [step.amountCentavos] : []));
    expect(amounts.filter((centavos) => centavos % 10n !== 0n)).toEqual([]);
    expect(amounts.map((centavos) => chargeMagic(String(centavos))).filter(Boolean)).toEqual([]);
    const odd = plan.filter(
      (step) => 'amount' in step && 'centavos' in step.amount && step.amount.centavos % 10n !== 0n,
    );
    expect(odd).toHaveLength(1);
  });

  test('names people, keys and wallets that are well-formed', () => {
    for (const { document, email } of CUSTOMERS) {
      expect(email).toMatch(/\.example$/);
      if (document) expect(parseDocument(document, 'cpf')).toBe(document);
    }
    for (const { pixKey, pixKeyType } of PAYEES) expect(parsePixKey(pixKey, pixKeyType)).toBe(pixKey);
    for (const wallet of WALLETS) expect(parseWallet(wallet, 'USDT_BSC')).toBe(wallet);
  });
});

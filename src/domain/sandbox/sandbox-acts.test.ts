import { expect, test } from 'vitest';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../transactions/transaction-states.ts';
import { isSandboxRail, SANDBOX_ACTS, sandboxActs } from './sandbox-acts.ts';

const facts = { type: 'pix_in', status: 'pending', subStatus: null, confirmations: 0 } as const;

test('a charge is paid first, paid again only once it is paid, late only once it is over', () => {
  expect(sandboxActs(facts)).toEqual(['pay', 'pay_other', 'expire', 'remove']);
  expect(sandboxActs({ ...facts, status: 'paid' })).toEqual(['pay_again']);
  expect(sandboxActs({ ...facts, status: 'expired' })).toEqual(['pay_late']);
  expect(sandboxActs({ ...facts, status: 'cancelled' })).toEqual([]);
});

test('the network can only confirm what it has seen', () => {
  const invoice = { ...facts, type: 'crypto_in' } as const;
  expect(sandboxActs(invoice)).not.toContain('confirm');
  expect(sandboxActs({ ...invoice, subStatus: 'detected' })).toEqual(['confirm']);
  expect(sandboxActs({ ...invoice, subStatus: 'partial' })).toContain('confirm');
  expect(sandboxActs({ ...invoice, subStatus: 'partial', confirmations: 3 })).not.toContain('confirm');
});

test('nothing can be done to a withdrawal, and every act is reached by some transaction', () => {
  const reached = new Set<string>();
  for (const type of TRANSACTION_TYPES) {
    for (const status of TRANSACTION_STATUSES) {
      for (const subStatus of [null, 'partial', 'detected']) {
        const acts = sandboxActs({ type, status, subStatus, confirmations: 0 });
        if (type.endsWith('_out')) expect(acts).toEqual([]);
        for (const act of acts) reached.add(act);
      }
    }
  }
  expect([...reached].sort()).toEqual([...SANDBOX_ACTS].sort());
});

test.each([
  ['sandbox', true],
  ['sandbox-crypto', true],
  ['sandboxed', false],
  ['psp', false],
  ['plisio', false],
  ['own-sandbox', false],
])('%s is a rail of the sandbox: %s', (rail, expected) => {
  expect(isSandboxRail(rail)).toBe(expected);
});

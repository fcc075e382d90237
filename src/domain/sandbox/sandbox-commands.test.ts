import { expect, test } from 'vitest';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../transactions/transaction-states.ts';
import { isSandboxRail, SANDBOX_COMMANDS, sandboxCommands } from './sandbox-commands.ts';

const charge = { type: 'pix_in', status: 'pending', subStatus: null, confirmations: 0 } as const;

test('a charge is paid first, paid again only once it is paid, late only once it is over', () => {
  expect(sandboxCommands(charge)).toEqual(['pay', 'pay_other', 'expire', 'remove']);
  expect(sandboxCommands({ ...charge, status: 'paid' })).toEqual(['pay_again']);
  expect(sandboxCommands({ ...charge, status: 'expired' })).toEqual(['pay_late']);
  expect(sandboxCommands({ ...charge, status: 'cancelled' })).toEqual([]);
});

test('the network can only confirm what it has seen', () => {
  const invoice = { ...charge, type: 'crypto_in' } as const;
  expect(sandboxCommands(invoice)).not.toContain('confirm');
  expect(sandboxCommands({ ...invoice, subStatus: 'detected' })).toEqual(['confirm']);
  expect(sandboxCommands({ ...invoice, subStatus: 'partial' })).toContain('confirm');
  expect(sandboxCommands({ ...invoice, subStatus: 'partial', confirmations: 3 })).not.toContain('confirm');
});

test('an invoice that is confirmed a little short of what was asked for, within the tolerance, can be paid on, or expire', () => {
  const short = { type: 'crypto_in', status: 'pending', subStatus: 'detected', confirmations: 3 } as const;
  expect(sandboxCommands(short)).toEqual(['pay', 'pay_part', 'pay_unconfirmed', 'expire', 'confirm']);
});

test('nothing can be done to a withdrawal, and every command is reached by some transaction', () => {
  const reached = new Set<string>();
  for (const type of TRANSACTION_TYPES) {
    for (const status of TRANSACTION_STATUSES) {
      for (const subStatus of [null, 'partial', 'detected']) {
        const commands = sandboxCommands({ type, status, subStatus, confirmations: 0 });
        if (type.endsWith('_out')) expect(commands).toEqual([]);
        for (const command of commands) reached.add(command);
      }
    }
  }
  expect([...reached].sort()).toEqual([...SANDBOX_COMMANDS].sort());
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

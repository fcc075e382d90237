import { expect, test } from 'vitest';
import { otherParty, transactionTitle } from './transaction-title.ts';

const ID = '0191f3c2-0000-7000-8000-000000516982';
const NOTHING = { customerName: null, destination: null, description: null, currency: null };

test('an invoice without a name says which coin its payer sends, and on which network', () => {
  const invoice = { ...NOTHING, currency: 'USDT_BSC' };
  expect(otherParty(invoice)).toBe('Tether (BNB Smart Chain)');
  expect(otherParty({ ...invoice, customerName: 'Maria' })).toBe('Maria');
  expect(otherParty({ ...NOTHING, currency: 'NEWCOIN' })).toBe('NEWCOIN');
  expect(otherParty(NOTHING)).toBeNull();
});

test('a title says what a transaction is for before its coin, and never is empty', () => {
  const invoice = { ...NOTHING, currency: 'ETH' };
  expect(transactionTitle(ID, { ...invoice, description: 'Pedido 42' })).toBe('Pedido 42');
  expect(transactionTitle(ID, invoice)).toBe('Ether');
  expect(transactionTitle(ID, NOTHING)).toBe('…516982');
});

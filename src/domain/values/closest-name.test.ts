import { expect, test } from 'vitest';
import { closestName } from './closest-name.ts';

const NAMES = [
  ...['amount', 'customerName', 'customerEmail', 'customerDocument', 'customerDocumentType', 'customerPhone'],
  ...['description', 'callbackUrl', 'splitReceiverUserId', 'splitReceiverEmail', 'splitAmount'],
];

test.each([
  ['callbackURL', 'callbackUrl'],
  ['callback_url', 'callbackUrl'],
  ['callback-url', 'callbackUrl'],
  ['Amount', 'amount'],
  ['ammount', 'amount'],
  ['amonut', 'amount'],
  ['mount', 'amount'],
  ['amount[]', 'amount'],
  ['custumerEmial', 'customerEmail'],
  ['customerDocumnet', 'customerDocument'],
  ['splitReceiverUser', 'splitReceiverUserId'],
  ['phone', 'customerPhone'],
])('%s probably means %s', (text, name) => {
  expect(closestName(text, NAMES)).toBe(name);
});

test.each([
  ['foo', 'it is like none'],
  ['', 'it is empty'],
  ['___', 'it has no letter'],
  ['customer', 'several begin with it'],
  ['email', 'two end with it'],
  ['url', 'it is too short for a part'],
  ['amount'.padEnd(65, 'x'), 'it is too long for a name'],
  ['__proto__', 'it is like none'],
])('%s is no misspelling: %s', (text) => {
  expect(closestName(text, NAMES)).toBeNull();
});

test('of two names that are equally close neither is suggested', () => {
  expect(closestName('abcx', ['abca', 'abcb'])).toBeNull();
  expect(closestName('abca', ['abca', 'abcb'])).toBe('abca');
});

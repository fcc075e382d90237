import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { brlOutput, percentOutput, unitsOutput, unitsTextOutput } from './amounts.ts';
import { countText, instantOutput } from './fields.ts';
import { eventIdOutput } from './webhooks/webhook-bodies.ts';

const centavos = fc.bigInt(-999_999_999_999_999n, 999_999_999_999_999n);
/** 15 significant digits: a double carries each of them. */
const units = fc.bigInt(0n, 999_999_999_999_999n);

test.each<[string, z.ZodType, fc.Arbitrary<unknown>]>([
  ['an amount in BRL', brlOutput, centavos],
  ['a percentage', percentOutput, fc.integer({ min: 0, max: 1_000_000 })],
  ['a quantity of a coin', unitsOutput, units],
  ['an exact quantity of a coin', unitsTextOutput, fc.bigInt(0n, 10n ** 22n)],
  ['an instant', instantOutput, fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })],
  ['a number of our own counting', countText, fc.bigInt(0n, 10n ** 18n - 1n)],
  ['the id of an event', eventIdOutput, fc.uuid({ version: 7 })],
])('%s is read back as the value that was written', (_, schema, values) => {
  fc.assert(
    fc.property(values, (value) => {
      const written = z.encode(schema, value);
      expect(JSON.parse(JSON.stringify(written))).toBe(written);
      expect(z.decode(schema, written)).toEqual(value);
    }),
  );
});

test('an invalid instant, and an amount that a JSON number can’t hold, are never written', () => {
  expect(() => z.encode(instantOutput, new Date(Number.NaN))).toThrow();
  expect(() => z.encode(brlOutput, 10n ** 15n)).toThrow(RangeError);
});

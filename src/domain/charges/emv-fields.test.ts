import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EmvFault, emvField, parseEmvFields } from './emv-fields.ts';

test('a chain is read in order, templates with their own fields', () => {
  expect(parseEmvFields('00020126080004abcd6304FFFF')).toEqual([
    { id: '00', value: '01' },
    { id: '26', value: '0004abcd', children: [{ id: '00', value: 'abcd' }] },
    { id: '63', value: 'FFFF' },
  ]);
});

test('any chain that is written is read back', () => {
  const id = fc.constantFrom('00', '01', '25', '52', '59', '60', '61', '63', '65', '79');
  const value = fc.string({ unit: fc.constantFrom(...'0123456789 abcXYZ*./-'), minLength: 1, maxLength: 99 });
  fc.assert(
    fc.property(fc.uniqueArray(fc.record({ id, value }), { selector: (field) => field.id }), (fields) => {
      expect(parseEmvFields(fields.map((field) => emvField(field.id, field.value)).join(''))).toEqual(fields);
    }),
  );
});

test('any text is either a chain or an EmvFault', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0126x'), maxLength: 60 }), (text) => {
      try {
        parseEmvFields(text);
      } catch (error) {
        expect(error).toBeInstanceOf(EmvFault);
      }
    }),
    { numRuns: 2_000 },
  );
});

describe('a fault names the position of its field, counted from 1', () => {
  test.each([
    ['x', 'Campo malformado na posição 1.'],
    ['000201xx02', 'Campo malformado na posição 7.'],
    ['000201260', 'Campo malformado na posição 7.'],
    ['0002015910abc', 'O campo 59 na posição 7 declara 10 caracteres e tem 3.'],
    ['0002015900', 'O campo 59 na posição 7 está vazio.'],
    ['000201000201', 'O campo 00 se repete na posição 7.'],
    ['00020126080009abcd', 'O campo 00 na posição 11 declara 9 caracteres e tem 4.'],
    ['000201620705x3***', 'Campo malformado na posição 11.'],
  ])('%s', (text, message) => {
    expect(() => parseEmvFields(text)).toThrow(new EmvFault(message));
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldName } from './field-name.ts';
import { markPlaces } from './mark-places.ts';

test('an issue marks its place, and two that overlap share what is common', () => {
  expect(
    markPlaces('abcdef', [
      { at: 1, length: 3 },
      { at: 3, length: 2 },
    ]),
  ).toEqual([
    { at: 0, text: 'a', issues: [] },
    { at: 1, text: 'bc', issues: [1] },
    { at: 3, text: 'd', issues: [1, 2] },
    { at: 4, text: 'e', issues: [2] },
    { at: 5, text: 'f', issues: [] },
  ]);
  expect(markPlaces('ab', [{ at: 2, length: 0 }])).toEqual([{ at: 0, text: 'ab', issues: [] }]);
  expect(markPlaces('', [{ at: 0, length: 0 }])).toEqual([]);
});

test('the pieces of a marked text together are the text', () => {
  const place = fc.record({ at: fc.nat(60), length: fc.nat(60) });
  fc.assert(
    fc.property(fc.string({ maxLength: 50 }), fc.array(place), (text, places) => {
      expect(
        markPlaces(text, places)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('every field has a name, whatever its id', () => {
  const ids = Array.from({ length: 100 }, (_, id) => String(id).padStart(2, '0'));
  for (const id of ids) {
    expect(fieldName({ path: id, children: [] })).toBeTruthy();
    for (const inner of ids) expect(fieldName({ path: `${id}.${inner}`, children: [] })).toBeTruthy();
  }
  expect(fieldName({ path: '26.01', children: [] })).toBe('key');
  expect(fieldName({ path: '62.05', children: [] })).toBe('txid');
  expect(fieldName({ path: '80.25', children: [] })).toBe('recurrenceLocation');
  const [ofPix, ofAnother] = ['br.gov.bcb.pix', 'br.com.outro'].map((value) => {
    const gui = { path: '80.00', id: '00', at: 4, length: value.length, value, children: [] };
    return fieldName({ path: '80', children: [gui] });
  });
  expect([ofPix, ofAnother]).toEqual(['recurrence', 'unreserved']);
});

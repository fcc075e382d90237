import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, isStorableJson, isStorableText, toStorableJson, toStorableText } from './storable-text.ts';

/** Texts with many characters that can't be stored, or that a cut could split. */
const anyText = fc
  .array(fc.constantFrom('a', 'ç', '\0', '\ud83d', '\ude00', '😀', '🧾', '\n'), { maxLength: 30 })
  .map((parts) => parts.join(''));

test('a NUL and half of a surrogate pair are replaced, and nothing else is', () => {
  expect(toStorableText('a\0b')).toBe('a\uFFFDb');
  expect(toStorableText('a\ud83d')).toBe('a\uFFFD');
  expect(toStorableText('\ude00\ud83d')).toBe('\uFFFD\uFFFD');
  expect(toStorableText('ção 😀 👨‍👩‍👧‍👦 \r\n\t\u202e')).toBe('ção 😀 👨‍👩‍👧‍👦 \r\n\t\u202e');
});

test('whatever a text is, what is kept of it can be stored, and what could be stored is kept as it is', () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, lengthMax) => {
      const kept = toStorableText(text, lengthMax);
      expect(isStorableText(kept)).toBe(true);
      expect(kept.length).toBeLessThanOrEqual(lengthMax);
      if (isStorableText(text)) expect(text.startsWith(kept)).toBe(true);
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(text.length, lengthMax) - 1);
    }),
    { numRuns: 2_000 },
  );
});

test('a cut never parts a character of four bytes', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('ab😀', 4)).toBe('ab😀');
  expect(cutText('😀', 0)).toBe('');
  expect(cutText('ab', 2)).toBe('ab');
});

test('JSON is storable when every text in it is, and every name', () => {
  expect(isStorableJson({ a: ['b', { c: '😀' }, 1, null, true] })).toBe(true);
  for (const bad of [{ a: ['b\0'] }, { 'a\0': 1 }, [{ c: '\ud83d' }], 'a\0']) expect(isStorableJson(bad)).toBe(false);
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect([20, 21, 30_000].map((levels) => isStorableJson(nested(levels)))).toEqual([true, false, false]);
});

test('JSON is made storable in its members and in their names, at any depth', () => {
  expect(toStorableJson({ 'a\0': ['\ud83d', { b: 'x\0y' }, 1, null, true] })).toEqual({
    'a\uFFFD': ['\uFFFD', { b: 'x\uFFFDy' }, 1, null, true],
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsAddress, inertText, isUnprintable } from './typed-name.ts';

test.each(['Ana Lima', 'João & Filhos S.A.', 'Dra. Ana', 'Padaria 24 h', 'Ü.B. Möller', '7.5 por cento'])(
  '%j is a name like any other, and reads the same in a mail',
  (name) => {
    expect([isUnprintable(name), holdsAddress(name)]).toEqual([false, false]);
  },
);

test.each(['a\r\nBcc: x', 'a\u0000', 'a\u2028b', 'a\u202eb', 'a\u2066b', 'a\u200fb', '\ufeffa', 'a\tb'])(
  '%j breaks a line, hides, or turns the text around it',
  (name) => {
    expect(isUnprintable(name)).toBe(true);
    expect(isUnprintable(inertText(name))).toBe(false);
  },
);

test.each([
  'http://x',
  'www.x',
  'evil.example',
  'evil\uff0eexample',
  'evil\u3002example',
  'a@b',
  'a\uff20b',
  'X evil.io/y',
])('%j holds what a mail program makes a link of', (name) => {
  expect(holdsAddress(name)).toBe(true);
  expect(inertText(name)).not.toMatch(/:\/\/|www\.\S|\S@\S|\p{L}\.\p{L}/u);
});

test.each(['R$ 1.234,56', '1.000 de 2.000.', 'R$ 1.234.567,89', 'R$ 1,234.56', '(7.5 %)', '1.000/2.000'])(
  'the figures of %j stay as they are in a mail',
  (text) => expect(inertText(text)).toBe(text),
);

test.each(['127.0.0.1/x', '1.2.3.4', '1.000.com', 'x1.000', '1.2x'])('%j is no figure, and is split', (text) => {
  expect(inertText(text)).toContain('. ');
});

test('no text stays a link or a second line in a mail', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab1.@:/w。｡．＠\r\n\u2028\u202e ') }), (text) => {
      expect(inertText(text)).not.toMatch(/[\r\n\u2028\u2029]|:\/\/|\S@\S|\p{L}\.[\p{L}\p{N}]|\p{N}\.\p{L}|(\d\.){3}/u);
    }),
  );
});

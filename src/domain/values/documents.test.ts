import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentTypeOf, parseDocument } from './documents.ts';

/** Every document with one wrong character. */
function* oneCharacterErrors(document: string, alphabet: string): Generator<string> {
  for (let i = 0; i < document.length; i++) {
    for (const character of alphabet) {
      if (character !== document[i]) yield document.slice(0, i) + character + document.slice(i + 1);
    }
  }
}

describe('CPF', () => {
  test.each(['12345678909', '123.456.789-09', ' 123 456 789 09 ', '52998224725', '00000000191'])(
    '%j is valid',
    (text) => {
      expect(parseDocument(text, 'cpf')).toBe(text.replace(/\D/g, ''));
    },
  );

  test.each([
    '',
    '12345678900',
    '12345678919',
    '1234567890',
    '123456789090',
    '1234567890A',
    '123.456.789_09',
    '12345678909\n',
  ])('%j is rejected', (text) => {
    expect(parseDocument(text, 'cpf')).toBeNull();
  });

  test('all-equal digits were never issued', () => {
    for (const digit of '0123456789') expect(parseDocument(digit.repeat(11), 'cpf')).toBeNull();
  });

  test('digits of other scripts are no digits', () => {
    expect(parseDocument('１２３４５６７８９０９', 'cpf')).toBeNull();
    expect(parseDocument('١٢٣٤٥٦٧٨٩٠٩', 'cpf')).toBeNull();
  });

  test('one wrong digit among the nine is caught', () => {
    for (const wrong of oneCharacterErrors('52998224725', '0123456789')) expect(parseDocument(wrong, 'cpf')).toBeNull();
  });

  test('nine digits have exactly one pair of check digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_998 }), (n) => {
        const body = String(n).padStart(9, '0');
        fc.pre(!/^(.)\1*$/.test(body));
        let valid = 0;
        for (let check = 0; check < 100; check++) {
          if (parseDocument(body + String(check).padStart(2, '0'), 'cpf') !== null) valid++;
        }
        expect(valid).toBe(1);
      }),
    );
  });
});

describe('CNPJ', () => {
  test.each([
    ['12ABC34501DE35', '12ABC34501DE35'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['00000000000191', '00000000000191'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12 345 678 0001 95', '12345678000195'],
  ])('%j is valid', (text, normalised) => {
    expect(parseDocument(text, 'cnpj')).toBe(normalised);
  });

  test.each([
    '',
    '12ABC34501DE34',
    '12ABC34501DE53',
    '12ABC34501DEAB',
    '1222333000181',
    '112223330001811',
    '11222333000180',
    '12ABÇ34501DE35',
    '00000000000000',
  ])('%j is rejected', (text) => {
    expect(parseDocument(text, 'cnpj')).toBeNull();
  });

  test('letters that upper-casing would turn into ASCII are rejected', () => {
    // The long s becomes S, the dotless i becomes I.
    const withS = completed('S2ABC34501DE');
    const withI = completed('I2ABC34501DE');
    expect(parseDocument(withS.replace('S', 's'), 'cnpj')).toBe(withS);
    expect(parseDocument(withS.replace('S', '\u017f'), 'cnpj')).toBeNull();
    expect(parseDocument(withI.replace('I', '\u0131'), 'cnpj')).toBeNull();
  });

  test('one wrong digit of a numeric CNPJ is caught', () => {
    for (const wrong of oneCharacterErrors('11222333000181', '0123456789')) {
      expect(parseDocument(wrong, 'cnpj')).toBeNull();
    }
  });

  test('twelve characters have exactly one pair of check digits', () => {
    const body = fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(body, (text) => {
        fc.pre(!/^0*$/.test(text));
        expect(checkDigitsOf(text)).toHaveLength(1);
      }),
    );
  });

  function checkDigitsOf(body: string): string[] {
    const all = Array.from({ length: 100 }, (_, check) => body + String(check).padStart(2, '0'));
    return all.filter((text) => parseDocument(text, 'cnpj') !== null);
  }

  function completed(body: string): string {
    return checkDigitsOf(body)[0] ?? '';
  }
});

test('a document is read as one type only', () => {
  expect(parseDocument('12345678909', 'cnpj')).toBeNull();
  expect(parseDocument('11222333000181', 'cpf')).toBeNull();
});

test('eleven digits that are a phone number too are read as a CPF', () => {
  expect(documentTypeOf('51998259765')).toBe('cpf');
  expect(documentTypeOf('+5551998259765')).toBeNull();
});

test('the type is recognised by shape and digits', () => {
  expect(documentTypeOf('123.456.789-09')).toBe('cpf');
  expect(documentTypeOf('12.abc.345/01DE-35')).toBe('cnpj');
  expect(documentTypeOf('12345678900')).toBeNull();
  expect(documentTypeOf('ana@example.com')).toBeNull();
});

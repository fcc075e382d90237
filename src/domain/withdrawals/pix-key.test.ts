import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PixKeyType, parsePixKey, pixKeyType } from './pix-key.ts';

const EVP = '123e4567-e12b-12d1-a456-426655440000';
const KEY_TYPES: PixKeyType[] = ['cpf', 'cnpj', 'email', 'phone', 'evp'];

describe('the type', () => {
  test.each([
    ['CPF', 'cpf'],
    ['CNPJ', 'cnpj'],
    ['EMAIL', 'email'],
    ['PHONE', 'phone'],
    ['EVP', 'evp'],
    ['RANDOM', 'evp'],
  ])('%s is known in upper, lower and mixed case', (name, type) => {
    expect(pixKeyType(name)).toBe(type);
    expect(pixKeyType(name.toLowerCase())).toBe(type);
    expect(pixKeyType(name.slice(0, 1) + name.slice(1).toLowerCase())).toBe(type);
  });

  test.each(['', 'CHAVE', 'E-MAIL', 'TELEFONE', ' CPF', 'CPF\n', 'constructor', '__proto__', 'ema\u0131l'])(
    '%j is no type',
    (text) => {
      expect(pixKeyType(text)).toBeNull();
    },
  );
});

describe('a key is read as DICT spells it', () => {
  test.each<[PixKeyType, string, string]>([
    ['cpf', '12345678909', '12345678909'],
    ['cpf', '123.456.789-09', '12345678909'],
    ['cpf', ' 123 456 789 09 ', '12345678909'],
    ['cnpj', '00.000.000/0001-91', '00000000000191'],
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['email', '  Ana.Souza+pix@Example.COM ', 'ana.souza+pix@example.com'],
    ['email', 'pix@bcb.gov.br', 'pix@bcb.gov.br'],
    ['phone', '+5551998259765', '+5551998259765'],
    ['phone', '5551998259765', '+5551998259765'],
    ['phone', '51998259765', '+5551998259765'],
    ['phone', '+55 (51) 99825-9765', '+5551998259765'],
    ['phone', ' 51 9 9825 9765', '+5551998259765'],
    ['evp', EVP, EVP],
    ['evp', ` ${EVP.toUpperCase()} `, EVP],
    ['evp', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ])('%s %j as %s', (type, text, key) => {
    expect(parsePixKey(text, type)).toBe(key);
  });

  test('by its type: eleven digits that are a CPF and a phone number are what they are said to be', () => {
    expect(parsePixKey('51998259765', 'cpf')).toBe('51998259765');
    expect(parsePixKey('51998259765', 'phone')).toBe('+5551998259765');
    expect(parsePixKey('+5551998259765', 'phone')).toBe('+5551998259765');
    expect(parsePixKey('+5551998259765', 'cpf')).toBeNull();
  });

  test('a read key reads as itself', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789+-() ./'), maxLength: 20 }),
      fc.emailAddress(),
      fc.uuid().map((uuid) => uuid.toUpperCase()),
      fc.string({ unit: 'grapheme' }).map((local) => `${local}@example.com`),
      fc.integer({ min: 0, max: 99_999_999 }).map((n) => `(11) 9${String(n).padStart(8, '0')}`),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...KEY_TYPES), (written, type) => {
        const key = parsePixKey(written, type);
        if (key === null) return;
        expect(parsePixKey(key, type)).toBe(key);
        expect(key.length).toBeLessThanOrEqual(77);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is no key of its type is rejected', () => {
  test.each<[PixKeyType, string]>([
    ['cpf', ''],
    ['cpf', '12345678900'],
    ['cpf', '11111111111'],
    ['cpf', '00000000000191'],
    ['cpf', '１２３４５６７８９０９'],
    ['cnpj', '12345678909'],
    ['cnpj', '12ABC34501DE36'],
    ['cnpj', '00000000000000'],
    ['email', ''],
    ['email', 'ana'],
    ['email', 'ana@example'],
    ['email', 'ana%b@example.com'],
    ['email', 'josé@example.com'],
    ['email', 'ana@são.com.br'],
    // The Kelvin sign, whose lower case is an ASCII k.
    ['email', '\u212Aarla@example.com'],
    ['email', 'ana@example.com\r\nBcc: x@y.com'],
    ['email', `${'a'.repeat(66)}@example.com`],
    ['phone', ''],
    ['phone', '1130034000'],
    ['phone', '+551130034000'],
    ['phone', '+51998259765'],
    ['phone', '+1 415 555 2671'],
    ['phone', '20998259765'],
    ['phone', '998259765'],
    ['phone', '51898259765'],
    ['evp', ''],
    ['evp', EVP.replaceAll('-', '')],
    ['evp', `{${EVP}}`],
    ['evp', `${EVP}0`],
    ['evp', EVP.replace('e', 'g')],
  ])('%s %j', (type, text) => {
    expect(parsePixKey(text, type)).toBeNull();
  });

  test('an e-mail has at most 77 characters', () => {
    const longest = `${'a'.repeat(64)}@${'b'.repeat(8)}.com`;
    expect(longest).toHaveLength(77);
    expect(parsePixKey(longest, 'email')).toBe(longest);
    expect(parsePixKey(longest.replace('.com', 'b.com'), 'email')).toBeNull();
  });

  test('a normalised key is a key of one type only', () => {
    const keys = ['12345678909', '12ABC34501DE35', '00000000000191', 'ana@example.com', '+5551998259765', EVP];
    for (const key of keys) {
      expect(KEY_TYPES.filter((type) => parsePixKey(key, type) === key)).toHaveLength(1);
    }
  });
});

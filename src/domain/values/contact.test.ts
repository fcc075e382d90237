import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEmail, parsePhone } from './contact.ts';

describe('e-mail', () => {
  test.each([
    ['ana@example.com', 'ana@example.com'],
    ['  Ana.Souza+pix@Example.COM ', 'ana.souza+pix@example.com'],
    ["o'neil_99@sub.example.com.br", "o'neil_99@sub.example.com.br"],
    ['a@b.co', 'a@b.co'],
    ['ana@xn--padaria-b1a.com.br', 'ana@xn--padaria-b1a.com.br'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j is read as %j', (text, email) => {
    expect(parseEmail(text)).toBe(email);
  });

  test.each([
    '',
    '@',
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'ana@@example.com',
    'ana@b@example.com',
    'ana souza@example.com',
    'ana@exam ple.com',
    'ana\u0000@example.com',
    'ana@example.com\r\nBcc: x@y.com',
    'ana\u200b@example.com',
    'ana@example.com\n',
    'Jose\u0301@Sa\u0303o.com.br',
    'jos\u00e9@example.com',
    '\uff41na@example.com',
    'ana@\uff45xample.com',
    'ana@example\uff0ecom',
    'ana\uff20example.com',
    '\u0430na@example.com',
    'ana@e\u0445ample.com',
    '\u212aelvin@example.com',
    'ana@example.com\u3002br',
    '\ufb01m@example.com',
    'ana\u202e@example.com',
    '.ana@example.com',
    'ana.@example.com',
    'an..a@example.com',
    'ana@.example.com',
    'ana@example.com.',
    'ana@example..com',
    'ana@-example.com',
    'ana@example-.com',
    'ana@example_x.com',
    'ana@127.0.0.1',
    'ana@[127.0.0.1]',
    '"ana"@example.com',
    'Ana <ana@example.com>',
    'ana@example.com,bia@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ana@${'a'.repeat(64)}.com`,
  ])('%j is rejected', (text) => {
    expect(parseEmail(text)).toBeNull();
  });

  test('254 characters are the most', () => {
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}`;
    const longest = `${'x'.repeat(254 - 1 - domain.length)}@${domain}`;
    expect(longest).toHaveLength(254);
    expect(parseEmail(longest)).toBe(longest);
    expect(parseEmail(`x${longest}`)).toBeNull();
  });

  test('a read address reads as itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'grapheme' }).map((s) => `${s}@example.com`),
        ),
        (text) => {
          const email = parseEmail(text);
          if (email !== null) expect(parseEmail(email)).toBe(email);
        },
      ),
    );
  });

  test('a long hostile text is rejected without backtracking for long', () => {
    expect(parseEmail(`${'a.'.repeat(30_000)}@${'a-'.repeat(30_000)}`)).toBeNull();
  });
});

describe('phone', () => {
  test.each([
    ['51998259765', '+5551998259765'],
    ['+5551998259765', '+5551998259765'],
    ['5551998259765', '+5551998259765'],
    ['(51) 99825-9765', '+5551998259765'],
    ['+55 (11) 3003-4000', '+551130034000'],
    ['1130034000', '+551130034000'],
    ['551130034000', '+551130034000'],
    ['55999998888', '+5555999998888'],
    ['5532211234', '+555532211234'],
    ['555532211234', '+555532211234'],
    ['  11 2345 6789 ', '+551123456789'],
  ])('%j is read as %s', (text, phone) => {
    expect(parsePhone(text)).toBe(phone);
  });

  test.each([
    '',
    '+',
    '998259765',
    '99825-9765',
    '051998259765',
    '20998259765',
    '23998259765',
    '00998259765',
    '51898259765',
    '519982597650',
    '5198259765',
    '5112345678',
    '5168345678',
    '+51998259765',
    '+1 415 555 2671',
    '15551998259765',
    '55519982597650',
    '+55+51998259765',
    '51.99825.9765',
    '51998259765 ramal 2',
    '51998259765\n51998259765',
    '５１９９８２５９７６５',
    ' '.repeat(100),
  ])('%j is rejected', (text) => {
    expect(parsePhone(text)).toBeNull();
  });

  test('all 67 area codes take a mobile and a landline number, no other does', () => {
    let known = 0;
    for (let code = 0; code < 100; code++) {
      const ddd = String(code).padStart(2, '0');
      const mobile = parsePhone(`+55${ddd}912345678`);
      expect(mobile === null).toBe(parsePhone(`+55${ddd}23456789`) === null);
      if (mobile !== null) known++;
    }
    expect(known).toBe(67);
  });

  test('a read number reads as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+-() 559911'), maxLength: 18 }), (text) => {
        const phone = parsePhone(text);
        if (phone !== null) expect(parsePhone(phone)).toBe(phone);
      }),
      { numRuns: 2_000 },
    );
  });
});

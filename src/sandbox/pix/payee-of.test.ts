import { expect, test } from 'vitest';
import { payeeOf } from './payee-of.ts';

test('the owner of a key is always the same: a person with the middle of a CPF, or the company of a CNPJ', () => {
  expect(payeeOf('maria@example.com')).toEqual(payeeOf('maria@example.com'));
  expect(payeeOf('maria@example.com')).toEqual({
    nome: expect.any(String),
    cpf: expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*\*$/),
  });
  expect(payeeOf('12345678909')).toMatchObject({ cpf: '***.456.789-**' });
  expect(payeeOf('11222333000181')).toEqual({ nome: expect.any(String), cnpj: '11222333000181' });
  const names = new Set(Array.from({ length: 40 }, (_, at) => payeeOf(`pessoa${at}@example.com`).nome));
  expect(names.size).toBeGreaterThan(3);
});

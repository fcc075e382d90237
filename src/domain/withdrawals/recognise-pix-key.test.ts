import { expect, test } from 'vitest';
import { recognisePixKey } from './recognise-pix-key.ts';

test.each([
  ['123.456.789-09', 'cpf', '12345678909'],
  ['12ABC34501DE35', 'cnpj', '12ABC34501DE35'],
  ['11.222.333/0001-81', 'cnpj', '11222333000181'],
  ['Maria@Example.com', 'email', 'maria@example.com'],
  ['+55 51 99825-9765', 'phone', '+5551998259765'],
  ['(51) 99825-9765', 'phone', '+5551998259765'],
  ['123E4567-e89b-12d3-a456-426655440000', 'evp', '123e4567-e89b-12d3-a456-426655440000'],
])('%s is a key of type %s and nothing else', (text, type, key) => {
  expect(recognisePixKey(text)).toEqual([{ type, key }]);
});

test('eleven digits that are a CPF and a mobile number are said to be both', () => {
  expect(recognisePixKey('51998259765').map(({ type }) => type)).toEqual(['cpf', 'phone']);
  expect(recognisePixKey('519.982.597-65').map(({ type }) => type)).toEqual(['cpf']);
});

test.each(['', ' ', 'maria', '123', '11111111111', '(51) 3322-1100', 'maria@'])('%j is no key', (text) => {
  expect(recognisePixKey(text)).toEqual([]);
});

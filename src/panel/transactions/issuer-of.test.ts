import { expect, test } from 'vitest';
import { issuerOf } from './issuer-of.ts';

test('what a business issues has its CNPJ with its punctuation, letters included, and a person’s CPF masked', () => {
  const documentOf = (document: string, type: 'cpf' | 'cnpj') =>
    issuerOf({ name: 'Loja Azul', document, document_type: type }).document;
  expect(documentOf('12345678000195', 'cnpj')).toBe('12.345.678/0001-95');
  expect(documentOf('12ABC34501DE35', 'cnpj')).toBe('12.ABC.345/01DE-35');
  expect(documentOf('52998224725', 'cpf')).toBe('***.982.247-**');
});

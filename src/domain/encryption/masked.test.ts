import { describe, expect, it } from 'vitest';
import { maskDocument, maskPhone, maskPixKey, maskProvidedDocument, shortenName } from './masked.ts';

describe('people’s data on screens', () => {
  it('a CPF shows its middle only, however it is written', () => {
    expect(maskDocument('12345678909')).toBe('***.456.789-**');
    expect(maskDocument('123.456.789-09')).toBe('***.456.789-**');
  });

  it('a CNPJ, of letters too, shows neither its beginning nor its check digits', () => {
    expect(maskDocument('12345678000195')).toBe('**.345.678/0001-**');
    expect(maskDocument('12.abc.345/01de-35')).toBe('**.ABC.345/01DE-**');
  });

  it('a document that its provider has masked stays as it is, any other is masked here', () => {
    expect(maskProvidedDocument('***.456.789-**')).toBe('***.456.789-**');
    expect(maskProvidedDocument('12345678909')).toBe('***.456.789-**');
    expect(maskProvidedDocument('12.345.678/0001-95')).toBe('**.345.678/0001-**');
  });

  it('a text that is no document, or no phone number, is hidden whole', () => {
    expect(maskDocument('123456789')).toBe('***');
    expect(maskPhone('11987654321')).toBe('***');
  });

  it('a name shows its first word and the first letters of the others', () => {
    expect(shortenName('Maria da Silva')).toBe('Maria d. S.');
    expect(shortenName('  Ana   👩‍🚀x ')).toBe('Ana 👩.');
    expect(shortenName('Maria')).toBe('Maria');
  });

  it('a PIX key is hidden as far as its type asks for it', () => {
    expect(maskPixKey('12345678909', 'cpf')).toBe('***.456.789-**');
    expect(maskPixKey('+5511987654321', 'phone')).toBe('+55 11 *****-4321');
    expect(maskPixKey('a@b.co', 'email')).toBe('a@b.co');
    expect(maskPixKey('12345678000195', 'CNPJ')).toBe('**.345.678/0001-**');
  });
});

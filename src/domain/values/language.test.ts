import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './language.ts';

describe('the page language', () => {
  it.each([
    ['no header', null],
    ['an empty header', ''],
    ['languages that we do not speak', 'fr-FR,de;q=0.8'],
    ['anything goes', '*'],
    ['Portuguese of any region', 'pt-PT'],
    ['Portuguese before English', 'pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7'],
    ['English rejected', 'en;q=0'],
    ['a weight that is no number', 'en;q=much'],
    ['garbage', ';;;,,q=1,=;'],
    ['a word that only begins like English', 'enx'],
  ])('is Portuguese for %s', (_case, header) => {
    expect(chooseLanguage(header)).toBe('pt-BR');
  });

  it.each([
    ['English of any region', 'en-GB'],
    ['capitals', 'EN-us'],
    ['English before Portuguese', 'en-US,en;q=0.9,pt;q=0.8'],
    ['weights that overrule the order', 'pt;q=0.2, en;q=0.9'],
    ['a foreign reader whose second language is English', 'es-AR,es;q=0.9,en;q=0.5'],
  ])('is English for %s', (_case, header) => {
    expect(chooseLanguage(header)).toBe('en');
  });

  it('does not read a header without end', () => {
    expect(chooseLanguage(`${'fr,'.repeat(1_000)}en`)).toBe('pt-BR');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inEnglish } from './english.ts';

const SRC = join(import.meta.dirname, '..');
/** How the sentences begin that say what is wrong with a field. */
const BEGINNING =
  /^(Deve|Não|Contém|É|Escolha|Envie|Texto|Use|Esta|Informe|Nenhum|No máximo|O período|O primeiro|O recebedor)\s/;

/** The sentences of that kind in a source text, placeholders filled; what only describes a field is none. */
function faultsIn(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !/describe\(|description|^\s*(\*|\/[/*])/.test(line))
    .flatMap((line) => [...line.matchAll(/(['`])((?:\\.|(?!\1).)*)\1/g)].map((match) => match[2] ?? ''))
    .filter((text) => BEGINNING.test(text) && text.endsWith('.'))
    .map((text) => text.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7'));
}

const filesOf = (folder: string) =>
  readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.|(^|\/)(mail-texts|english)\.ts$/.test(name))
    .map((name) => readFileSync(join(SRC, folder, name), 'utf8'));

describe('faults of fields', () => {
  const all = [...new Set([...filesOf('contract'), ...filesOf('services')].flatMap(faultsIn))];

  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text that is read here.
  const SOURCE = '  error: `Deve ter no máximo ${lengthMax} caracteres.`,';

  test('are found where they are written', () => {
    expect(all.length).toBeGreaterThan(45);
    expect(faultsIn(SOURCE)).toEqual(['Deve ter no máximo 7 caracteres.']);
  });

  test.each(all)('%s has an English sentence', (portuguese) => {
    const english = inEnglish(portuguese);
    expect(english).not.toBe(portuguese);
    expect(english).not.toMatch(/[ãçéíóúêâ]|\b(deve|ser|não|um|uma|de)\b/i);
    expect(english).not.toContain('#');
  });

  test.each([
    ['Deve ter no máximo 140 caracteres.', 'Must have 140 characters at most.'],
    ['Deve ser um número inteiro de 1 a 100.', 'Must be a whole number from 1 to 100.'],
    ['Deve ser sim ou não.', 'Must be yes or no.'],
    ['Deve ser um CPF válido.', 'Must be a valid CPF.'],
    ['what nobody has translated', 'what nobody has translated'],
  ])('%s', (portuguese, english) => expect(inEnglish(portuguese)).toBe(english));
});

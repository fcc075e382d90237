import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The texts that people read, by language; the document of the API is in Portuguese. */
const FILES = {
  'pt-BR': ['src/messages/pt-BR.json', 'src/services/mail/texts/pt-BR.json', 'public/openapi.json'],
  en: ['src/messages/en.json', 'src/services/mail/texts/en.json'],
};

/** Words for what has another one everywhere else, each with that one. */
const REPLACED = {
  'pt-BR': {
    'modo teste, modo produção': /\bmodo de (teste|produção)\b|\bmodo real\b|\bmodo live\b/i,
    sandbox: /\bsimulador(es)?\b/i,
    'contestação (MED)': /\bdisputas?\b/i,
    'devolução, estorno': /\breembols/i,
    'prova do extrato': /\bprova do livro\b/i,
    'cripto recebida, confirmada': /\bcripto (não )?(confirmado|liberado|recebido|enviado)s?\b/i,
    'o Trilho': /\b(a|à|da|na|pela) Trilho\b/,
    // "faltam 1 dia": what stands for {time} may be one of them.
    'daqui a {time}': /\b(faltam|restam) \{time\}/i,
  },
  en: {
    'test mode, live mode': /\bproduction mode\b|\bsandbox mode\b/i,
    sandbox: /\bsimulators?\b/i,
    dispute: /\bchargebacks?\b/i,
  },
} as const;

const wordsFor = (language: keyof typeof FILES) => Object.entries(REPLACED[language]);
const rules = (['pt-BR', 'en'] as const).flatMap((language) =>
  wordsFor(language).map(([word, others]) => [language, word, others] as const),
);

/** Every text of a JSON file, with the name of its member. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  JSON.parse(readFileSync(join(ROOT, file), 'utf8'), (name, value) => {
    if (typeof value === 'string') texts.push(`${file}: ${name}: ${value}`);
  });
  return texts;
}

test.each(rules)('the texts in %s say "%s" wherever they mean it', (language, _, others) => {
  const texts = FILES[language].flatMap(textsIn);
  expect(texts.length).toBeGreaterThan(4_000);
  expect(texts.filter((text) => others.test(text))).toEqual([]);
});

test('planted: another word for one thing is found, and the word itself is not', () => {
  const found = (text: string) =>
    wordsFor('pt-BR')
      .filter(([, others]) => others.test(text))
      .map(([word]) => word);
  expect(found('Em modo de teste, pela Trilho: faltam {time}.')).toEqual([
    'modo teste, modo produção',
    'o Trilho',
    'daqui a {time}',
  ]);
  expect(found('No modo teste, pelo Trilho: a contestação no sandbox, daqui a {time}.')).toEqual([]);
});

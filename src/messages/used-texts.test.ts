import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messages } from './messages.ts';

const SRC = join(import.meta.dirname, '..');

/** What the code has in quotation marks, or as the name of a member that it writes or reads. */
const LITERAL = /'([\w.-]+)'|"([\w.-]+)"|\b(\w+):|\.(\w+)/g;
/** A text that is put together, e.g. `limits.${name}`, with something of it written out. */
const TEMPLATE = /`([\w.-]*(?:\$\{[^`{}]*\}[\w.-]*)+)`/g;

/** The texts, by their paths, that no code asks for: by the end of the path at least. */
function unusedTexts(texts: object, code: string): string[] {
  const literals = new Set([...code.matchAll(LITERAL)].map((match) => match.slice(1).find(Boolean)));
  const templates = [...code.matchAll(TEMPLATE)]
    .map(([, template = '']) => template.split(/\$\{[^{}]*\}/))
    .filter((parts) => parts.some((part) => /\w/.test(part)))
    .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('[^.]+')}$`));
  return pathsOf(texts).filter((path) => {
    const names = path.split('.');
    const ends = names.map((_, at) => names.slice(at).join('.'));
    return !ends.some((end) => literals.has(end) || templates.some((template) => template.test(end)));
  });
}

const pathsOf = (node: object, path: string[] = []): string[] =>
  Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [[...path, key].join('.')] : pathsOf(value, [...path, key]),
  );

test('every text of the catalogue is one that the code asks for', () => {
  const code = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|generated/.test(name))
    .map((name) => readFileSync(join(SRC, name), 'utf8'))
    .join('\n');
  expect(unusedTexts(messages.en, code), 'Remove these, in both languages').toEqual([]);
});

test('planted: a text that nothing asks for is found, one that is put together is not', () => {
  const texts = { page: { title: 'Title', limits: { daily: 'Daily' }, states: { paid: 'Paid' }, gone: 'Gone' } };
  const code = `const t = useTranslations('page'); t('title'); t(\`limits.\${name}\`); const STATES = { paid: 1 };`;
  expect(unusedTexts(texts, code)).toEqual(['page.gone']);
});

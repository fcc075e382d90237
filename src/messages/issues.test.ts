import { expect, test } from 'vitest';
import { ISSUES, type IssueCode } from '#domain/errors/issues.ts';
import { messages } from './messages.ts';

const ptBr = messages['pt-BR'].issues;
const en = messages.en.issues;

const CODES = Object.keys(ISSUES) as IssueCode[];
const paramsIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('both catalogues have a text for every issue, and for nothing else', () => {
  expect(Object.keys(ptBr)).toEqual(CODES);
  expect(Object.keys(en)).toEqual(CODES);
});

test.each(CODES)('the texts of %s name the params that the issue has, in both languages', (code) => {
  const params = [...ISSUES[code]].sort();
  expect(paramsIn(ptBr[code])).toEqual(params);
  expect(paramsIn(en[code])).toEqual(params);
});

test.each(CODES)('the texts of %s are sentences of their language', (code) => {
  expect(ptBr[code]).toMatch(/^([A-ZÀ-Ú]|\{range\}).*([.]|[/]webhooks)$/);
  expect(en[code]).toMatch(/^([A-Z]|\{(max|range)\}).*([.]|[/]webhooks)$/);
  expect(en[code]).not.toMatch(/[ãçéíóúêâ]|\b(deve|ser|não|um|uma|de)\b/i);
});

test('no two issues are said with the same words', () => {
  for (const texts of [ptBr, en]) expect(new Set(Object.values(texts)).size).toBe(CODES.length);
});

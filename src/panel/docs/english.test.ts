import { expect, test } from 'vitest';
import openApi from '#public/openapi.json' with { type: 'json' };
import { ENGLISH } from './english.ts';

type Texts = { summary: string; description: string };

test('every heading and summary of the document has its English, and no English is left over', () => {
  const operations = Object.values(openApi.paths).flatMap((path) => Object.values(path) as Texts[]);
  const texts = operations.flatMap(({ summary, description }) => [summary, description]);
  const tags = openApi.tags.flatMap(({ name, description }) => [name, description]);
  expect(Object.keys(ENGLISH).sort()).toEqual([...new Set([...texts, ...tags])].sort());
});

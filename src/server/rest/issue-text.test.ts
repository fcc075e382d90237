import { expect, test } from 'vitest';
import { z } from 'zod';
import { choiceOf, fieldIssuesOf } from '#contract/issues/issue-message.ts';
import { API_ISSUE_CODES } from '#domain/errors/issues.ts';
import { issueText } from './issue-text.ts';
import { restProcedures } from './openapi/document.ts';

test('REST reads an issue as a Portuguese sentence', () => {
  expect(issueText({ issue: 'not_yes_or_no', params: {} })).toBe('Deve ser true ou false.');
  expect(issueText({ issue: 'too_long', params: { max: 140 } })).toBe('Deve ter no máximo 140 caracteres.');
  expect(issueText({ issue: 'not_one_of', params: choiceOf(['deposit', 'withdrawal', 'usdt']) })).toBe(
    'Deve ser deposit, withdrawal ou usdt.',
  );
});

test('what is wrong with a date is said with the format that a body or a query takes', () => {
  for (const issue of ['not_calendar_date', 'not_iso_day', 'not_date'] as const) {
    expect(issueText({ issue, params: {} })).toMatch(/ ex\.: 2026-11-20/);
  }
});

const JUNK = [7, -1, 1e300, true, null, {}, [], '', ' ', 'x', '\u0000', '\ud800', 'x'.repeat(3_000)];

test.each(restProcedures().map(({ name, meta, inputSchema }) => [name, meta, inputSchema] as const))(
  'whatever is sent to %s, no field is rejected by the general code, and every issue has a whole sentence',
  (_name, { openapi }, schema) => {
    const object = schema instanceof z.ZodPipe ? (schema.in as z.ZodObject) : (schema as z.ZodObject);
    const inPath = new Set([...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    const sent = openapi.method === 'GET' ? JUNK.filter((value) => typeof value === 'string') : JUNK;
    for (const field of Object.keys(object.shape).filter((name) => !inPath.has(name))) {
      for (const value of [undefined, ...sent]) {
        const { error } = schema.safeParse({ [field]: value });
        const issues = (error ? fieldIssuesOf(error) : []).filter((found) => !inPath.has(found.field));
        expect(issues.filter(({ issue }) => issue === 'not_valid')).toEqual([]);
        for (const found of issues) {
          expect(API_ISSUE_CODES).toContain(found.issue);
          expect(issueText(found)).not.toContain('{');
        }
      }
    }
  },
);

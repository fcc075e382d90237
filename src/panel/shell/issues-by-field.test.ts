import { expect, test } from 'vitest';
import { issuesByField } from './issues-by-field.ts';

test('a form shows the first issue of a field, and begins at the first field that has one', () => {
  const issues = issuesByField([
    { field: 'cpf', issue: 'empty' },
    { field: 'cpf', issue: 'not_text' },
    { field: 'city', issue: 'empty' },
  ]);
  expect(Object.entries(issues)).toEqual([
    ['cpf', { issue: 'empty' }],
    ['city', { issue: 'empty' }],
  ]);
});
